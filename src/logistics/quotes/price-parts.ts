import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { sum, toKobo } from '../../commerce/money.ts'
import type { PlannedOffer, StoredAttempt } from '../../store/tables/shipment.ts'

/**
 * A price has two parts, the carrier's price and this service's surge:
 *
 * - `priceKobo` of an offer or a shipment is the total: the carrier's price plus `surgeKobo`.
 * - `priceKobo` of a dispatch attempt is the carrier's price alone. The surge is stored with the offer of the attempt.
 *
 * The price ceiling of a shipment applies to the total.
 */

/** The code of the item that this service adds to the carrier's price breakdown for the surge. */
export const surgeLineCode = 'surge'

export function carrierPriceOf({ priceKobo, surgeKobo }: Pick<PlannedOffer, 'priceKobo' | 'surgeKobo'>): Kobo {
  return toKobo(priceKobo - surgeKobo)
}

export function totalPriceKobo({ priceKobo, offer }: Pick<StoredAttempt, 'priceKobo' | 'offer'>): Kobo {
  return sum([priceKobo, offer.surgeKobo])
}
