import { windowWarnings } from '../../../registry/logistics/quote-warnings.ts'
import type { Kobo, OfferId, QuoteId } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { toKobo } from '../../commerce/money.ts'
import type { ProofKind } from '../../partners/carriers/carrier.ts'
import { findQuoteResponses, type QuoteForDispatch } from '../../store/logistics/quotes/quotes.ts'
import { type PlanRules, planDispatch } from '../quotes/plan-offers.ts'
import { type LogisticsCall, makeQuote, storeQuote } from '../quotes/quote-shipment.ts'
import { missedWindows, windowsEnd } from '../quotes/windows.ts'
import { offersProof } from './dispatch-quote.ts'

/** A new quote and a new offer, which are dispatched instead of an expired quote and its offer. */
export interface NewQuote {
  readonly quoteId: QuoteId
  readonly offerId: OfferId
  readonly priceKobo: Kobo
}

interface DispatchTerms {
  readonly offerId: OfferId | undefined
  readonly rules: PlanRules
  readonly proof: readonly ProofKind[]
}

/**
 * Only offers within the price ceiling of the dispatch are used, so that the merchant need not approve a price again.
 * Undefined when no new quote is possible.
 */
export async function requote(
  call: LogisticsCall,
  expired: QuoteForDispatch,
  { offerId, rules, proof }: DispatchTerms,
): Promise<NewQuote | undefined> {
  const { context, tenant } = call
  const windows = { pickup: expired.pickupWindow, dropoff: expired.dropoffWindow }
  const end = windowsEnd(windows)
  const isPast = end !== undefined && toMs(end) <= context.clock.nowMs()
  if (isPast || expired.redactedAt !== null) return undefined
  const { ceilingKobo } = planDispatch(expired.offers, rules, offerId)
  const responses = await findQuoteResponses(context.database, { merchantId: tenant.merchantId, id: expired.id })
  const renewed = await makeQuote(
    call,
    {
      ...expired,
      items: expired.items ?? undefined,
      warnings: expired.warnings.filter((warning) => !windowWarnings.includes(warning)),
    },
    {
      windows,
      carriers: responses?.map(({ carrier }) => carrier),
      declaredValueKobo: expired.declaredValueKobo ?? undefined,
      codAmountKobo: expired.codAmountKobo,
      proof,
    },
  )
  const { createdAt } = renewed.quote
  const offers = renewed.offers.filter(
    (offer) =>
      offersProof(context.carriers, offer.carrier, proof) && missedWindows(windows, offer, createdAt).length === 0,
  )
  const [best] = planDispatch(offers, { ...rules, maxPriceKobo: toKobo(ceilingKobo) }).offers
  if (best === undefined || !(await storeQuote(call, renewed))) return undefined
  return { quoteId: renewed.quote.id, offerId: best.offerId, priceKobo: best.priceKobo }
}
