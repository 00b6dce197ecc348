import type { TestApi } from './api.ts'
import { select } from './database-contents.ts'

/** The tables of the records that an audit row lists, with the column of the record's id. */
const idColumns = {
  orders: 'id',
  payments: 'id',
  refunds: 'id',
  shipments: 'id',
  quotes: 'id',
  schedule_predictions: 'id',
  products: 'id',
  product_variants: 'id',
  product_imports: 'id',
  inventory: 'variant_id',
  customers: 'id',
  discounts: 'id',
  webhook_endpoints: 'id',
  webhook_bulk_replays: 'id',
  api_tokens: 'id',
  members: 'id',
  invitations: 'id',
}

export interface ListedChange {
  readonly table: string
  readonly id: string
  /** The audited action of the transaction that last changed the record. */
  readonly action: string
  readonly isListed: boolean
}

/**
 * Returns the records whose last change was made by a transaction with an audit row, and whether this audit row lists
 * them. Rows that demo data and the preparation of tests insert directly are left out, because they are no changes by a
 * merchant.
 */
export async function listedChanges(api: TestApi, merchantIds: readonly string[]): Promise<readonly ListedChange[]> {
  // PostgreSQL stores in each row the id of the transaction that wrote the row last. `xmin` contains the lower 32 bits
  // of this id.
  const changes = Object.entries(idColumns).map(
    ([table, id]) => `
      select '${table}' as "table", changed.${id} as id, log.action, changed.${id} = any(log.resources) as "isListed"
      from ${table} as changed
      join lateral (
        select array_agg(distinct named) as resources, string_agg(distinct action, ', ') as action
        from audit_log, unnest(audit_log.resources) as named
        where audit_log.merchant_id = changed.merchant_id and action !~ '^(seed|test)\\.'
          and audit_log.recorded_xid % 4294967296 = changed.xmin::text::bigint
      ) as log on log.resources is not null
      where changed.merchant_id = any($1)`,
  )
  return select(api, changes.join(' union all '), [merchantIds])
}
