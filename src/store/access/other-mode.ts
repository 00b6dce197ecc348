import { sql } from 'kysely'
import type { RecordPrefix } from '../../../registry/values/error.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, type ReadStatement, reading } from '../core/statement.ts'

/**
 * Finds records of a merchant in the other mode (live or test). A request with a test token may contain an id from live
 * mode. Likewise, a request with a live token may contain an id from test mode.
 */

interface Sought {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
}

/**
 * The tables in which a record of the other mode (test instead of live, or live instead of test) is searched, by the
 * prefix of its id.
 */
const tables = {
  ord: 'orders',
  pay: 'payments',
  rfd: 'refunds',
  ret: 'returns',
  cus: 'customers',
  prd: 'products',
  var: 'product_variants',
  dsc: 'discounts',
  qte: 'quotes',
  shp: 'shipments',
  rmt: 'remittances',
  evt: 'webhook_events',
} as const satisfies Record<RecordPrefix, string>

/**
 * Finds the ids of records in the other mode of a merchant: in test mode for a live-mode merchant, or in live mode for
 * a test-mode merchant.
 */
function finding(table: string): ReadStatement<Sought, { id: string }> {
  return reading<Sought>()(`find_${table}_of_other_mode`, (p) =>
    build
      .selectFrom(
        sql<{ id: string }>`(
          select record.id
          from ${sql.table(table)} as record
          where record.merchant_id in (
              select id from merchants where live_merchant_id = ${p.merchantId}
              union all
              select live_merchant_id from merchants where id = ${p.merchantId}
            )
            and record.id = any(${p.ids}::text[])
          limit 1
        )`.as('found'),
      )
      .select('found.id'),
  )
}

const statements = Object.fromEntries(
  Object.entries(tables).map(([prefix, table]) => [prefix, finding(table)]),
) as Readonly<Record<RecordPrefix, ReturnType<typeof finding>>>

/**
 * Returns one of the given ids that identifies a record in the merchant's other mode (live or test). Undefined if none
 * of them does.
 */
export async function findInOtherMode(db: ReadDb, prefix: RecordPrefix, sought: Sought): Promise<string | undefined> {
  const [found] = await db.read(statements[prefix], sought)
  return found?.id
}
