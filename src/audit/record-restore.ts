import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Signer } from '../base/signer.ts'
import { listMerchants } from '../store/access/merchants.ts'
import { type ChainId, findLastEntry } from '../store/audit/chain.ts'
import { listRestoreEntries } from '../store/audit/restores.ts'
import type { Actor } from '../store/core/audit.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database } from '../store/core/database.ts'
import { type Context, mutate } from '../store/core/mutation.ts'
import { insertSharedAudit } from '../store/core/shared-audit.ts'
import { sealAudit } from './seal-audit.ts'

/**
 * Records a restore from a backup in every chain: rows after the restored time no longer exist, and heads that were stored
 * outside the database since then are not in the chains. The record is signed: without the encryption key, a truncated chain
 * cannot be passed off as restored.
 */

export interface RecordedRestore {
  /** The time to which the database was restored. */
  readonly restoredTo: string
  /** The time of the restore itself. */
  readonly restoredAt: Timestamp
  /** The last position of the chain that the restore kept. 0 if it kept none. */
  readonly lastNumber: number
}

const action = 'database.restore'

type RestoreContext = Context & { readonly signer: Signer; readonly actor: Actor }

/** Returns the number of chains. Requires a database that nothing else writes to. */
export async function recordRestore(context: RestoreContext, restoredTo: string): Promise<number> {
  const { database, signer, actor } = context
  // Rows that were committed before the restored time, and not linked yet, are part of what was restored.
  await sealAudit({ database, signer })
  const merchants = await listMerchants(database)
  for (const { id: merchantId, mode } of merchants) {
    const changes = await changesOf(context, merchantId, restoredTo)
    const tenant = { merchantId, mode }
    const mutation = { tenant, actor, action, resourceType: 'merchant', resourceId: () => merchantId }
    await mutate(context, mutation, async ({ note }) => note(changes))
  }
  await recordShared(context, await changesOf(context, 'shared', restoredTo))
  await sealAudit({ database, signer })
  return merchants.length + 1
}

type Changes = Readonly<Record<string, readonly [before: null, after: unknown]>>

async function changesOf({ database, signer }: RestoreContext, chain: ChainId, restoredTo: string): Promise<Changes> {
  const lastNumber = (await findLastEntry(database, chain))?.number ?? 0
  const signed = signer.sign(messageOf(chain, { restoredTo, lastNumber }))
  return {
    restoredTo: [null, restoredTo],
    lastNumber: [null, lastNumber],
    keyId: [null, signed?.keyId ?? null],
    signature: [null, signed?.signature.toString('base64') ?? null],
  }
}

async function recordShared({ database, clock, actor }: RestoreContext, changes: Changes): Promise<void> {
  await bookkeep(database, async (trx) => {
    const nowMs = clock.nowMs()
    insertSharedAudit(trx, {
      id: newId('aud', nowMs),
      occurredAt: toTimestamp(nowMs),
      actorType: actor.type,
      actorLabel: actor.label,
      sourceIp: actor.sourceIp,
      action,
      resourceType: 'database',
      resourceId: 'commerce',
      changes,
    })
  })
}

/** Returns the restores of a chain that a holder of the encryption key recorded, the latest first. */
export async function findRestores(
  { database, signer }: { readonly database: Database; readonly signer: Signer },
  chain: ChainId,
): Promise<readonly RecordedRestore[]> {
  const entries = await listRestoreEntries(database, chain)
  return entries.flatMap(({ restoredTo, restoredAt, lastNumber, keyId, signature }) => {
    if (restoredTo === null || lastNumber === null || keyId === null || signature === null) return []
    const signed = { keyId, signature: Buffer.from(signature, 'base64') }
    const verdict = signer.verify(messageOf(chain, { restoredTo, lastNumber }), signed)
    return verdict === 'valid' ? [{ restoredTo, restoredAt, lastNumber }] : []
  })
}

function messageOf(chain: ChainId, { restoredTo, lastNumber }: Pick<RecordedRestore, 'restoredTo' | 'lastNumber'>) {
  return `database restore\n${chain}\n${restoredTo}\n${lastNumber}`
}
