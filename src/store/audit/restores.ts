import { type RawBuilder, sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { ChainId } from './chain.ts'

/** An audit entry about a restore from a backup. Null where the entry lacks a value of the right type. */
export interface RestoreEntry {
  readonly restoredTo: string | null
  readonly restoredAt: Timestamp
  readonly lastNumber: number | null
  readonly keyId: string | null
  readonly signature: string | null
}

/** More restores than any database has had. */
const entriesMax = 100

const listOf = (log: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql<RestoreEntry>`
  select
    changes -> 'restoredTo' ->> 1 as "restoredTo",
    occurred_at as "restoredAt",
    case jsonb_typeof(changes -> 'lastNumber' -> 1)
      when 'number' then (changes -> 'lastNumber' -> 1)::float8
    end as "lastNumber",
    changes -> 'keyId' ->> 1 as "keyId",
    changes -> 'signature' ->> 1 as signature
  from ${log}
  where ${condition} and action = 'database.restore'
  order by id desc
  limit ${sql.lit(entriesMax)}`

const ofMerchant = reading<{ chain: ChainId }>()('list_restores', (p) =>
  listOf(sql`audit_log`, sql`merchant_id = ${p.chain}`),
)

const ofShared = reading<object>()('list_shared_restores', () => listOf(sql`shared_audit_log`, sql`true`))

/** Returns the restores of a chain, the latest first. */
export function listRestoreEntries(db: ReadDb, chain: ChainId): Promise<readonly RestoreEntry[]> {
  return chain === 'shared' ? db.read(ofShared, {}) : db.read(ofMerchant, { chain })
}

/** The last row of each merchant by its id, which begins with the time. */
const lastRecorded = reading<object>()(
  'find_last_audit_time',
  () => sql<{ recordedAt: Timestamp | null }>`
    select max(newest.recorded_at) as "recordedAt"
    from merchants
    cross join lateral (
      select recorded_at from audit_log where merchant_id = merchants.id order by id desc limit 1
    ) as newest`,
)

/** Returns the time of the latest change, by the database’s clock; null without any. */
export async function findLastChange(db: ReadDb): Promise<Timestamp | null> {
  const [row] = await db.read(lastRecorded, {})
  return row?.recordedAt ?? null
}
