import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'
import { rowText, sharedRowText } from './row-text.ts'

/** The hash chains over the audit log. The rows of one merchant form a chain, and so do the rows of shared data. */

export type ChainId = MerchantId | 'shared'

export interface ChainEntry {
  /** Position of the entry in the hash chain, from 1. */
  readonly number: number
  readonly auditId: string
  readonly hash: Buffer
}

export interface ChainHead {
  readonly number: number
  readonly hash: Buffer
  readonly sealedAt: Timestamp
  /** Id of the key that signed the head of the hash chain. Null while the service has no encryption key. */
  readonly keyId: string | null
  readonly signature: Buffer | null
}

interface ChainTables {
  readonly log: RawBuilder<unknown>
  readonly chain: RawBuilder<unknown>
  readonly heads: RawBuilder<unknown>
  /** Suffix of the statement names, which differ between the hash chains of merchants and of shared data. */
  readonly suffix: string
  /** The text of an audit row over which the chain's hash is computed. */
  readonly text: RawBuilder<string>
  /**
   * SQL text with the name of the column that identifies the hash chain, followed by a comma. Empty for the chain of
   * shared data.
   */
  readonly key: RawBuilder<unknown>
}

const ofMerchant: ChainTables = {
  log: sql`audit_log`,
  chain: sql`audit_chain`,
  heads: sql`audit_heads`,
  suffix: 'audit',
  text: rowText,
  key: sql`merchant_id, `,
}

const ofShared: ChainTables = {
  log: sql`shared_audit_log`,
  chain: sql`shared_audit_chain`,
  heads: sql`shared_audit_heads`,
  suffix: 'shared_audit',
  text: sharedRowText,
  key: sql``,
}

interface OfChain {
  readonly chain: ChainId
}

/**
 * Declares the statements of one kind of hash chain. The statements for shared data do not need the id of the chain.
 * They only check that it is not null, because PostgreSQL rejects a parameter whose type no expression determines.
 */
function statementsOf(tables: ChainTables) {
  const { log, chain, heads, suffix, text, key } = tables
  const isShared = tables === ofShared
  const ofThis = (id: RawBuilder<unknown>, table: RawBuilder<unknown>) =>
    isShared ? sql`${id}::text is not null` : sql`${table}.merchant_id = ${id}`
  const given = (id: RawBuilder<unknown>) => (isShared ? sql`` : sql`${id}, `)
  return {
    last: reading<OfChain>()(
      `last_${suffix}_entry`,
      (p) => sql<LastEntry>`
        select
          entry.number, entry.hash, head.hash as head_hash, head.sealed_at, head.key_id, head.signature
        from (
          select * from ${chain} as entry where ${ofThis(sql`${p.chain}`, sql`entry`)} order by number desc limit 1
        ) as entry
        left join ${heads} as head
          on head.number = entry.number ${isShared ? sql`` : sql`and head.merchant_id = ${p.chain}`}`,
    ),
    entryAt: reading<OfChain & { number: number }>()(
      `${suffix}_entry_at`,
      (p) => sql<{ hash: Buffer }>`
        select hash from ${chain} where ${ofThis(sql`${p.chain}`, chain)} and number = ${p.number}`,
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
        select number, hash, sealed_at, key_id, signature
        from ${heads}
        where ${ofThis(sql`${p.chain}`, heads)} and number > ${p.after}
        order by number limit ${p.limit}`,
    ),
    headAt: reading<OfChain & { number: number }>()(
      `${suffix}_head_at`,
      (p) => sql<ChainHead>`
        select number, hash, sealed_at, key_id, signature
        from ${heads}
        where ${ofThis(sql`${p.chain}`, heads)} and number <= ${p.number}
        order by number desc limit 1`,
    ),
    entries: reading<OfChain & { after: number; limit: number }>()(
      `list_${suffix}_entries`,
      (p) => sql<LinkedRow>`
        select entry.number, entry.audit_id, entry.hash, ${text} as text,
          row_.id is not null as is_found, row_.occurred_at, row_.recorded_at
        from ${chain} as entry
        left join lateral (
          select * from ${log} as logged
          where logged.id = entry.audit_id ${isShared ? sql`` : sql`and logged.merchant_id = ${p.chain}`}
          -- Looks each row up by index, also while PostgreSQL has no statistics.
          limit 1
        ) as row_ on true
        where ${ofThis(sql`${p.chain}`, sql`entry`)} and entry.number > ${p.after}
        order by entry.number limit ${p.limit}`,
    ),
  }
}

export interface LinkedRow extends ChainEntry {
  /** Whether the audit row of the hash chain entry still exists. */
  readonly isFound: boolean
  /** The text of the audit row from which its hash is computed. Not meaningful if the row was not found. */
  readonly text: string
  readonly occurredAt: Timestamp | null
  /** When the audit row was stored. Null in rows from before the hash chain was introduced. */
  readonly recordedAt: Timestamp | null
}

const merchantStatements = statementsOf(ofMerchant)
const sharedStatements = statementsOf(ofShared)

const statementsFor = (chain: ChainId) => (chain === 'shared' ? sharedStatements : merchantStatements)

/**
 * The last entry of a hash chain with its signed head. Each run of the job that extends the chain ends with a signed
 * head, so an entry without a head is a fault.
 */
export interface LastEntry extends Pick<ChainHead, 'number' | 'hash' | 'keyId' | 'signature'> {
  readonly headHash: Buffer | null
  readonly sealedAt: Timestamp | null
}

/** Undefined for an empty chain. */
export async function findLastEntry(db: ReadDb, chain: ChainId): Promise<LastEntry | undefined> {
  return (await db.read(statementsFor(chain).last, { chain }))[0]
}

export async function findEntryHash(db: ReadDb, chain: ChainId, number: number): Promise<Buffer | undefined> {
  return (await db.read(statementsFor(chain).entryAt, { chain, number }))[0]?.hash
}

/** Fails with a unique violation if another process has appended entries since the last entry was read. */
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

export function listEntries(db: ReadDb, chain: ChainId, page: Page): Promise<readonly LinkedRow[]> {
  return db.read(statementsFor(chain).entries, { chain, ...page })
}

export function listHeads(db: ReadDb, chain: ChainId, page: Page): Promise<readonly ChainHead[]> {
  return db.read(statementsFor(chain).heads, { chain, ...page })
}

/** Returns the newest signed head of a hash chain, or the newest head up to a position. Undefined if there is none. */
export async function findHead(
  db: ReadDb,
  chain: ChainId,
  number = Number.MAX_SAFE_INTEGER,
): Promise<ChainHead | undefined> {
  return (await db.read(statementsFor(chain).headAt, { chain, number }))[0]
}

const pageEnd = reading<{ chain: MerchantId; after: string; limit: number }>()(
  'audit_page_end',
  (p) => sql<{ id: string }>`
    select id
    from (
      select id from audit_log where merchant_id = ${p.chain} and id > ${p.after} order by id limit ${p.limit}
    ) as page
    order by id desc limit 1`,
)

const strangers = reading<{ chain: MerchantId; after: string; end: string }>()(
  'list_audit_strangers',
  (p) => sql<{ id: string }>`
    select row_.id
    from audit_log as row_
    where row_.merchant_id = ${p.chain} and row_.id > ${p.after} and row_.id <= ${p.end}
      and (select audit_id from audit_chain where merchant_id = ${p.chain} and audit_id = row_.id) is null
      and (select audit_id from audit_queue where merchant_id = ${p.chain} and audit_id = row_.id) is null
    order by row_.id`,
)

export interface StrangerPage {
  /** The id of the last audit row of the page. Undefined when no row is left. */
  readonly end: string | undefined
  readonly strangers: readonly { readonly id: string }[]
}

/**
 * Reads the next page of a merchant's audit rows. Returns those rows of the page that are neither in the hash chain nor
 * in the queue of rows that will be linked to it.
 */
export async function listStrangers(
  db: ReadDb,
  chain: MerchantId,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<StrangerPage> {
  const [end] = await db.read(pageEnd, { chain, after, limit })
  if (end === undefined) return { end: undefined, strangers: [] }
  return { end: end.id, strangers: await db.read(strangers, { chain, after, end: end.id }) }
}
