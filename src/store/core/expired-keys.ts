import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database } from './database.ts'
import { runInBatches } from './run-in-batches.ts'
import { writing } from './statement.ts'

/**
 * Maximum number of idempotency keys deleted per statement. PostgreSQL deletes 5,000 rows in a fraction of a second,
 * far below the statement timeout.
 */
const batch = 5000

const deleteBatch = writing<{ now: Timestamp }>()(
  'delete_expired_keys',
  (p) => sql<{ route: string }>`
    delete from idempotency_keys
    where (merchant_id, route, key) in (
      select merchant_id, route, key
      from idempotency_keys
      where expires_at <= ${p.now}::timestamptz
      order by expires_at
      limit ${sql.lit(batch)}
      for update skip locked
    )
    returning route`,
)

/**
 * Deletes expired idempotency keys to free space. Queries ignore expired keys already. Returns the number of deleted
 * rows.
 */
export function deleteExpiredKeys(database: Database, now: Timestamp): Promise<number> {
  return runInBatches(database, { statement: deleteBatch, args: { now }, size: batch })
}
