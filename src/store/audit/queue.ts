import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, searchingAll, writingAll } from '../core/calls.ts'
import type { ReadDb, SearchDb } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'
import type { ChainId } from './chain.ts'
import { rowText, sharedRowText } from './row-text.ts'

/**
 * The queue of audit rows that are not linked to a hash chain yet. A trigger adds each audit row of a merchant to the
 * queue in the transaction of the row. The transaction that links the row to a hash chain removes it from the queue.
 */

/** An audit row with the text that is hashed. */
export interface UnlinkedRow {
  readonly id: string
  readonly text: string
  /**
   * When the database stored the row. For a row that is older than the hash chain, the time of the change that the row
   * describes.
   */
  readonly storedAt: Timestamp
}

const queued = searchingAll<object>()('list_merchants_with_queued_audit', (_, isReachable) =>
  build.selectFrom('audit_queue').where(isReachable('merchantId')).select('merchantId').distinct(),
)

export async function listQueuedMerchants(db: SearchDb): Promise<readonly MerchantId[]> {
  return (await queued(db, {})).map(({ merchantId }) => merchantId)
}

interface Claim {
  readonly chain: MerchantId
  readonly limit: number
}

/** An audit row that was removed from the queue. */
export interface QueuedRow extends UnlinkedRow {
  /**
   * Whether the row still exists and is in no hash chain. A queued row may be in a hash chain already, because a
   * process of an earlier release does not remove rows from the queue.
   */
  readonly isUnlinked: boolean
  /**
   * Number of queued rows that the statement tried to remove. A concurrent call may have removed some of them first.
   */
  readonly chosen: number
}

/**
 * Removes the oldest audit rows of a merchant from the queue, and returns them in the order of their ids. This is the
 * order in which the audited changes began. A concurrent call waits until this transaction ends, and gets none of these
 * rows.
 */
export const takeQueued = writingAll<Claim>()(
  'take_queued_audit',
  (p) => sql<QueuedRow>`
    with chosen as materialized (
      select audit_id from audit_queue where merchant_id = ${p.chain} order by audit_id limit ${p.limit}
    ), taken as (
      delete from audit_queue
      where merchant_id = ${p.chain} and audit_id = any(array(select audit_id from chosen))
      returning audit_id
    )
    select
      taken.audit_id as id, ${rowText} as text, coalesce(row_.recorded_at, row_.occurred_at) as stored_at,
      row_.id is not null and (
        select audit_id from audit_chain where merchant_id = ${p.chain} and audit_id = taken.audit_id
      ) is null as is_unlinked,
      (select count(*)::int from chosen) as chosen
    from taken
    left join audit_log as row_ on row_.merchant_id = ${p.chain} and row_.id = taken.audit_id
    order by taken.audit_id`,
)

/**
 * Returns audit rows of shared data that are not linked to the hash chain, oldest first. Only operators write such
 * rows, so the log is small, and the statement reads all of it.
 */
export const listSharedUnlinked = listing<{ limit: number }>()(
  'list_unlinked_shared_audit',
  (p) => sql<UnlinkedRow>`
    select row_.id, ${sharedRowText} as text, coalesce(row_.recorded_at, row_.occurred_at) as stored_at
    from shared_audit_log as row_
    where not exists (select from shared_audit_chain where shared_audit_chain.audit_id = row_.id)
    order by row_.recorded_xid nulls first, row_.id
    limit ${p.limit}`,
)

interface SealTime {
  readonly now: Timestamp
}

/**
 * A transaction on several nodes is prepared on each node before it commits. If a node is lost in between, the
 * transaction commits only when the node returns, perhaps hours later. The time of a new chain head must therefore not
 * be later than the oldest prepared transaction. The statement reads a table of the merchant, so that Citus runs it on
 * the merchant's node. Citus would read the view pg_prepared_xacts on the coordinator.
 */
const sealTime = reading<{ chain: MerchantId }>()(
  'audit_seal_time',
  (p) => sql<SealTime>`
    select least(
      clock_timestamp(),
      (
        select min(prepared)
        from pg_prepared_xact()
        where dbid = (select oid from pg_database where datname = current_database())
      )
    )::timestamptz(3) as now
    from (select max(number) from audit_heads where merchant_id = ${p.chain}) as own`,
)

const sharedSealTime = reading<object>()(
  'shared_audit_seal_time',
  () => sql<SealTime>`select clock_timestamp()::timestamptz(3) as now`,
)

/**
 * Returns the time that a new head of a hash chain states: the current time of the database or, if that is earlier, the
 * time of the oldest prepared transaction. An audit row that was stored before this time but is not visible yet belongs
 * to a transaction that is still running.
 */
export async function readSealTime(db: ReadDb, chain: ChainId): Promise<Timestamp> {
  const [row] = await (chain === 'shared' ? db.read(sharedSealTime, {}) : db.read(sealTime, { chain }))
  if (row === undefined) throw new Error('The database returned no time.')
  return row.now
}
