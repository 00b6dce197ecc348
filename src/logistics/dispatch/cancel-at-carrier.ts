import type { AttemptState, CancellationReason } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { nairaText } from '../../base/naira.ts'
import type { Cancellation, Outcome } from '../../partners/carriers/carrier.ts'
import { writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { isAccountReplaced } from '../carriers/accounts.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { chargedFeeKobo } from '../shipments/cancellation-fee.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { usableFor } from './begin-attempt.ts'

/**
 * Requests that the carrier cancels the order of a dispatch attempt, and stores the fee that the carrier's response
 * states.
 */
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
  const { breakers, timeouts } = command.context
  const request = { operation: 'cancel', timeoutMs: timeouts.cancelMs } as const
  const outcome = await breakers.run({ carrier, account }, request, (signal) =>
    carrier.cancel(account, { carrierReference, reference }, reason, signal),
  )
  // A new carrier account does not show the order of an earlier account, whose rider would still come.
  if (outcome.is === 'refused' && outcome.code === 'not_found' && isAccountReplaced(usable, attempt)) {
    return { is: 'unknown', cause: 'bad_response', message: outcome.message }
  }
  if (outcome.is !== 'ok') return outcome
  const feeKobo = chargedFeeKobo(attempt, outcome.value)
  if (outcome.value.is === 'requested' && feeKobo !== undefined) await storeFee(command, attempt.number, feeKobo)
  return { is: 'ok', value: { ...outcome.value, feeKobo } }
}

/**
 * The response to a cancellation request may contain a fee that the later confirmation lacks, so this fee is stored.
 */
async function storeFee(command: ShipmentCommand, number: number, cancelFeeKobo: Kobo): Promise<void> {
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
    const description = `${carrierNameOf(attempt.carrier)} charges a cancellation fee of ${nairaText(cancelFeeKobo)}.`
    return moveShipment(work, shipment, { status: null, source: 'service', description, attemptNumber: number })
  })
}

/** States of a dispatch attempt in which the carrier's order can still be cancelled. */
const feeStates: readonly AttemptState[] = ['accepted', 'cancelling', 'abandoned', 'not_found_at_carrier']
