import type { Quote } from '../../../registry/logistics/quote.ts'
import type { QuoteId } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { listQuotesToShow } from '../../store/logistics/quotes/quotes.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { quoteRecord } from './quote-shipment.ts'

/** Returns stored quotes by id. Omits used and expired quotes, and ids that belong to no quote of the merchant. */
export async function showOpenQuotes(
  context: LogisticsContext,
  { merchantId }: Tenant,
  ids: readonly QuoteId[],
): Promise<ReadonlyMap<string, Quote>> {
  const stored = await listQuotesToShow(context.database, merchantId, ids)
  const nowMs = context.clock.nowMs()
  const open = stored.filter(({ quote, usedAt }) => usedAt === null && toMs(quote.expiresAt) > nowMs)
  return new Map(
    open.map(({ quote, offers }) => {
      const record = quoteRecord(context, { quote, offers, answers: quote.carriers })
      return [record.id, record]
    }),
  )
}
