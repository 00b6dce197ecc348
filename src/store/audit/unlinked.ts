import { type RawBuilder, sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, searchingAll } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { isOf, type MerchantCondition, reading } from '../core/statement.ts'
import type { ChainId } from './chain.ts'
import type { Walk } from './progress.ts'
import { rowText, sharedRowText } from './row-text.ts'

/** Finds audit rows to which no chain entry refers. Each statement reads a bounded part of the log. */

/** An audit row with the text that is hashed. */
export interface UnlinkedRow {
  readonly chain: ChainId
  readonly id: string
  readonly text: string
  /** When the database stored the row. For a row from before the hash chain, the time of its change. */
  readonly storedAt: Timestamp
}

/**
 * A scalar subquery is used instead of `not exists`: it looks up each row by index, even while PostgreSQL has no
 * statistics, as after a restore. For an anti-join, PostgreSQL would scan the whole chain.
 */
const isUnlinked = (isIncluded: MerchantCondition) => sql`(
  select audit_id
  from audit_chain
  where ${isIncluded('audit_chain.merchantId')}
    and audit_chain.merchant_id = row_.merchant_id and audit_chain.audit_id = row_.id
) is null`

const unlinkedWhere = (isIncluded: MerchantCondition, condition: RawBuilder<unknown>) => sql<UnlinkedRow>`
  select row_.merchant_id as chain, row_.id, ${rowText} as text, coalesce(row_.recorded_at, row_.occurred_at) as stored_at
  from audit_log as row_
  where ${isIncluded('row_.merchantId')} and ${condition} and ${isUnlinked(isIncluded)}`

interface Transactions {
  readonly fromXid: number
  /** Exclusive. */
  readonly toXid: number
  readonly limit: number
}

/**
 * Returns the audit rows of a range of transactions that are not linked to a hash chain yet, oldest first. Audit rows
 * of one transaction are linked to the hash chain in the order of their ids, which is the order in which they were
 * written.
 */
export const listUnlinked = searchingAll<Transactions>()(
  'list_unlinked_audit',
  (p, isReachable) => sql<UnlinkedRow>`
    ${unlinkedWhere(isReachable, sql`row_.recorded_xid >= ${p.fromXid} and row_.recorded_xid < ${p.toXid}`)}
    order by row_.recorded_xid, row_.id
    limit ${p.limit}`,
)

interface PageStart {
  readonly merchantId: string
  readonly id: string
}

/**
 * Reads the audit rows of one merchant at a time. For a comparison of merchant and id together, PostgreSQL may choose
 * an index with another order.
 */
const pageEnd = reading<PageStart & { limit: number }>()(
  'audit_walk_page_end',
  (p) => sql<{ id: string }>`
    select id
    from (
      select id from audit_log where merchant_id = ${p.merchantId} and id > ${p.id} order by id limit ${p.limit}
    ) as page
    order by id desc
    limit 1`,
)

const nextMerchant = reading<{ merchantId: string }>()(
  'audit_walk_next_merchant',
  (p) => sql<{ merchantId: string }>`
    select merchant_id from audit_log where merchant_id > ${p.merchantId} order by merchant_id limit 1`,
)

/**
 * Returns the next position of a walk through the audit log: after the next rows of a merchant, or before the first row
 * of the next merchant. Undefined at the end of the log.
 */
export async function findNextPosition(
  db: ReadDb,
  { pass, merchantId, id }: Walk,
  limit: number,
): Promise<Walk | undefined> {
  const [end] = await db.read(pageEnd, { merchantId, id, limit })
  if (end !== undefined) return { pass, merchantId, id: end.id }
  const [next] = await db.read(nextMerchant, { merchantId })
  return next === undefined ? undefined : { pass, merchantId: next.merchantId, id: '' }
}

const inPage = (pass: Walk['pass']) =>
  reading<PageStart & { endId: string }>()(
    `list_${pass}_unlinked_audit`,
    (p) => sql<UnlinkedRow>`
      ${unlinkedWhere(
        isOf(p.merchantId),
        sql`
        row_.id > ${p.id} and row_.id <= ${p.endId}
        and row_.recorded_xid is ${pass === 'recorded' ? sql`not null` : sql`null`}`,
      )}
      order by row_.id`,
  )

const passes: Readonly<Record<Walk['pass'], ReturnType<typeof inPage>>> = {
  unrecorded: inPage('unrecorded'),
  recorded: inPage('recorded'),
}

/**
 * Returns the audit rows between two positions of a walk through the log that are not linked to a hash chain, in the
 * order of the walk.
 */
export async function listUnlinkedBetween(db: ReadDb, from: Walk, to: Walk): Promise<readonly UnlinkedRow[]> {
  const { pass, merchantId, id } = from
  return to.merchantId === merchantId ? db.read(passes[pass], { merchantId, id, endId: to.id }) : []
}

/**
 * Returns audit rows of shared data that are not linked to the hash chain, oldest first. Only operators write such
 * rows, so the log is small.
 */
export const listSharedUnlinked = listing<{ limit: number }>()(
  'list_unlinked_shared_audit',
  (p) => sql<UnlinkedRow>`
    select 'shared' as chain, row_.id, ${sharedRowText} as text, coalesce(row_.recorded_at, row_.occurred_at) as stored_at
    from shared_audit_log as row_
    where not exists (select from shared_audit_chain where shared_audit_chain.audit_id = row_.id)
    order by row_.recorded_xid nulls first, row_.id
    limit ${p.limit}`,
)
