import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { KeptAttempt, KeptException, KeptShipment } from '../../store/tables/shipment.ts'
import { wholePriceKobo } from '../quotes/price-parts.ts'
import { type Exceptions, isSame, priceCodes, settled, withException } from './exceptions.ts'

/**
 * The exceptions of a shipment by what its carrier charges. A carrier that has taken it may have a rider on the way, so a
 * price that is too high is no reason to call it off unasked: the merchant is told both figures, and decides.
 */
export function withPriceJudged(
  { exceptions, priceCeilingKobo }: Pick<KeptShipment, 'exceptions' | 'priceCeilingKobo'>,
  attempt: KeptAttempt,
  at: Timestamp,
): Exceptions {
  const { offer } = attempt
  const chargedKobo = wholePriceKobo(attempt)
  const found = (code: (typeof priceCodes)[number], allowedKobo: Kobo): KeptException[] => [
    { code, carrier: attempt.carrier, attemptNumber: attempt.number, at, amounts: { allowedKobo, chargedKobo } },
  ]
  const holding = [
    ...(chargedKobo > priceCeilingKobo ? found('price_above_ceiling', priceCeilingKobo) : []),
    ...(isHeld(attempt) && chargedKobo > offer.priceKobo ? found('price_above_offer', offer.priceKobo) : []),
  ]
  // What an earlier price, or another carrier’s, was told for is over.
  const holds = (exception: KeptException) => holding.some((known) => isSame(known, exception))
  const isOver = (known: KeptException) => priceCodes.some((code) => code === known.code) && !holds(known)
  return holding.reduce(withException, settled(exceptions, isOver, at))
}

/** Whether somebody had promised that the price would not rise. */
function isHeld({ offer, startedAt }: KeptAttempt): boolean {
  const { priceLock = 'none', expiresAt } = offer
  return priceLock !== 'none' && startedAt <= expiresAt
}
