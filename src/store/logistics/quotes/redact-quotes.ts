import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database } from '../../core/database.ts'
import { writing } from '../../core/statement.ts'
import { coarsePlace, withoutMessages, withoutRawText } from '../shipments/redact-shipments.ts'

/** Redacts expired quotes that no shipment uses. */

/** Number of quotes that one statement redacts. A statement of this size takes a fraction of a second. */
const redactMax = 500

interface Redaction {
  readonly expiredBefore: Timestamp
  readonly now: Timestamp
  /** JSON text of the fields of a place with their redacted values. */
  readonly placePatch: string
}

/**
 * Skips quotes that are locked, because a dispatch sets `used_at` under the lock of the quote. The statement also
 * checks that no shipment refers to the quote, so that a shipment never loses its data because of a wrong `used_at`.
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

/** Redacts personal data in expired, unused quotes, in batches, and returns the number of redacted quotes. */
export async function redactQuotes(database: Database, redaction: Redaction): Promise<number> {
  let total = 0
  for (;;) {
    const redacted = (await database.run(quoteRedaction, redaction)).length
    total += redacted
    if (redacted < redactMax) return total
  }
}
