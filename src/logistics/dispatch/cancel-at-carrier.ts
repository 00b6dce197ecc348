import type { AttemptState, CancellationReason } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { Cancellation, Outcome } from '../../partners/carriers/carrier.ts'
import { writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { chargedFeeKobo } from '../shipments/cancellation-fee.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { usableFor } from './begin-attempt.ts'

/** Asks the carrier of an attempt to cancel its order, and stores the fee that it names. */
export async function cancelAtCarrier(
  command: ShipmentCommand,
  attempt: StoredAttempt,
  reason: CancellationReason,
): Promise<Outcome<Cancellation> | { readonly is: 'circuit_open' }> {
  const { carrierReference, reference } = attempt
  const usable = await usableFor(command, attempt.carrier)
  if (usable === undefined || carrierReference === null) {
    return { is: 'unavailable', message: 'The carrier is no longer connected.', retryAfterSeconds: undefined }
  }
  const { carrier, account } = usable
  const { breakers, patience } = command.context
  const request = { operation: 'cancel', timeoutMs: patience.cancelMs } as const
  const outcome = await breakers.run({ carrier, account }, request, (signal) =>
    carrier.cancel(account, { carrierReference, reference }, reason, signal),
  )
  if (outcome.is !== 'ok') return outcome
  const feeKobo = chargedFeeKobo(attempt, outcome.value)
  if (outcome.value.is === 'requested' && feeKobo !== undefined) await keepFee(command, attempt.number, feeKobo)
  return { is: 'ok', value: { ...outcome.value, feeKobo } }
}

/** What it will cost once the carrier has let go: whoever says then that it has may say nothing of money any more. */
async function keepFee(command: ShipmentCommand, number: number, cancelFeeKobo: Kobo): Promise<void> {
  await changeShipment(command, 'shipment.record_fee', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (attempt === undefined || !feeStates.includes(attempt.state)) return undefined
    if (attempt.cancelFeeKobo === cancelFeeKobo) return undefined
    writeAttempt(work.trx, { ...attempt, cancelFeeKobo })
    work.note({
      attempt: [
        { number, cancelFeeKobo: attempt.cancelFeeKobo },
        { number, cancelFeeKobo },
      ],
    })
    const description = `${carrierNameOf(attempt.carrier)} takes ${cancelFeeKobo} kobo for letting go of it.`
    return moveShipment(work, shipment, { status: null, source: 'service', description, attemptNumber: number })
  })
}

/** In these an order can be called off, and is not yet. */
const feeStates: readonly AttemptState[] = ['accepted', 'cancelling', 'abandoned', 'not_found_at_carrier']
