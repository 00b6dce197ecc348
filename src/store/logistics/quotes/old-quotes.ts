import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database } from '../../core/database.ts'
import { writing } from '../../core/statement.ts'
import { coarsePlace, withoutMessages, withoutRawText } from '../shipments/redact-shipments.ts'

/** Quotes of which nothing came, and which nobody asks for any more. */

/** Each with its offers, so many take a fraction of a second. */
const redactMax = 500

interface Redaction {
  readonly expiredBefore: Timestamp
  readonly now: Timestamp
  /** JSON of the fields of a place that are written over. */
  readonly placePatch: string
}

/**
 * Whoever uses a quote says so in the same transaction, under its lock, which is left alone here. That no shipment refers to it
 * is asked all the same: what a shipment shows must never depend on a column that says so beside it.
 */
export const quoteRedaction = writing<Redaction>()(
  'redact_quotes',
  (p) => sql<{ id: string }>`
    with old as (
      select merchant_id, id
      from quotes
      where expires_at < ${p.expiredBefore}::timestamptz
        and used_at is null
        and redacted_at is null
        and not exists (
          select from shipments where shipments.merchant_id = quotes.merchant_id and shipments.quote_id = quotes.id
        )
      order by expires_at
      limit ${sql.lit(redactMax)}
      for no key update skip locked
    ), without_tokens as (
      update quote_offers
      set token = ''
      from old
      where quote_offers.merchant_id = old.merchant_id and quote_offers.quote_id = old.id
    )
    update quotes
    set
      pickup = ${coarsePlace(sql.ref('quotes.pickup'), p.placePatch)},
      dropoff = ${coarsePlace(sql.ref('quotes.dropoff'), p.placePatch)},
      parcels = ${withoutRawText(sql.ref('quotes.parcels'))},
      carriers = ${withoutMessages(sql.ref('quotes.carriers'))},
      redacted_at = ${p.now}::timestamptz
    from old
    where quotes.merchant_id = old.merchant_id and quotes.id = old.id
    returning quotes.id`,
)

/** Takes people and streets out of them; returns of how many. */
export async function redactQuotes(database: Database, redaction: Redaction): Promise<number> {
  let total = 0
  for (;;) {
    const redacted = (await database.run(quoteRedaction, redaction)).length
    total += redacted
    if (redacted < redactMax) return total
  }
}
