import { sql } from 'kysely'
import type { RecordPrefix } from '../../../registry/values/error.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { build, type ReadStatement, reading } from '../core/statement.ts'

/** Records of the other mode of the same merchant: a live id sent with a test token, or a test id with a live one. */

interface Sought {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
}

/** The tables whose records can be meant, by the prefix of their ids. */
const tables = {
  ord: 'orders',
  pay: 'payments',
  rfd: 'refunds',
  cus: 'customers',
  prd: 'products',
  var: 'product_variants',
  dsc: 'discounts',
  qte: 'quotes',
  shp: 'shipments',
  evt: 'webhook_events',
} as const satisfies Record<RecordPrefix, string>

/** Finds the ids that belong to the merchant’s other mode: the test twin of a live merchant, or the reverse. */
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

/** One of these ids, where the other mode of the merchant has a record with it. */
export async function findInOtherMode(db: ReadDb, prefix: RecordPrefix, sought: Sought): Promise<string | undefined> {
  const [found] = await db.read(statements[prefix], sought)
  return found?.id
}
