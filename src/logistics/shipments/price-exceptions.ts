import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { StoredAttempt, StoredException, StoredShipment } from '../../store/tables/shipment.ts'
import { totalPriceKobo } from '../quotes/price-parts.ts'
import { type Exceptions, isSame, priceCodes, resolvedExceptions, withException } from './exceptions.ts'

/**
 * The exceptions of a shipment by what its carrier charges. A carrier that has taken it may have a rider on the way, so a
 * price that is too high is no reason to call it off unasked: the merchant is told both figures, and decides.
 */
export function withPriceExceptions(
  { exceptions, priceCeilingKobo }: Pick<StoredShipment, 'exceptions' | 'priceCeilingKobo'>,
  attempt: StoredAttempt,
  at: Timestamp,
): Exceptions {
  const { offer } = attempt
  const chargedKobo = totalPriceKobo(attempt)
  const found = (code: (typeof priceCodes)[number], allowedKobo: Kobo): StoredException[] => [
    { code, carrier: attempt.carrier, attemptNumber: attempt.number, at, amounts: { allowedKobo, chargedKobo } },
  ]
  const holding = [
    ...(chargedKobo > priceCeilingKobo ? found('price_above_ceiling', priceCeilingKobo) : []),
    ...(isHeld(attempt) && chargedKobo > offer.priceKobo ? found('price_above_offer', offer.priceKobo) : []),
  ]
  // What an earlier price, or another carrier’s, was told for is over.
  const holds = (exception: StoredException) => holding.some((known) => isSame(known, exception))
  const isOver = (known: StoredException) => priceCodes.some((code) => code === known.code) && !holds(known)
  return holding.reduce(withException, resolvedExceptions(exceptions, isOver, at))
}

/** Whether somebody had promised that the price would not rise. */
function isHeld({ offer, startedAt }: StoredAttempt): boolean {
  const { priceLock = 'none', expiresAt } = offer
  return priceLock !== 'none' && startedAt <= expiresAt
}
