import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import {
  type AuditRow,
  appendEntries,
  type ChainEntry,
  type ChainId,
  findLastEntry,
  findProgress,
  listUnlinked,
  markLinked,
  type Progress,
  readSealTime,
} from '../store/audit/chain.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/core/database.ts'
import { entryHash, firstPrevious, headText } from './chain-hash.ts'

/** About a megabyte of rows, hashed and inserted within a tenth of a second. */
const batchSize = 2_000

export interface SealContext {
  readonly database: Database
  readonly signer: Signer
  /** Ends the run after the current batch when it aborts. */
  readonly stopping?: AbortSignal | undefined
}

/**
 * Appends the committed audit rows to their chains, and signs the new heads. Writers never wait for this: a row
 * is appended after its commit. Returns the number of rows.
 *
 *   oldest running transaction ─ unlinked rows since the last run's ─ per chain: last entry, hashes, signed head ─ commit
 *
 * Safe to repeat and to run concurrently: an entry's number is unique, so of two processes one fails and retries.
 */
export async function sealAudit({ database, signer, stopping }: SealContext): Promise<number> {
  const progress = await findProgress(database)
  let sealed = 0
  while (stopping?.aborted !== true) {
    const count = await bookkeep(database, (trx) => sealBatch(trx, progress, signer))
    sealed += count
    if (count < batchSize) {
      await markLinked(database, progress)
      return sealed
    }
  }
  return sealed
}

/** Returns the number of rows, which is less than the batch size when none is left. */
async function sealBatch(trx: WriteTrx, progress: Progress, signer: Signer): Promise<number> {
  const rows = await listUnlinked(trx, progress, batchSize)
  const sealedAt = await readSealTime(trx)
  for (const [chain, ofChain] of Map.groupBy(rows, (row) => row.chain)) {
    await appendRows(trx, chain, { rows: ofChain, signer, sealedAt })
  }
  return rows.length
}

interface Appending {
  readonly rows: readonly AuditRow[]
  readonly signer: Signer
  readonly sealedAt: Timestamp
}

async function appendRows(trx: WriteTrx, chain: ChainId, { rows, signer, sealedAt }: Appending): Promise<void> {
  const last = await findLastEntry(trx, chain)
  let head = last ?? { number: 0, hash: firstPrevious }
  const entries = rows.map((row): ChainEntry => {
    const entry = { number: head.number + 1, auditId: row.id, hash: entryHash(head.hash, row.values) }
    head = entry
    return entry
  })
  const sealed = { ...head, sealedAt }
  const signed = signer.sign(headText(chain, sealed))
  appendEntries(trx, chain, {
    entries,
    head: {
      number: head.number,
      hash: head.hash,
      sealedAt,
      keyId: signed?.keyId ?? null,
      signature: signed?.signature ?? null,
    },
  })
}
