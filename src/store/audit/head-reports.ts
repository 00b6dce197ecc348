import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import type { SearchDb } from '../core/database.ts'
import { build, searching } from '../core/statement.ts'

/** The daily notifications with the heads of the hash chains. */

export interface ReportedMerchant {
  /** The id of the merchant in live mode. */
  readonly merchantId: MerchantId
  readonly testMerchantId: MerchantId
}

interface Page {
  /** The last merchant of the previous page; empty for the first page. */
  readonly after: string
  readonly limit: number
}

/**
 * Returns the live-mode merchants that have members, each with its test-mode merchant, in the order of their ids. A
 * merchant without members has no recipient for the report of its chain heads.
 */
export const listRecipients = listing<Page>()(
  'list_recipients_of_head_reports',
  (p) => sql<ReportedMerchant>`
    select merchant.id as merchant_id, twin.id as test_merchant_id
    from merchants as merchant
    join merchants as twin on twin.live_merchant_id = merchant.id
    where merchant.id > ${p.after}
      and exists (select from members where merchant_id = merchant.id and removed_at is null)
    order by merchant.id
    limit ${p.limit}`,
)

const notified = searching<{ merchantIds: readonly MerchantId[]; id: string }>()(
  'list_merchants_with_head_report',
  (p, isReachable) =>
    build
      .selectFrom('notifications')
      .where(isReachable('merchantId'))
      .where(sql<boolean>`merchant_id = any(${p.merchantIds}::text[])`)
      .where('id', '=', p.id)
      .select('merchantId'),
)

/** Returns the merchants that already have the notification with this id. */
export async function listReported(
  db: SearchDb,
  report: { readonly merchantIds: readonly MerchantId[]; readonly id: string },
): Promise<ReadonlySet<MerchantId>> {
  return new Set((await db.search(notified, report)).map(({ merchantId }) => merchantId))
}

interface HeadReport {
  readonly merchantId: MerchantId
  readonly id: string
  /** The heads of the merchant's hash chains, each with the result of its signature check, as JSON text. */
  readonly data: string
  readonly now: Timestamp
}

/**
 * Inserts the notification with the heads of the hash chains of a merchant, unless another process has inserted it. The
 * notification reports no problem, so it is stored as resolved, and the index of open problems does not contain it.
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
