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

/** What may be dispatched instead of a quote that has ended. */
export interface FreshQuote {
  readonly quoteId: QuoteId
  readonly offerId: OfferId
  readonly priceKobo: Kobo
}

interface Terms {
  readonly offerId: OfferId | undefined
  readonly rules: PlanRules
  readonly proof: readonly ProofKind[]
}

/**
 * The same asked anew, of the same carriers. It is offered only where it costs no more than the dispatch would have let the
 * old one cost, so that whoever takes it needs to ask nobody about the price.
 */
export async function requote(
  call: LogisticsCall,
  old: QuoteForDispatch,
  { offerId, rules, proof }: Terms,
): Promise<FreshQuote | undefined> {
  const { context, tenant } = call
  const windows = { pickup: old.pickupWindow, dropoff: old.dropoffWindow }
  const end = windowsEnd(windows)
  const isPast = end !== undefined && toMs(end) <= context.clock.nowMs()
  if (isPast || old.redactedAt !== null) return undefined
  const { ceilingKobo } = planDispatch(old.offers, rules, offerId)
  const asked = await findQuoteResponses(context.database, { merchantId: tenant.merchantId, id: old.id })
  const made = await makeQuote(
    call,
    {
      ...old,
      items: old.items ?? undefined,
      warnings: old.warnings.filter((warning) => !windowWarnings.includes(warning)),
    },
    {
      windows,
      carriers: asked?.map(({ carrier }) => carrier),
      declaredValueKobo: old.declaredValueKobo ?? undefined,
      proof,
    },
  )
  const { createdAt } = made.quote
  const offers = made.offers.filter(
    (offer) =>
      offersProof(context.carriers, offer.carrier, proof) && missedWindows(windows, offer, createdAt).length === 0,
  )
  const [best] = planDispatch(offers, { ...rules, maxPriceKobo: toKobo(ceilingKobo) }).offers
  if (best === undefined || !(await storeQuote(call, made))) return undefined
  return { quoteId: made.quote.id, offerId: best.offerId, priceKobo: best.priceKobo }
}
