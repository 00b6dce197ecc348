import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import {
  type ChainHead,
  type ChainId,
  type LinkedRow,
  listEntries,
  listHeads,
  listStrangers,
} from '../store/audit/chain.ts'
import { findProgress } from '../store/audit/progress.ts'
import type { Database } from '../store/core/database.ts'
import { entryHash, firstPrevious, headText } from './chain-hash.ts'

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
  const { database, chain, known } = context
  const heads = openHeads(context)
  const faults: AuditFault[] = []
  let walk: Walk = { number: 0, hash: firstPrevious, linkedAfterMs: undefined, isBeforeChain: true }
  let isKnownFound = known === undefined
  for (let isLast = false; !isLast && faults.length < faultsMax; ) {
    const page = await listEntries(database, chain, { after: walk.number, limit: pageSize })
    isLast = page.length < pageSize
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
  }
  const { last, unverified, faults: ofHeads } = await heads.end(walk.number)
  if (!isKnownFound && known !== undefined) faults.push({ is: 'head_not_found', number: known.number })
  faults.push(...ofHeads, ...(await insertedRows(context)))
  return { chain, rows: walk.number, head: last, unverifiedHeads: unverified, faults: faults.slice(0, faultsMax) }
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

/** Rows without an entry, although the rows of their transactions are all linked. */
async function insertedRows({ database, chain }: VerifyContext): Promise<AuditFault[]> {
  const { fromXid, walk } = await findProgress(database)
  // Until the walk through the log has ended, any row may be unlinked.
  if (walk !== undefined) return []
  const faults: AuditFault[] = []
  for (let after: string | undefined = ''; after !== undefined && faults.length < faultsMax; ) {
    const { end, strangers } = await listStrangers(database, chain, { belowXid: fromXid, after, limit: rowsPerSearch })
    faults.push(...strangers.map(({ id }): AuditFault => ({ is: 'inserted', auditId: id })))
    after = end
  }
  return faults
}

interface Heads {
  /** Verifies the heads up to an entry. Returns when that entry was linked, if it has a head. */
  reach(entry: LinkedRow): Promise<{ readonly sealedAtMs: number | undefined; readonly faults: AuditFault[] }>
  /** Verifies that the last head is that of the last entry. */
  end(
    lastNumber: number,
  ): Promise<{ readonly last: ChainHead | undefined; readonly unverified: number; readonly faults: AuditFault[] }>
}

function openHeads({ database, signer, chain }: VerifyContext): Heads {
  let page: readonly ChainHead[] = []
  let index = 0
  let last: ChainHead | undefined
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
