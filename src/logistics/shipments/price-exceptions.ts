import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { totalPriceKobo } from '../quotes/price-parts.ts'
import { type Exceptions, isSame, priceCodes, resolvedExceptions, withException } from './exceptions.ts'

/**
 * Returns the shipment's exceptions, and adds exceptions about the charged price. A rider may already be on the way, so
 * a price that is too high does not cancel the shipment: the merchant sees the charged and the allowed amount and
 * decides.
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
  const current = [
    ...(chargedKobo > priceCeilingKobo ? found('price_above_ceiling', priceCeilingKobo) : []),
    ...(isPriceGuaranteed(attempt) && chargedKobo > offer.priceKobo ? found('price_above_offer', offer.priceKobo) : []),
  ]
  // Exceptions about an earlier price or another carrier are resolved, because they no longer apply.
  const isCurrent = (exception: StoredException) => current.some((known) => isSame(known, exception))
  const isOver = (known: StoredException) => priceCodes.some((code) => code === known.code) && !isCurrent(known)
  return current.reduce(withException, resolvedExceptions(exceptions, isOver, at))
}

/** Whether the carrier had guaranteed the price of the offer. */
function isPriceGuaranteed({ offer, startedAt }: StoredAttempt): boolean {
  const { priceLock = 'none', expiresAt } = offer
  return priceLock !== 'none' && startedAt <= expiresAt
}
