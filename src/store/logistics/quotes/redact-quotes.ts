import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { updatingExpired } from '../../core/expired-rows.ts'
import { coarsePlace, withoutMessages, withoutRawText } from '../shipments/redact-shipments.ts'

/** Redacts expired quotes that no shipment uses. */

/** Number of quotes that one batch redacts. A batch of this size takes a fraction of a second. */
const redactMax = 500

interface Redaction {
  readonly expiredBefore: Timestamp
  readonly now: Timestamp
  /** JSON text of the fields of a place with their redacted values. */
  readonly placePatch: string
}

/**
 * Redacts expired quotes that are unused. Locked quotes are skipped, because a dispatch sets `used_at` under the lock
 * of the quote. The statement also checks that no shipment refers to the quote, so that a shipment does not lose its
 * data if `used_at` is wrong.
 */
export const quoteRedaction = updatingExpired<Redaction>()(
  {
    label: 'redact_quotes',
    table: 'quotes',
    key: ['id'],
    age: 'expires_at',
    hasEnded: (p, isIncluded) => sql`
      expires_at < ${p.expiredBefore}::timestamptz
        and used_at is null
        and redacted_at is null
        and not exists (
          select
          from shipments
          where ${isIncluded('shipments.merchantId')}
            and shipments.merchant_id = quotes.merchant_id and shipments.quote_id = quotes.id
        )`,
    size: redactMax,
  },
  (p, expired) => sql`
    with expired as (${expired}), without_tokens as (
      update quote_offers
      set token = ''
      where merchant_id = ${p.merchantId} and quote_id in (select id from expired)
    )
    update quotes
    set
      pickup = ${coarsePlace(sql.ref('quotes.pickup'), p.placePatch)},
      dropoff = ${coarsePlace(sql.ref('quotes.dropoff'), p.placePatch)},
      parcels = ${withoutRawText(sql.ref('quotes.parcels'))},
      carriers = ${withoutMessages(sql.ref('quotes.carriers'))},
      redacted_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id in (select id from expired)
    returning id`,
)
