import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { noKobo, share, toKobo } from '../../commerce/money.ts'
import type { CarrierOffer } from '../../partners/carriers/carrier.ts'
import type { QuotedSurge } from '../../store/tables/surge.ts'
import { surgeStepKobo } from './surge-rules.ts'

/**
 * What a multiplier adds to each fare in a zone: the same amount for a short way as for a long one, because it pays for
 * finding a rider and not for the ride.
 */
export function surgeAmount(multiplier: number, referenceFareKobo: Kobo): Kobo {
  return toKobo(share(referenceFareKobo, hundredthsOf(multiplier), 100 * surgeStepKobo) * surgeStepKobo)
}

/**
 * Surge of one offer: the amount of its zone, and at most what the multiplier makes of the offer itself, so that a cheap
 * offer is not raised by more than the published share. A parcel for tomorrow does not wait for a rider of this hour, so
 * only on-demand offers have one; nor does a price that the carrier made this moment, which has it inside.
 */
export function offerSurgeKobo(
  surge: QuotedSurge | null,
  { priceKobo, serviceLevel }: Pick<CarrierOffer, 'priceKobo' | 'serviceLevel'>,
  { quotesLive }: { readonly quotesLive: boolean },
): Kobo {
  if (surge === null || quotesLive || serviceLevel !== 'on_demand') return noKobo
  const mostKobo = Math.floor((priceKobo * hundredthsOf(surge.multiplier)) / 100)
  // Rounded down, because it is a limit.
  return toKobo(Math.min(surge.surgeKobo, Math.floor(mostKobo / surgeStepKobo) * surgeStepKobo))
}

function hundredthsOf(multiplier: number): number {
  return Math.round((multiplier - 1) * 100)
}
