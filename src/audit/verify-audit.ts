import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import {
  type ChainHead,
  type ChainId,
  findHead,
  type LinkedRow,
  listEntries,
  listHeads,
  listStrangers,
} from '../store/audit/chain.ts'
import { findProgress } from '../store/audit/progress.ts'
import type { Database } from '../store/core/database.ts'
import { entryHash, firstPrevious, headText } from './chain-hash.ts'
import { findRestores, type RecordedRestore } from './record-restore.ts'

/** Recomputes a hash chain of the audit log and compares it with the stored rows. */

/** A contradiction between the audit log and its chain. `number` is the position in the chain. */
export type AuditFault =
  /** The row, or its entry of the chain, differs from what was linked. */
  | { readonly is: 'changed'; readonly number: number; readonly auditId: string }
  /** The row of an entry does not exist. */
  | { readonly is: 'missing'; readonly number: number; readonly auditId: string }
  /** A row that should have been linked long ago is in no entry. */
  | { readonly is: 'inserted'; readonly auditId: string }
  /** The time of the row is not when it was stored, or it was stored long before it was linked. */
  | { readonly is: 'backdated'; readonly number: number; readonly auditId: string; readonly occurredAt: Timestamp }
  /** Entries before this position do not exist. */
  | { readonly is: 'gap'; readonly number: number }
  /** The signed head differs from the chain, or its signature is invalid. */
  | { readonly is: 'head_invalid'; readonly number: number }
  /** A head that the caller knows is not in the chain: the chain was truncated or replaced. */
  | { readonly is: 'head_not_found'; readonly number: number }
  /** A head that the caller knows was sealed after the time to which the database was restored since. */
  | { readonly is: 'restored'; readonly number: number; readonly restore: RecordedRestore }

export interface AuditVerdict {
  readonly chain: ChainId
  /** Number of rows in the chain. */
  readonly rows: number
  /** The last head, which the caller can store and pass to a later verification. Undefined for an empty chain. */
  readonly head: ChainHead | undefined
  /** Heads that could not be verified: unsigned, or signed with a key that the service no longer has. */
  readonly unverifiedHeads: number
  /** In the order of the chain, at most `faultsMax`. Empty if the log is intact. */
  readonly faults: readonly AuditFault[]
}

export interface KnownHead {
  readonly number: number
  readonly hash: Buffer
}

export interface VerifyContext {
  readonly database: Database
  readonly signer: Signer
  readonly chain: ChainId
  /** A head that the caller stored earlier. Without one, a truncated chain looks like a chain that never grew. */
  readonly known?: KnownHead | undefined
  /** Rows that one statement reads. Tests read fewer. */
  readonly rowsPerPage?: number
}

/** More faults than an operator reads one by one. */
const faultsMax = 20

/** A few hundred kilobytes of rows. */
const pageSize = 1_000

/** Rows that one statement compares with the chain, within about a tenth of a second. */
const rowsPerSearch = 10_000

/**
 * The maximum time between the time of a row and its insertion. A mutation takes its time from a clock that is measured against
 * the database's and then may wait for locks, all within seconds; five minutes also covers a suspended process.
 */
const delayMaxMs = 300_000

/** Reads the whole chain in order. */
export async function verifyAudit(context: VerifyContext): Promise<AuditVerdict> {
  const { chain, known } = context
  const heads = openHeads(context, undefined)
  const { faults, walk, isKnownFound } = await readEntries(context, { from: beforeFirst, heads, isOver: () => false })
  const { last, unverified, faults: ofHeads } = await heads.end(walk.number)
  const notFound = known === undefined || isKnownFound ? [] : [await faultOfKnown(context, known)]
  const { faults: inserted } = await findInserted(context, { after: '', isOver: () => false })
  const all = [...faults, ...notFound, ...ofHeads, ...inserted].slice(0, faultsMax)
  return { chain, rows: walk.number, head: last, unverifiedHeads: unverified, faults: all }
}

/**
 * A restore replaces the end of a chain, and records where. A head up to that position is still in the chain, so a restore does
 * not explain that it is missing.
 */
async function faultOfKnown({ database, signer, chain }: VerifyContext, { number }: KnownHead): Promise<AuditFault> {
  const restores = await findRestores({ database, signer }, chain)
  const restore = restores.find((each) => each.lastNumber < number)
  return restore === undefined ? { is: 'head_not_found', number } : { is: 'restored', number, restore }
}

/** A position between two parts of a verification. */
export interface AuditPosition {
  /** The number of entries that are verified. */
  readonly number: number
  /** The last row that was compared with the chain, or an empty text. Undefined while entries are left. */
  readonly rowId: string | undefined
}

export interface AuditPart {
  readonly faults: readonly AuditFault[]
  readonly reached: AuditPosition
  readonly isEnd: boolean
}

/**
 * Verifies a part of a chain: from a position on, until `isOver` returns true after a page of rows. The parts find the faults of
 * the whole verification, because each entry depends only on the one before. Undefined for a position that is not in the chain.
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
  const heads = openHeads(context, before)
  const { faults, walk, isEnd } = await readEntries(context, { from, heads, isOver })
  const reached = { number: walk.number, rowId: undefined }
  if (!isEnd) return { faults, reached, isEnd }
  const { faults: ofHeads } = await heads.end(walk.number)
  return { faults: [...faults, ...ofHeads].slice(0, faultsMax), reached, isEnd }
}

/** Returns the state after an entry. Undefined if there is no such entry. */
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

/** Verifies entries in order, to the end of the chain, until there are too many faults, or until the time is over. */
async function readEntries(context: VerifyContext, { from, heads, isOver }: EntryReading) {
  const { database, chain, known, rowsPerPage = pageSize } = context
  const faults: AuditFault[] = []
  let walk = from
  let isKnownFound = false
  let isEnd = false
  do {
    const page = await listEntries(database, chain, { after: walk.number, limit: rowsPerPage })
    isEnd = page.length < rowsPerPage
    for (const entry of page) {
      const head = await heads.reach(entry)
      faults.push(...faultsOf(entry, walk), ...head.faults)
      isKnownFound ||= known !== undefined && known.number === entry.number && known.hash.equals(entry.hash)
      walk = {
        number: entry.number,
        hash: entry.hash,
        linkedAfterMs: head.sealedAtMs ?? walk.linkedAfterMs,
        isBeforeChain: walk.isBeforeChain && entry.recordedAt === null,
      }
    }
  } while (!isEnd && faults.length < faultsMax && !isOver())
  return { faults, walk, isKnownFound, isEnd }
}

/** The state before an entry. */
interface Walk {
  readonly number: number
  readonly hash: Buffer
  /** When the entries before the last head were linked. Undefined before the first head. */
  readonly linkedAfterMs: number | undefined
  /** Whether all rows so far are from before the hash chain. They are linked first, and the database noted no time for them. */
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
  /** The row after which the search starts. */
  readonly after: string
  readonly isOver: () => boolean
}

/**
 * Returns rows without an entry, although the rows of their transactions are all linked. `end` is the row at which the search
 * stopped before the end of the log.
 */
async function findInserted(
  { database, chain, rowsPerPage = rowsPerSearch }: VerifyContext,
  { after: start, isOver }: Search,
): Promise<{ readonly faults: readonly AuditFault[]; readonly end: string | undefined }> {
  const { fromXid, walk } = await findProgress(database)
  // Until the walk through the log has ended, any row may be unlinked.
  if (walk !== undefined) return { faults: [], end: undefined }
  const faults: AuditFault[] = []
  let after: string | undefined = start
  do {
    const page = await listStrangers(database, chain, { belowXid: fromXid, after, limit: rowsPerPage })
    faults.push(...page.strangers.map(({ id }): AuditFault => ({ is: 'inserted', auditId: id })))
    after = page.end
  } while (after !== undefined && faults.length < faultsMax && !isOver())
  return { faults, end: after }
}

interface Heads {
  /** Verifies the heads up to an entry. Returns when that entry was linked, if it has a head. */
  reach(entry: LinkedRow): Promise<{ readonly sealedAtMs: number | undefined; readonly faults: AuditFault[] }>
  /** Verifies that the last head is that of the last entry. */
  end(
    lastNumber: number,
  ): Promise<{ readonly last: ChainHead | undefined; readonly unverified: number; readonly faults: AuditFault[] }>
}

/** `before` is the last head of the entries that are verified already. */
function openHeads({ database, signer, chain }: VerifyContext, before: ChainHead | undefined): Heads {
  let page: readonly ChainHead[] = []
  let index = 0
  let last = before
  let unverified = 0
  const next = async (): Promise<ChainHead | undefined> => {
    if (index === page.length) {
      page = await listHeads(database, chain, { after: last?.number ?? 0, limit: pageSize })
      index = 0
    }
    return page[index]
  }
  const isSigned = (head: ChainHead): boolean => {
    const { keyId, signature } = head
    const verdict =
      keyId === null || signature === null ? 'unknown_key' : signer.verify(headText(chain, head), { keyId, signature })
    if (verdict === 'unknown_key') unverified += 1
    return verdict !== 'invalid'
  }
  return {
    reach: async (entry) => {
      const faults: AuditFault[] = []
      for (let head = await next(); head !== undefined && head.number <= entry.number; head = await next()) {
        index += 1
        last = head
        const isOfEntry = head.number === entry.number && head.hash.equals(entry.hash)
        if (!isSigned(head) || !isOfEntry) faults.push({ is: 'head_invalid', number: head.number })
        else return { sealedAtMs: Date.parse(head.sealedAt), faults }
      }
      return { sealedAtMs: undefined, faults }
    },
    end: async (lastNumber) => {
      const beyond = await next()
      if (beyond !== undefined) return { last, unverified, faults: [{ is: 'head_invalid', number: beyond.number }] }
      const isComplete = (last?.number ?? 0) === lastNumber
      return { last, unverified, faults: isComplete ? [] : [{ is: 'head_invalid', number: lastNumber }] }
    },
  }
}
