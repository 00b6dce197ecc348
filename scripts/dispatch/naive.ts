import { dispatchAttemptsMax } from '../../registry/values/limits.ts'
import { createRequestOf } from '../../src/logistics/dispatch/begin-attempt.ts'
import type { ShipmentWithAttempts } from '../../src/store/logistics/shipments/shipments.ts'
import type { PlannedOffer } from '../../src/store/tables/shipment.ts'
import type { RunClock, Street } from './street.ts'

/**
 * The failover that most would write: the carriers in the same order, and on anything but a yes the next one. What became
 * of an asking without an answer is nobody’s question.
 */
export async function dispatchNaively(
  { carriers }: Street,
  clock: RunClock,
  { shipment, attempts: [first] }: ShipmentWithAttempts,
): Promise<{ readonly isTaken: boolean; readonly waitedMs: number }> {
  if (first === undefined) {
    const { id, status, statusMessage } = shipment
    throw new Error(`No carrier was asked for ${id}, which is ${status}: ${statusMessage ?? 'it says no more'}`)
  }
  const { result: isTaken, waitedMs } = await clock.apart(async () => {
    for (const [index, offer] of firstOfEach(shipment.plan).slice(0, dispatchAttemptsMax).entries()) {
      const carrier = [...carriers.values()].find(({ code }) => code === offer.carrier)
      const reference = `${shipment.id}-${index + 1}`
      const request = createRequestOf(shipment, { ...first, carrier: offer.carrier, offer, reference })
      const outcome = await carrier?.create({ credentials: {} }, request, new AbortController().signal)
      if (outcome?.is === 'ok') return true
    }
    return false
  })
  return { isTaken, waitedMs }
}

function firstOfEach(plan: readonly PlannedOffer[]): PlannedOffer[] {
  return plan.filter(({ carrier }, index) => plan.findIndex((offer) => offer.carrier === carrier) === index)
}
