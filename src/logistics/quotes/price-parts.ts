import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { sum, toKobo } from '../../commerce/money.ts'
import type { PlannedOffer, StoredAttempt } from '../../store/tables/shipment.ts'

/**
 * A price has two parts, and only one of them is the carrier’s to name:
 *
 *   offer, shipment   priceKobo is the whole: the carrier’s part and surgeKobo
 *   attempt           priceKobo is the carrier’s part alone; its surge is that of its offer
 *
 * What a shipment may cost at most is said of the whole.
 */

/** The line of a breakdown that is this service’s, beside the carrier’s own. */
export const surgeLine = 'surge'

export function carrierPartKobo({ priceKobo, surgeKobo }: Pick<PlannedOffer, 'priceKobo' | 'surgeKobo'>): Kobo {
  return toKobo(priceKobo - surgeKobo)
}

export function totalPriceKobo({ priceKobo, offer }: Pick<StoredAttempt, 'priceKobo' | 'offer'>): Kobo {
  return sum([priceKobo, offer.surgeKobo])
}
