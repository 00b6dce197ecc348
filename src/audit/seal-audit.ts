import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import {
  appendEntries,
  type ChainEntry,
  type ChainId,
  findLastEntry,
  type LastEntry,
  readSealTime,
} from '../store/audit/chain.ts'
import { findProgress, type Progress, saveProgress, type Walk } from '../store/audit/progress.ts'
import {
  findNextPosition,
  listSharedUnlinked,
  listUnlinked,
  listUnlinkedBetween,
  type UnlinkedRow,
} from '../store/audit/unlinked.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/core/database.ts'
import { entryHash, firstPrevious, headText } from './chain-hash.ts'
import { headVerdict } from './head-verdict.ts'
import { findResignings } from './resignings.ts'

/** Number of audit rows in one batch: about a megabyte, hashed and inserted within a tenth of a second. */
const batchSize = 2_000

/**
 * Number of transactions whose audit rows one statement reads. Most transactions write one audit row or none, so even
 * after a long pause of the worker, one statement reads few rows per transaction.
 */
const transactionsPerStep = 10_000

export interface SealContext {
  readonly database: Database
  readonly signer: Signer
  /**
   * Called for each chain whose last head could not be verified. New audit rows were linked to such a chain without a
   * signature.
   */
  readonly onUnverified?: ((chain: ChainId) => void) | undefined
  /** Signal that ends sealAudit() after the current batch. */
  readonly stopping?: AbortSignal | undefined
}

/**
 * Appends the committed audit rows to their hash chains, and signs the new chain heads. Writers of audit rows never
 * wait for this: a row is appended after its commit. Returns the number of appended rows.
 *
 * - The rows of one batch are those between the last batch and the oldest running transaction.
 * - For each chain, the batch reads the last entry, adds the hashes of the new rows and stores a signed head.
 *
 * On a new or restored database, the function first reads the whole audit log. Each step stores its end position in the
 * same transaction, so after a crash the next call continues there. Repeated and concurrent calls are safe: the number
 * of an entry is unique, so one of two concurrent calls fails and retries.
 *
 * A signature covers all earlier rows of the chain. After a head that cannot be verified, rows are therefore linked
 * without a signature.
 */
export async function sealAudit(context: SealContext): Promise<number> {
  const { database, stopping } = context
  let progress: Position | undefined = { ...(await findProgress(database)), hasSkipped: false }
  let sealed = 0
  while (progress !== undefined && stopping?.aborted !== true) {
    const current: Position = progress
    const step = await bookkeep(database, (trx) => takeStep(trx, current, context))
    sealed += step.count
    progress = step.next
  }
  for (let count = batchSize; count === batchSize && stopping?.aborted !== true; sealed += count)
    count = await bookkeep(database, (trx) => sealShared(trx, context))
  return sealed
}

type Sealing = Pick<SealContext, 'database' | 'signer' | 'onUnverified'>

interface Position extends Progress {
  /**
   * Whether this call of sealAudit() has skipped the rows of unreachable merchants. The call then stores no later
   * position, so that the next call reads these rows.
   */
  readonly hasSkipped: boolean
}

interface Step {
  /** Number of audit rows that one step of sealAudit() appended to their chains. */
  readonly count: number
  /** The position in the audit log at which the next step of sealAudit() starts. Undefined after the last step. */
  readonly next: Position | undefined
}

function takeStep(trx: WriteTrx, progress: Position, sealing: Sealing): Promise<Step> {
  return progress.walk === undefined
    ? sealTransactions(trx, progress, sealing)
    : sealPage(trx, { ...progress, walk: progress.walk }, sealing)
}

/** Appends the rows of one page to their chains, during the first pass through the whole audit log. */
async function sealPage(trx: WriteTrx, progress: Position & { readonly walk: Walk }, sealing: Sealing): Promise<Step> {
  const { walk } = progress
  const end = await findNextPosition(trx, walk, batchSize)
  const rows = end === undefined ? [] : await listUnlinkedBetween(trx, walk, end)
  await appendRows(trx, sealing, { rows, isLast: false })
  const next = { ...progress, walk: end ?? afterPass(walk) }
  saveProgress(trx, next)
  return { count: rows.length, next }
}

function afterPass({ pass }: Walk): Walk | undefined {
  return pass === 'unrecorded' ? { pass: 'recorded', merchantId: '', id: '' } : undefined
}

/** Appends the audit rows of the next transactions to their chains. */
async function sealTransactions(trx: WriteTrx, progress: Position, sealing: Sealing): Promise<Step> {
  const { fromXid, nextXid } = progress
  const toXid = Math.min(fromXid + transactionsPerStep, nextXid)
  const hasSkipped = progress.hasSkipped || sealing.database.reachability.reachable() !== null
  const rows = await listUnlinked(trx, { fromXid, toXid, limit: batchSize })
  const isComplete = rows.length < batchSize
  const isLast = isComplete && toXid === nextXid
  await appendRows(trx, sealing, { rows, isLast })
  const next = { ...progress, hasSkipped, fromXid: isComplete ? toXid : fromXid }
  if (!hasSkipped) saveProgress(trx, next)
  return { count: rows.length, next: isLast ? undefined : next }
}

async function sealShared(trx: WriteTrx, sealing: Sealing): Promise<number> {
  const rows = await listSharedUnlinked(trx, { limit: batchSize })
  await appendRows(trx, sealing, { rows, isLast: rows.length < batchSize })
  return rows.length
}

interface Batch {
  readonly rows: readonly UnlinkedRow[]
  /** Whether the batch links all audit rows that were stored until now to their hash chains. */
  readonly isLast: boolean
}

async function appendRows(trx: WriteTrx, sealing: Sealing, { rows, isLast }: Batch): Promise<void> {
  if (rows.length === 0) return
  const sealedAt = isLast ? await readSealTime(trx) : undefined
  for (const [chain, ofChain] of Map.groupBy(rows, (row) => row.chain))
    await appendToChain(trx, chain, { rows: ofChain, sealing, sealedAt })
}

interface Appending {
  readonly rows: readonly UnlinkedRow[]
  readonly sealing: Sealing
  /**
   * The time of the new chain head: now, if all stored rows are linked. Undefined if further rows are not linked yet:
   * the head then gets the time of its last row, because the next row may have been stored soon after that row.
   */
  readonly sealedAt: Timestamp | undefined
}

async function appendToChain(trx: WriteTrx, chain: ChainId, { rows, sealing, ...batch }: Appending): Promise<void> {
  const sealedAt = batch.sealedAt ?? rows.at(-1)?.storedAt
  if (sealedAt === undefined) return
  const last = await findLastEntry(trx, chain)
  let { number, hash } = last ?? { number: 0, hash: firstPrevious }
  const entries = rows.map((row): ChainEntry => {
    number += 1
    hash = entryHash(hash, row.text)
    return { number, auditId: row.id, hash }
  })
  const { signer, onUnverified } = sealing
  // Without an encryption key, no chain head is signed.
  const isVerified =
    signer.keyIds.length === 0 || last === undefined || (await isVerifiedUpTo(trx, chain, { last, signer }))
  if (!isVerified) onUnverified?.(chain)
  const signed = isVerified ? signer.sign(headText(chain, { number, hash, sealedAt })) : undefined
  const head = { number, hash, sealedAt, keyId: signed?.keyId ?? null, signature: signed?.signature ?? null }
  appendEntries(trx, chain, { entries, head })
}

/**
 * Reports whether the last entry of a chain can be trusted: its head was verified, or an operator signed the chain anew
 * up to this entry.
 */
async function isVerifiedUpTo(
  trx: WriteTrx,
  chain: ChainId,
  { last, signer }: { readonly last: LastEntry; readonly signer: Signer },
): Promise<boolean> {
  const { number, hash, headHash, sealedAt } = last
  const isSigned = sealedAt !== null && headVerdict(signer, chain, { ...last, sealedAt }) === 'valid'
  if (isSigned && headHash?.equals(hash) === true) return true
  const resignings = await findResignings({ database: trx, signer }, chain)
  return resignings.some((each) => each.number === number && each.hash.equals(hash))
}
