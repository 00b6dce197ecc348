import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { noKobo, share, toKobo } from '../../commerce/money.ts'
import type { CarrierOffer } from '../../partners/carriers/carrier.ts'
import type { QuotedSurge } from '../../store/tables/surge.ts'
import { surgeStepKobo } from './surge-rules.ts'

/**
 * The amount is added to each fare in a zone. It does not depend on the distance, because it pays for finding a rider
 * and not for the ride.
 */
export function surgeAmount(multiplier: number, referenceFareKobo: Kobo): Kobo {
  return toKobo(share(referenceFareKobo, hundredthsOf(multiplier), 100 * surgeStepKobo) * surgeStepKobo)
}

/**
 * Returns the surge of one offer in kobo. It is the surge amount of the zone, but at most the offer's own price times
 * (multiplier − 1). With this limit, the price of a cheap offer does not rise by more than the published share. Only
 * on-demand offers have surge, because only they need a rider now. Offers with live carrier prices have no surge,
 * because these prices already include the current demand.
 */
export function offerSurgeKobo(
  surge: QuotedSurge | null,
  { priceKobo, serviceLevel }: Pick<CarrierOffer, 'priceKobo' | 'serviceLevel'>,
  { quotesLive }: { readonly quotesLive: boolean },
): Kobo {
  if (surge === null || quotesLive || serviceLevel !== 'on_demand') return noKobo
  const maxKobo = Math.floor((priceKobo * hundredthsOf(surge.multiplier)) / 100)
  // The limit of the surge is rounded down to a whole step, so that the surge never exceeds the exact limit.
  return toKobo(Math.min(surge.surgeKobo, Math.floor(maxKobo / surgeStepKobo) * surgeStepKobo))
}

function hundredthsOf(multiplier: number): number {
  return Math.round((multiplier - 1) * 100)
}
