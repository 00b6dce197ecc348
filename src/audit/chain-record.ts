import type { AuditAction } from '../../registry/values/audit-actions.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Signature, Signer } from '../base/signer.ts'
import { listMerchants } from '../store/access/merchants.ts'
import type { ChainId } from '../store/audit/chain.ts'
import type { Actor } from '../store/core/audit.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database } from '../store/core/database.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { insertSharedAudit } from '../store/core/shared-audit.ts'

/**
 * Signed rows that the service writes to an audit log about the log's own hash chain. The signature proves that a
 * process with the encryption key wrote the row.
 */

export type RecordContext = Context & { readonly signer: Signer; readonly actor: Actor }

/** The owner of a hash chain: a merchant, or the service for the chain of audit rows without a merchant. */
export type ChainOwner = Tenant | 'shared'

export function chainOf(owner: ChainOwner): ChainId {
  return owner === 'shared' ? owner : owner.merchantId
}

/** Returns the owners of all hash chains: every live and test-mode merchant, and the service itself. */
export async function listChainOwners(database: Database): Promise<readonly ChainOwner[]> {
  const merchants = await listMerchants(database, {})
  return [...merchants.map(({ id: merchantId, mode }) => ({ merchantId, mode })), 'shared']
}

interface ChainRecord {
  readonly action: AuditAction
  readonly values: Readonly<Record<string, unknown>>
  /** The text that the signature of an audit row covers. */
  readonly message: string
}

/** Adds a signed row to the audit log of a chain's owner. */
export async function writeChainRecord(
  context: RecordContext,
  owner: ChainOwner,
  { action, values, message }: ChainRecord,
): Promise<void> {
  const signed = context.signer.sign(message)
  const all = { ...values, keyId: signed?.keyId ?? null, signature: signed?.signature.toString('base64') ?? null }
  const changes = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [null, value] as const]))
  if (owner === 'shared') return writeShared(context, action, changes)
  const { merchantId } = owner
  const mutation = {
    ...{ tenant: owner, actor: context.actor, action },
    ...{ resourceType: 'merchant', resourceId: () => merchantId },
  }
  await mutate(context, mutation, async ({ note }) => note(changes))
}

type Changes = Readonly<Record<string, readonly [before: null, after: unknown]>>

function writeShared({ database, clock, actor }: RecordContext, action: AuditAction, changes: Changes): Promise<void> {
  return bookkeep(database, async (trx) => {
    const nowMs = clock.nowMs()
    insertSharedAudit(trx, {
      ...{ id: newId('aud', nowMs), occurredAt: toTimestamp(nowMs) },
      ...{ actorType: actor.type, actorLabel: actor.label, sourceIp: actor.sourceIp },
      ...{ action, resourceType: 'database', resourceId: 'commerce', changes },
    })
  })
}

/** Undefined if the audit row has no signature. */
export function signatureOf(record: {
  readonly keyId: string | null
  readonly signature: string | null
}): Signature | undefined {
  const { keyId, signature } = record
  return keyId === null || signature === null ? undefined : { keyId, signature: Buffer.from(signature, 'base64') }
}
