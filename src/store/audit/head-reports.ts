import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'

/** The daily notifications with the heads of the hash chains. */

export interface UnreportedMerchant {
  /** The live merchant. */
  readonly merchantId: MerchantId
  readonly testMerchantId: MerchantId
}

interface Page {
  /** The id that the notification of a merchant has. */
  readonly id: string
  /** The last merchant of the previous page; empty for the first page. */
  readonly after: string
  readonly limit: number
}

/** Returns live merchants with members but without the notification, in the order of their ids. */
export const listUnreported = listing<Page>()(
  'list_merchants_without_head_report',
  (p) => sql<UnreportedMerchant>`
    select merchant.id as merchant_id, twin.id as test_merchant_id
    from merchants as merchant
    join merchants as twin on twin.live_merchant_id = merchant.id
    where merchant.id > ${p.after}
      and not exists (select from notifications where merchant_id = merchant.id and id = ${p.id})
      -- A merchant without members has no recipient.
      and exists (select from members where merchant_id = merchant.id and removed_at is null)
    order by merchant.id
    limit ${p.limit}`,
)

interface HeadReport {
  readonly merchantId: MerchantId
  readonly id: string
  /** The heads and the verdicts on their signatures, as JSON text. */
  readonly data: string
  readonly now: Timestamp
}

/**
 * Inserts the notification, unless another process has inserted it. It reports no problem, so it is resolved from the
 * start and stays out of the index of open problems.
 */
export const insertHeadReport = queueing<HeadReport>()(
  'insert_head_report',
  (p) => sql`
    insert into notifications (merchant_id, id, kind, data, created_at, resolved_at)
    values (
      ${p.merchantId}, ${p.id}, 'audit_log.heads', ${p.data}::jsonb, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict do nothing`,
)
