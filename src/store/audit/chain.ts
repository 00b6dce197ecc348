import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'

/** The hash chains over the audit log. The rows of one merchant form a chain, and so do those of shared data. */

/** The chain of a merchant, or the chain of data that belongs to no merchant. */
export type ChainId = MerchantId | 'shared'

/** An audit row as it is hashed: every column as PostgreSQL writes it. */
export interface AuditRow {
  readonly chain: ChainId
  readonly id: string
  /** The hashed values, in the order of `audited` or `sharedAudited`, then of `addedLater`. */
  readonly values: readonly (string | null)[]
}

export interface ChainEntry {
  /** Position in the chain, from 1. */
  readonly number: number
  readonly auditId: string
  readonly hash: Buffer
}

export interface ChainHead {
  readonly number: number
  readonly hash: Buffer
  readonly sealedAt: Timestamp
  /** Null while the service has no encryption key. */
  readonly keyId: string | null
  readonly signature: Buffer | null
}

/** The hash covers these columns in this order. Those of a linked row never change: see `addedLater` for new columns. */
const audited = [
  'merchant_id',
  'id',
  'occurred_at',
  'actor_type',
  'actor_id',
  'actor_label',
  'action',
  'resource_type',
  'resource_id',
  'request_id',
  'source_ip',
  'user_agent',
  'changes',
  'recorded_at',
  'recorded_xid',
] as const

const sharedAudited = [
  'id',
  'occurred_at',
  'actor_type',
  'actor_label',
  'action',
  'resource_type',
  'resource_id',
  'changes',
  'recorded_at',
  'recorded_xid',
] as const

/**
 * A column of `audit_log` that a later migration added. The hash covers its value only if it is not null, after all other values,
 * so that the hash of a row from before the migration remains the same, and a value that is set or removed afterwards changes it.
 * With a second such column, the rule needs an extension: two optional values must not be interchangeable.
 */
const addedLater = 'session_id'

const textsOf = (columns: readonly string[]) =>
  sql<(string | null)[]>`array[${sql.join(columns.map((column) => sql`row_.${sql.ref(column)}::text`))}]`

const auditedValues = sql<
  (string | null)[]
>`${textsOf(audited)} || array_remove(array[row_.${sql.ref(addedLater)}::text], null)`

const sharedValues = textsOf(sharedAudited)

/** All transactions before the oldest running one have ended, so all their rows are visible. */
const progress = reading<object>()(
  'audit_progress',
  () => sql<{ cluster: string; belowXid: number; fromXid: number | null }>`
    select
      here.cluster,
      here.below_xid as "belowXid",
      (select from_xid from audit_progress where audit_progress.cluster = here.cluster) as "fromXid"
    from (
      select
        coalesce(split_part(server_identity(), '/', 1), '') as cluster,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint as below_xid
    ) as here`,
)

export interface Progress {
  /** Identity of the database cluster, whose transactions are numbered independently of all others. */
  readonly cluster: string
  readonly belowXid: number
  /** Undefined on a new or restored database: every row may be unlinked. */
  readonly fromXid: number | undefined
}

export async function findProgress(db: ReadDb): Promise<Progress> {
  const [row] = await db.read(progress, {})
  if (row === undefined) throw new Error('The server returned no snapshot.')
  const { cluster, belowXid, fromXid } = row
  // A restored database may number its transactions from a lower value again.
  return { cluster, belowXid, fromXid: fromXid === null || fromXid > belowXid ? undefined : fromXid }
}

const saveProgress = writing<{ cluster: string; belowXid: number }>()(
  'save_audit_progress',
  (p) => sql`
    insert into audit_progress (is_only, cluster, from_xid) values (true, ${p.cluster}, ${p.belowXid})
    on conflict (is_only) do update set cluster = excluded.cluster, from_xid = excluded.from_xid`,
)

/** Records that every row of a transaction before `belowXid` is linked. */
export async function markLinked(database: Database, { cluster, belowXid }: Progress): Promise<void> {
  await database.run(saveProgress, { cluster, belowXid })
}

interface UnlinkedArgs {
  readonly fromXid: number
  readonly limit: number
}

interface UnlinkedRow {
  readonly chain: ChainId
  readonly id: string
  readonly values: (string | null)[]
}

const isUnlinked = sql`not exists (
  select from audit_chain where audit_chain.merchant_id = row_.merchant_id and audit_chain.audit_id = row_.id
)`

const isSharedUnlinked = sql`not exists (select from shared_audit_chain where shared_audit_chain.audit_id = row_.id)`

/** Rows of one transaction are linked in the order of their ids, which is the order in which they were written. */
const inOrder = sql`order by row_.recorded_xid nulls first, row_.id limit`

const unlinked = reading<UnlinkedArgs>()(
  'list_unlinked_audit',
  (p) => sql<UnlinkedRow>`
    select row_.merchant_id as chain, row_.id, ${auditedValues} as values
    from audit_log as row_
    where row_.recorded_xid >= ${p.fromXid} and ${isUnlinked}
    ${inOrder} ${p.limit}`,
)

const unlinkedInAll = reading<Pick<UnlinkedArgs, 'limit'>>()(
  'list_unlinked_audit_in_all',
  (p) => sql<UnlinkedRow>`
    select row_.merchant_id as chain, row_.id, ${auditedValues} as values
    from audit_log as row_
    where ${isUnlinked}
    ${inOrder} ${p.limit}`,
)

const sharedUnlinked = reading<Pick<UnlinkedArgs, 'limit'>>()(
  'list_unlinked_shared_audit',
  (p) => sql<UnlinkedRow>`
    select 'shared' as chain, row_.id, ${sharedValues} as values
    from shared_audit_log as row_
    where ${isSharedUnlinked}
    ${inOrder} ${p.limit}`,
)

/** Returns rows that no chain entry names, oldest first: those of merchants, then shared ones. */
export async function listUnlinked(db: ReadDb, { fromXid }: Progress, limit: number): Promise<readonly AuditRow[]> {
  const rows =
    fromXid === undefined ? await db.read(unlinkedInAll, { limit }) : await db.read(unlinked, { fromXid, limit })
  const left = limit - rows.length
  return left === 0 ? rows : [...rows, ...(await db.read(sharedUnlinked, { limit: left }))]
}

const sealTime = reading<object>()(
  'audit_seal_time',
  () => sql<{ now: Timestamp }>`select clock_timestamp()::timestamptz(3) as now`,
)

/** Returns the time of the database, which is not before the time at which it stored any visible row. */
export async function readSealTime(db: ReadDb): Promise<Timestamp> {
  const [row] = await db.read(sealTime, {})
  if (row === undefined) throw new Error('The database returned no time.')
  return row.now
}

interface ChainTables {
  readonly log: RawBuilder<unknown>
  readonly chain: RawBuilder<unknown>
  readonly heads: RawBuilder<unknown>
  /** Distinguishes the statements of the two chains by name. */
  readonly suffix: string
  readonly values: RawBuilder<(string | null)[]>
  /** The column that identifies the chain, with a comma; empty for the shared chain. */
  readonly key: RawBuilder<unknown>
}

const ofMerchant: ChainTables = {
  log: sql`audit_log`,
  chain: sql`audit_chain`,
  heads: sql`audit_heads`,
  suffix: 'audit',
  values: auditedValues,
  key: sql`merchant_id, `,
}

const ofShared: ChainTables = {
  log: sql`shared_audit_log`,
  chain: sql`shared_audit_chain`,
  heads: sql`shared_audit_heads`,
  suffix: 'shared_audit',
  values: sharedValues,
  key: sql``,
}

interface OfChain {
  readonly chain: ChainId
}

/**
 * Declares the statements of one kind of chain. Those of the shared chain ignore the id, but still name it: PostgreSQL rejects a
 * parameter whose type no expression determines.
 */
function statementsOf(tables: ChainTables) {
  const { log, chain, heads, suffix, values, key } = tables
  const isShared = tables === ofShared
  const ofThis = (id: RawBuilder<unknown>, table: RawBuilder<unknown>) =>
    isShared ? sql`${id}::text is not null` : sql`${table}.merchant_id = ${id}`
  const given = (id: RawBuilder<unknown>) => (isShared ? sql`` : sql`${id}, `)
  return {
    last: reading<OfChain>()(
      `last_${suffix}_entry`,
      (p) => sql<{ number: number; hash: Buffer }>`
        select number, hash from ${chain} where ${ofThis(sql`${p.chain}`, chain)} order by number desc limit 1`,
    ),
    link: writing<OfChain & { numbers: readonly number[]; auditIds: readonly string[]; hashes: readonly Buffer[] }>()(
      `link_${suffix}`,
      (p) => sql`
        insert into ${chain} (${key}number, audit_id, hash)
        select ${given(sql`${p.chain}`)}number, audit_id, hash
        from unnest(${p.numbers}::bigint[], ${p.auditIds}::text[], ${p.hashes}::bytea[]) as entry (number, audit_id, hash)
        where ${p.chain}::text is not null`,
    ),
    seal: writing<OfChain & Omit<ChainHead, 'chain'>>()(
      `seal_${suffix}`,
      (p) => sql`
        insert into ${heads} (${key}number, hash, sealed_at, key_id, signature)
        select ${given(sql`${p.chain}`)}${p.number}, ${p.hash}::bytea, ${p.sealedAt}::timestamptz, ${p.keyId}, ${p.signature}::bytea
        where ${p.chain}::text is not null`,
    ),
    heads: reading<OfChain & { after: number; limit: number }>()(
      `list_${suffix}_heads`,
      (p) => sql<ChainHead>`
        select number, hash, sealed_at as "sealedAt", key_id as "keyId", signature
        from ${heads}
        where ${ofThis(sql`${p.chain}`, heads)} and number > ${p.after}
        order by number limit ${p.limit}`,
    ),
    entries: reading<OfChain & { after: number; limit: number }>()(
      `list_${suffix}_entries`,
      (p) => sql<LinkedRow>`
        select entry.number, entry.audit_id as "auditId", entry.hash, ${values} as values,
          row_.id is not null as "isFound", row_.occurred_at as "occurredAt", row_.recorded_at as "recordedAt"
        from ${chain} as entry
        left join ${log} as row_
          on row_.id = entry.audit_id ${isShared ? sql`` : sql`and row_.merchant_id = entry.merchant_id`}
        where ${ofThis(sql`${p.chain}`, sql`entry`)} and entry.number > ${p.after}
        order by entry.number limit ${p.limit}`,
    ),
    strangers: reading<OfChain & { belowXid: number; limit: number }>()(
      `list_${suffix}_strangers`,
      (p) => sql<{ id: string; occurredAt: Timestamp }>`
        select row_.id, row_.occurred_at as "occurredAt"
        from ${log} as row_
        where ${ofThis(sql`${p.chain}`, sql`row_`)}
          and (row_.recorded_xid is null or row_.recorded_xid < ${p.belowXid})
          and not exists (
            select from ${chain} as entry
            where entry.audit_id = row_.id ${isShared ? sql`` : sql`and entry.merchant_id = row_.merchant_id`}
          )
        order by row_.id limit ${p.limit}`,
    ),
  }
}

/** A chain entry with its audit row. */
export interface LinkedRow extends ChainEntry {
  /** False if the audit row no longer exists. */
  readonly isFound: boolean
  readonly values: readonly (string | null)[]
  readonly occurredAt: Timestamp | null
  /** Null in rows from before the hash chain. */
  readonly recordedAt: Timestamp | null
}

const merchantStatements = statementsOf(ofMerchant)
const sharedStatements = statementsOf(ofShared)

const statementsFor = (chain: ChainId) => (chain === 'shared' ? sharedStatements : merchantStatements)

/** Returns the last entry of a chain. Undefined for an empty chain. */
export async function findLastEntry(
  db: ReadDb,
  chain: ChainId,
): Promise<Pick<ChainEntry, 'number' | 'hash'> | undefined> {
  const [entry] = await db.read(statementsFor(chain).last, { chain })
  return entry
}

/**
 * Appends entries and their signed head. Fails with a unique violation if another process has appended entries since the last
 * entry was read.
 */
export function appendEntries(
  trx: WriteTrx,
  chain: ChainId,
  { entries, head }: { readonly entries: readonly ChainEntry[]; readonly head: ChainHead },
): void {
  const { link, seal } = statementsFor(chain)
  trx.queue(link, {
    chain,
    numbers: entries.map(({ number }) => number),
    auditIds: entries.map(({ auditId }) => auditId),
    hashes: entries.map(({ hash }) => hash),
  })
  trx.queue(seal, { chain, ...head })
}

interface Page {
  readonly after: number
  readonly limit: number
}

/** Returns the entries after a number, in order, with their audit rows. */
export function listEntries(db: ReadDb, chain: ChainId, page: Page): Promise<readonly LinkedRow[]> {
  return db.read(statementsFor(chain).entries, { chain, ...page })
}

/** Returns the heads after a number, in order. */
export function listHeads(db: ReadDb, chain: ChainId, page: Page): Promise<readonly ChainHead[]> {
  return db.read(statementsFor(chain).heads, { chain, ...page })
}

/** Returns audit rows of transactions before `belowXid` that no entry names, in the order of their ids. */
export function listStrangers(
  db: ReadDb,
  chain: ChainId,
  args: { readonly belowXid: number; readonly limit: number },
): Promise<readonly { readonly id: string; readonly occurredAt: Timestamp }[]> {
  return db.read(statementsFor(chain).strangers, { chain, ...args })
}
