import type { Signer } from '../base/signer.ts'
import {
  type ChainHead,
  type ChainId,
  findEntryHash,
  findHead,
  type LinkedRow,
  listEntries,
  listStrangers,
} from '../store/audit/chain.ts'
import type { Database } from '../store/core/database.ts'
import type { AuditFault } from './audit-fault.ts'
import { entryHash, firstPrevious } from './chain-hash.ts'
import type { KnownHead } from './known-head.ts'
import { findRestores } from './record-restore.ts'
import { findResignings, type Resigning } from './resignings.ts'
import { type Heads, openHeads } from './verify-heads.ts'

/** Recomputes a hash chain of the audit log and compares it with the stored rows. */

export interface AuditVerdict {
  readonly chain: ChainId
  readonly rows: number
  /** The last chain head, which the caller can store and pass to a later verification. Undefined for an empty chain. */
  readonly head: ChainHead | undefined
  /**
   * Number of chain heads that could not be verified: unsigned, or signed with a key that the service does not have.
   * The first such head is reported as a fault.
   */
  readonly unverifiedHeads: number
  /**
   * The operator's latest record of a new signature of the chain. Heads up to the position in this record are treated
   * as verified.
   */
  readonly resigning: Resigning | undefined
  /** Faults of the audit log in the order of the chain, at most `faultsMax`. Empty if the log is intact. */
  readonly faults: readonly AuditFault[]
}

export interface VerifyContext {
  readonly database: Database
  readonly signer: Signer
  readonly chain: ChainId
  /** A chain head that the caller stored earlier. Without it, a truncated chain looks like a shorter, intact chain. */
  readonly known?: KnownHead | undefined
  /** Number of audit rows that one statement reads. Tests use a smaller number. */
  readonly rowsPerPage?: number
}

/** Maximum number of reported faults. An operator does not read a longer list. */
const faultsMax = 20

/** Number of audit rows in one page. A page of this size has a few hundred kilobytes. */
const pageSize = 1_000

/**
 * Number of audit rows that one statement compares with the hash chain. The statement takes about a tenth of a second.
 */
const rowsPerSearch = 10_000

/**
 * Maximum time in milliseconds between the time of an audit row and its insertion. A mutation takes its time from the
 * measured clock of the database and may then wait for locks, which takes seconds at most. Five minutes also cover the
 * case that the process was suspended.
 */
const delayMaxMs = 300_000

export async function verifyAudit(context: VerifyContext): Promise<AuditVerdict> {
  const { chain, known } = context
  const resigning = await findLastResigning(context)
  const heads = openHeads({ ...context, before: undefined, resigning })
  const { faults, walk } = await readEntries(context, { from: beforeFirst, heads, isOver: () => false })
  const { last, unverified, faults: ofHeads } = heads.end(walk.number)
  const notFound = known === undefined ? [] : await faultsOfKnown(context, known)
  const { faults: inserted } = await findInserted(context, { after: '', isOver: () => false })
  const all = [...faults, ...notFound, ...ofHeads, ...inserted].slice(0, faultsMax)
  return { chain, rows: walk.number, head: last, unverifiedHeads: unverified, resigning, faults: all }
}

/**
 * Returns the latest record of a new signature of the chain by an operator. This signature also covers the rows that
 * earlier new signatures cover.
 */
async function findLastResigning({ database, signer, chain }: VerifyContext): Promise<Resigning | undefined> {
  const resignings = await findResignings({ database, signer }, chain)
  return resignings.toSorted((one, other) => other.number - one.number)[0]
}

/**
 * Returns a fault if a hash chain lacks a signed head that the caller stored earlier. A database restore replaces the
 * end of a chain, and records the last position that it did not replace. If the missing head is after this position,
 * the fault names the restore as the cause. An earlier head must still be in the chain.
 */
export async function faultsOfKnown(
  { database, signer, chain }: VerifyContext,
  { number, hash }: KnownHead,
): Promise<readonly AuditFault[]> {
  const found = await findEntryHash(database, chain, number)
  if (found?.equals(hash) === true) return []
  const restores = await findRestores({ database, signer }, chain)
  const restore = restores.find((each) => each.lastNumber < number)
  return [restore === undefined ? { is: 'head_not_found', number } : { is: 'restored', number, restore }]
}

/** The position in a hash chain at which a verification continues with its next part. */
export interface AuditPosition {
  /** The number of chain entries that are verified so far. */
  readonly number: number
  /**
   * Id of the last audit row for which a chain entry was searched, or an empty text before the first row. Undefined
   * while the chain entries are still being verified, because the search for entries of rows starts only afterwards.
   */
  readonly rowId: string | undefined
}

export interface AuditPart {
  readonly faults: readonly AuditFault[]
  readonly reached: AuditPosition
  readonly isEnd: boolean
}

/**
 * Verifies a part of a hash chain: from the given position until `isOver` returns true after a page of rows. Verifying
 * all parts finds the same faults as verifying the whole chain, because each entry depends only on the entry before it.
 * Returns undefined for a position that is not in the chain.
 */
export async function verifyAuditPart(
  context: Omit<VerifyContext, 'known'>,
  from: AuditPosition,
  isOver: () => boolean,
): Promise<AuditPart | undefined> {
  const entries = from.rowId === undefined ? await verifyEntries(context, from.number, isOver) : endOfChain(from)
  if (entries === undefined || !entries.isEnd) return entries
  const { reached } = entries
  const { faults, end } = await findInserted(context, { after: reached.rowId ?? '', isOver })
  const all = [...entries.faults, ...faults].slice(0, faultsMax)
  return { faults: all, reached: { ...reached, rowId: end ?? reached.rowId ?? '' }, isEnd: end === undefined }
}

function endOfChain(reached: AuditPosition): AuditPart {
  return { faults: [], reached, isEnd: true }
}

async function verifyEntries(
  context: Omit<VerifyContext, 'known'>,
  number: number,
  isOver: () => boolean,
): Promise<AuditPart | undefined> {
  const before = await findHead(context.database, context.chain, number)
  const from = await walkAt(context, number, before)
  if (from === undefined) return undefined
  const heads = openHeads({ ...context, before, resigning: await findLastResigning(context) })
  const { faults, walk, isEnd } = await readEntries(context, { from, heads, isOver })
  const reached = { number: walk.number, rowId: undefined }
  if (!isEnd) return { faults, reached, isEnd }
  const { faults: ofHeads } = heads.end(walk.number)
  return { faults: [...faults, ...ofHeads].slice(0, faultsMax), reached, isEnd }
}

/** Returns the state of the verification after a given entry of the chain. Undefined if the chain has no such entry. */
async function walkAt(
  { database, chain }: VerifyContext,
  number: number,
  head: ChainHead | undefined,
): Promise<Walk | undefined> {
  if (number === 0) return beforeFirst
  const [entry] = await listEntries(database, chain, { after: number - 1, limit: 1 })
  if (entry?.number !== number) return undefined
  const linkedAfterMs = head === undefined ? undefined : Date.parse(head.sealedAt)
  return { number, hash: entry.hash, linkedAfterMs, isBeforeChain: entry.recordedAt === null }
}

interface EntryReading {
  readonly from: Walk
  readonly heads: Heads
  readonly isOver: () => boolean
}

/** Verifies chain entries in order until the chain ends, too many faults are found, or `isOver` returns true. */
async function readEntries(context: VerifyContext, { from, heads, isOver }: EntryReading) {
  const { database, chain, rowsPerPage = pageSize } = context
  const faults: AuditFault[] = []
  let walk = from
  let isEnd = false
  let isEmpty = false
  do {
    const page = await listEntries(database, chain, { after: walk.number, limit: rowsPerPage })
    for (const entry of page) {
      const head = await heads.reach(entry)
      faults.push(...faultsOf(entry, walk), ...head.faults)
      walk = {
        number: entry.number,
        hash: entry.hash,
        linkedAfterMs: head.sealedAtMs ?? walk.linkedAfterMs,
        isBeforeChain: walk.isBeforeChain && entry.recordedAt === null,
      }
    }
    isEnd = page.length < rowsPerPage && (await heads.isAtEnd())
    isEmpty = page.length === 0
    // After an empty page, the reading continues in any case: a part that stopped there would never get past its start.
  } while (!isEnd && faults.length < faultsMax && (isEmpty || !isOver()))
  return { faults, walk, isEnd }
}

/**
 * The state of a verification between two entries of the hash chain: the earlier entries are verified, the current
 * entry is not.
 */
interface Walk {
  readonly number: number
  readonly hash: Buffer
  /**
   * The time at which the entries up to the most recently read chain head were linked to the chain. Undefined before
   * the first head is read.
   */
  readonly linkedAfterMs: number | undefined
  /**
   * Whether all rows that were verified so far are older than the hash chain itself. These rows come first in the
   * chain, and the database did not record the time of their insertion.
   */
  readonly isBeforeChain: boolean
}

const beforeFirst: Walk = { number: 0, hash: firstPrevious, linkedAfterMs: undefined, isBeforeChain: true }

function faultsOf(entry: LinkedRow, walk: Walk): AuditFault[] {
  const { number, auditId, hash, text, occurredAt } = entry
  const gap: AuditFault[] = number === walk.number + 1 ? [] : [{ is: 'gap', number }]
  if (!entry.isFound || occurredAt === null) return [...gap, { is: 'missing', number, auditId }]
  if (gap.length === 0 && !entryHash(walk.hash, text).equals(hash)) return [{ is: 'changed', number, auditId }]
  return isBackdated(entry, walk) ? [...gap, { is: 'backdated', number, auditId, occurredAt }] : gap
}

function isBackdated({ occurredAt, recordedAt }: LinkedRow, { linkedAfterMs, isBeforeChain }: Walk): boolean {
  if (recordedAt === null) return !isBeforeChain
  const recordedMs = Date.parse(recordedAt)
  if (linkedAfterMs !== undefined && recordedMs < linkedAfterMs - delayMaxMs) return true
  return occurredAt === null || Math.abs(recordedMs - Date.parse(occurredAt)) > delayMaxMs
}

interface Search {
  /** Id of the audit row after which the search for rows without a chain entry starts. */
  readonly after: string
  readonly isOver: () => boolean
}

/**
 * Returns a fault for each audit row of a merchant that is neither in the chain nor queued for it. `end` is the audit
 * row at which the search stops; undefined if it stops at the end of the audit log. Rows of the shared chain are never
 * queued, so the search returns no faults for this chain. Instead, the next run that extends the shared chain links
 * every row without a chain entry, and a row with a forged time is then detected by its entry.
 */
async function findInserted(
  { database, chain, rowsPerPage = rowsPerSearch }: VerifyContext,
  { after: start, isOver }: Search,
): Promise<{ readonly faults: readonly AuditFault[]; readonly end: string | undefined }> {
  if (chain === 'shared') return { faults: [], end: undefined }
  const faults: AuditFault[] = []
  let after: string | undefined = start
  do {
    const page = await listStrangers(database, chain, { after, limit: rowsPerPage })
    faults.push(...page.strangers.map(({ id }): AuditFault => ({ is: 'inserted', auditId: id })))
    after = page.end
  } while (after !== undefined && faults.length < faultsMax && !isOver())
  return { faults, end: after }
}
