import type { Kobo } from '../../../registry/vocabulary.ts'
import { share, toKobo } from '../../commerce/money.ts'
import { surgeStepKobo } from './surge-rules.ts'

/**
 * What a multiplier adds to each fare in a zone: the same amount for a short way as for a long one, because it pays for
 * finding a rider and not for the ride.
 */
export function surgeAmount(multiplier: number, referenceFareKobo: Kobo): Kobo {
  const hundredths = Math.round((multiplier - 1) * 100)
  return toKobo(share(referenceFareKobo, hundredths, 100 * surgeStepKobo) * surgeStepKobo)
}
