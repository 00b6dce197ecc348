import { dispatchAttemptsMax } from '../../registry/values/limits.ts'
import { createRequestOf } from '../../src/logistics/dispatch/begin-attempt.ts'
import type { ShipmentWithAttempts } from '../../src/store/logistics/shipments/shipments.ts'
import type { PlannedOffer } from '../../src/store/tables/shipment.ts'
import type { RunClock, SimulatedCarriers } from './simulated-carriers.ts'

/**
 * A naive failover for comparison: it tries the carriers in the same order until one accepts, and never checks the
 * outcome of an attempt without a response.
 */
export async function dispatchNaively(
  { carriers }: SimulatedCarriers,
  clock: RunClock,
  { shipment, attempts: [first] }: ShipmentWithAttempts,
): Promise<{ readonly isAccepted: boolean; readonly waitedMs: number }> {
  if (first === undefined) {
    const { id, status, statusMessage } = shipment
    throw new Error(`Shipment ${id} has no attempt. Its status is ${status}: ${statusMessage ?? 'no message'}`)
  }
  const { result: isAccepted, waitedMs } = await clock.runWithOwnWait(async () => {
    for (const [index, offer] of firstOfEach(shipment.plan).slice(0, dispatchAttemptsMax).entries()) {
      const carrier = [...carriers.values()].find(({ code }) => code === offer.carrier)
      const reference = `${shipment.id}-${index + 1}`
      const request = createRequestOf(shipment, { ...first, carrier: offer.carrier, offer, reference })
      const outcome = await carrier?.create({ credentials: {} }, request, new AbortController().signal)
      if (outcome?.is === 'ok') return true
    }
    return false
  })
  return { isAccepted, waitedMs }
}

/** Returns the first offer of each carrier, in the order of the offers. */
function firstOfEach(plan: readonly PlannedOffer[]): PlannedOffer[] {
  return plan.filter(({ carrier }, index) => plan.findIndex((offer) => offer.carrier === carrier) === index)
}
