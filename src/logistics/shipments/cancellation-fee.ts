import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import type { Cancellation } from '../../partners/carriers/carrier.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { withException } from './exceptions.ts'

/**
 * What calling an order off cost. A carrier that says only what it gives back has kept the rest of its price; one that says
 * neither leaves it open, which is not the same as nothing.
 */
export function chargedFeeKobo({ priceKobo }: Pick<StoredAttempt, 'priceKobo'>, told: Cancellation): Kobo | undefined {
  const { is, feeKobo, refundKobo } = told
  // What is not called off yet has cost nothing yet.
  if (feeKobo !== undefined || refundKobo === undefined || is !== 'cancelled') return feeKobo
  return toKobo(Math.max(0, priceKobo - refundKobo))
}

/** A fee that nobody has accepted is for the merchant to dispute with the carrier: it is charged already. */
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
