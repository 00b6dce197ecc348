import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import { type ChainId, findLastEntry } from '../store/audit/chain.ts'
import { listRestores, restoreAction } from '../store/audit/chain-records.ts'
import type { ReadDb } from '../store/core/database.ts'
import { chainOf, listChainOwners, type RecordContext, signatureOf, writeChainRecord } from './chain-record.ts'
import { sealChain } from './seal-audit.ts'

/**
 * Records a database restore from a backup in every hash chain. Audit rows that were written after the restored time no
 * longer exist. Their chain heads may be stored outside the database, but are missing in the chains. The record is
 * signed: without the encryption key, no process can pass off a truncated chain as restored.
 */

export interface RecordedRestore {
  /** The time to which the database was restored. */
  readonly restoredTo: string
  readonly restoredAt: Timestamp
  /**
   * The last position in the hash chain that the restored backup contained. 0 if the backup contained no entry of this
   * chain.
   */
  readonly lastNumber: number
}

/**
 * Records a database restore in every hash chain and returns the number of chains. Nothing else may write to the
 * database while this function runs.
 */
export async function recordRestore(context: RecordContext, restoredTo: string): Promise<number> {
  const { database, signer } = context
  const owners = await listChainOwners(database)
  for (const owner of owners) {
    const chain = chainOf(owner)
    // The restored audit log may contain rows that were committed before the restored time but have no chain entry yet.
    // These rows are linked to the chain first.
    await sealChain({ database, signer }, chain)
    const lastNumber = (await findLastEntry(database, chain))?.number ?? 0
    const values = { restoredTo, lastNumber }
    await writeChainRecord(context, owner, { action: restoreAction, values, message: messageOf(chain, values) })
    await sealChain({ database, signer }, chain)
  }
  return owners.length
}

/** Returns the signed records of database restores in a chain, latest first. */
export async function findRestores(
  { database, signer }: { readonly database: ReadDb; readonly signer: Signer },
  chain: ChainId,
): Promise<readonly RecordedRestore[]> {
  const records = await listRestores(database, chain)
  return records.flatMap(({ restoredTo, recordedAt: restoredAt, lastNumber, ...record }) => {
    const signature = signatureOf(record)
    if (restoredTo === null || lastNumber === null || signature === undefined) return []
    const verdict = signer.verify(messageOf(chain, { restoredTo, lastNumber }), signature)
    return verdict === 'valid' ? [{ restoredTo, restoredAt, lastNumber }] : []
  })
}

function messageOf(chain: ChainId, { restoredTo, lastNumber }: Pick<RecordedRestore, 'restoredTo' | 'lastNumber'>) {
  return `database restore\n${chain}\n${restoredTo}\n${lastNumber}`
}
