import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import { appendEntries, type ChainEntry, type ChainId, findLastEntry, type LastEntry } from '../store/audit/chain.ts'
import {
  listQueuedMerchants,
  listSharedUnlinked,
  readSealTime,
  takeQueued,
  type UnlinkedRow,
} from '../store/audit/queue.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/core/database.ts'
import { isTransient } from '../store/core/faults.ts'
import { entryHash, firstPrevious, headText } from './chain-hash.ts'
import { headVerdict } from './head-verdict.ts'
import { findResignings } from './resignings.ts'

/** Number of audit rows in one batch. A batch is about a megabyte, hashed and inserted within a tenth of a second. */
const batchSize = 2_000

export interface SealContext {
  readonly database: Database
  readonly signer: Signer
  /**
   * Called for each hash chain whose last signed head could not be verified. New audit rows were linked to this chain
   * without a signature.
   */
  readonly onUnverified?: ((chain: ChainId) => void) | undefined
  /** Signal that ends sealAudit() after the current batch. */
  readonly stopping?: AbortSignal | undefined
}

/**
 * Links the committed audit rows to their hash chains, signs the new chain heads, and returns the number of linked
 * rows. A row is linked after its commit, so writers of audit rows never wait for the linking. Repeated and concurrent
 * calls are safe. If the rows of one chain cannot be linked, the other chains are linked first, and then the function
 * throws. If the database does not respond, it throws at once. A signature covers all earlier rows of the chain, so
 * rows after a head that cannot be verified are linked without a signature.
 */
export async function sealAudit(context: SealContext): Promise<number> {
  const { database } = context
  const { isReachable, isDistributed } = database.reachability
  const failures: unknown[] = []
  let sealed = 0
  for (const chain of [...(await listQueuedMerchants(database)), 'shared' as const]) {
    // If a database node is lost during the batch, the audit rows on that node stay queued.
    if (!isReachable(chain)) continue
    try {
      sealed += await sealChain(context, chain)
    } catch (error) {
      if (isTransient(error) && !isDistributed()) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return sealed
}

/** Links the committed audit rows of one hash chain. Returns the number of linked rows. */
export async function sealChain(context: SealContext, chain: ChainId): Promise<number> {
  const { database, stopping } = context
  let sealed = 0
  for (let isEnd = false; !isEnd && stopping?.aborted !== true; ) {
    const { rows, isLast } = await bookkeep(database, (trx) => sealBatch(trx, chain, context))
    sealed += rows.length
    isEnd = isLast
  }
  return sealed
}

type Sealing = Pick<SealContext, 'signer' | 'onUnverified'>

/**
 * Links the oldest unlinked audit rows to the hash chain. All rows of a batch are linked in one transaction, and one
 * chain head is signed for the batch.
 */
async function sealBatch(trx: WriteTrx, chain: ChainId, sealing: Sealing): Promise<Batch> {
  // The statements run in this order. The time is read before the rows, so the rows include every row that was visible
  // at that time.
  const [now, { rows, isLast }, last] = await Promise.all([
    readSealTime(trx, chain),
    takeRows(trx, chain),
    findLastEntry(trx, chain),
  ])
  await appendToChain(trx, chain, { rows, sealing, last, completeAt: isLast ? now : undefined })
  return { rows, isLast }
}

interface Batch {
  readonly rows: readonly UnlinkedRow[]
  /** Whether no unlinked audit row remains after this batch, as far as this transaction can see. */
  readonly isLast: boolean
}

async function takeRows(trx: WriteTrx, chain: ChainId): Promise<Batch> {
  if (chain === 'shared') {
    const rows = await listSharedUnlinked(trx, { limit: batchSize })
    return { rows, isLast: rows.length < batchSize }
  }
  const taken = await takeQueued(trx, { chain, limit: batchSize })
  return { rows: taken.filter(({ isUnlinked }) => isUnlinked), isLast: (taken[0]?.chosen ?? 0) < batchSize }
}

interface Appending {
  readonly rows: readonly UnlinkedRow[]
  readonly last: LastEntry | undefined
  readonly sealing: Sealing
  /**
   * Once this batch is appended, every row that was stored before this time is linked. Undefined if rows remain for a
   * further batch.
   */
  readonly completeAt: Timestamp | undefined
}

async function appendToChain(
  trx: WriteTrx,
  chain: ChainId,
  { rows, completeAt, last, sealing }: Appending,
): Promise<void> {
  const newest = rows.at(-1)
  if (newest === undefined) return
  // `sealedAt` states that every row that was stored before this time is linked to the chain. If rows remain for a
  // further batch, `sealedAt` is therefore the storage time of the last row of this batch: with a later time, a row of
  // the further batch could have been stored before `sealedAt`.
  const sealedAt = completeAt ?? newest.storedAt
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
 * Reports whether the last entry of a chain can be trusted. Either its head was verified, or an operator accepted the
 * chain up to this entry and signed it anew.
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
