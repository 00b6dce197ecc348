import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import type { Cancellation } from '../../partners/carriers/carrier.ts'
import { cancelledStates, type StoredAttempt, type StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { withException } from './exceptions.ts'

/**
 * If the carrier reports only a refund, the fee is the price minus the refund. Undefined if the carrier reports neither
 * a fee nor a refund; the cancellation may nevertheless have a fee.
 */
export function chargedFeeKobo(
  { priceKobo }: Pick<StoredAttempt, 'priceKobo'>,
  cancellation: Cancellation,
): Kobo | undefined {
  const { is, feeKobo, refundKobo } = cancellation
  // A cancellation that the carrier has only acknowledged has not cost anything yet.
  if (feeKobo !== undefined || refundKobo === undefined || is !== 'cancelled') return feeKobo
  return toKobo(Math.max(0, priceKobo - refundKobo))
}

/**
 * Used when a carrier carries out an order after it confirmed the cancellation: returns the shipment's cancellation fee
 * without the fee of that attempt. If the order is cancelled again, its fee is added again and would otherwise be
 * counted twice. Null if no fee remains.
 */
export function feeWithout(
  { status, cancelRequestedAt, cancelFeeKobo }: StoredShipment,
  attempt: Pick<StoredAttempt, 'state' | 'cancelFeeKobo' | 'resolvedAt'>,
): Kobo | null {
  const isCancelled = status === 'cancelled' && cancelledStates.some((state) => state === attempt.state)
  if (!isCancelled || cancelFeeKobo === null || attempt.cancelFeeKobo === null) return cancelFeeKobo
  // The fee of an order that was cancelled before the cancellation of the shipment is not part of the shipment's fee.
  const isEarlier = cancelRequestedAt !== null && attempt.resolvedAt !== null && attempt.resolvedAt < cancelRequestedAt
  if (isEarlier) return cancelFeeKobo
  const remainingKobo = cancelFeeKobo - attempt.cancelFeeKobo
  return remainingKobo > 0 ? toKobo(remainingKobo) : null
}

/**
 * Adds an exception for a cancellation fee above the accepted fee. The carrier has already charged the fee, so the
 * merchant must dispute the fee with the carrier.
 */
export function withFeeException(
  exceptions: StoredShipment['exceptions'],
  attempt: Pick<StoredAttempt, 'carrier' | 'number'>,
  chargedKobo: Kobo | undefined,
  { allowedKobo = noKobo, at }: { readonly allowedKobo: Kobo | undefined; readonly at: StoredShipment['updatedAt'] },
): StoredShipment['exceptions'] {
  if (chargedKobo === undefined || chargedKobo <= allowedKobo) return exceptions
  return withException(exceptions, {
    code: 'cancellation_fee_above_accepted',
    carrier: attempt.carrier,
    attemptNumber: attempt.number,
    at,
    amounts: { allowedKobo, chargedKobo },
  })
}

/**
 * Returns the exception for a cancellation that was not requested from the carrier, because the carrier's cancellation
 * fee is above the accepted fee.
 */
export function tooExpensiveException(
  { carrier, number: attemptNumber }: Pick<StoredAttempt, 'carrier' | 'number'>,
  amounts: StoredException['amounts'] & object,
  at: Timestamp,
): StoredException {
  return { code: 'cancellation_fee_above_accepted', cause: 'not_requested', carrier, attemptNumber, at, amounts }
}
