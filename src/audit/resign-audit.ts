import { findLastEntry } from '../store/audit/chain.ts'
import { resignAction } from '../store/audit/chain-records.ts'
import { type AuditFault, isUnverified } from './audit-fault.ts'
import { type ChainOwner, chainOf, type RecordContext, writeChainRecord } from './chain-record.ts'
import { headVerdict } from './head-verdict.ts'
import { resigningText } from './resignings.ts'
import { sealChain } from './seal-audit.ts'
import { verifyAudit } from './verify-audit.ts'

export interface ResignRequest {
  readonly owner: ChainOwner
  /** Whether to accept chain heads that cannot be verified, because they are unsigned or their key is lost. */
  readonly acceptsUnverified: boolean
}

export type ResignOutcome =
  | { readonly is: 'resigned'; readonly rows: number; readonly unverifiedHeads: number }
  | { readonly is: 'empty' }
  /** The hash chain of the audit log has a fault, so it was not signed anew. */
  | { readonly is: 'not_verified'; readonly fault: AuditFault }
  /** No new signature was stored, because the worker linked new rows to the chain during each attempt to sign it. */
  | { readonly is: 'busy' }

/**
 * Maximum number of attempts to sign a chain. An attempt fails if rows are linked during it, but the worker links rows
 * only once a minute, and an attempt usually takes under a second.
 */
const attemptsMax = 3

/**
 * Verifies a hash chain and signs it anew with the current key, so that no older key is needed to verify the heads of
 * the chain. The new signature is recorded as a row of the chain. A chain with a fault is not signed, unless its only
 * fault is heads that cannot be verified.
 */
export async function resignAudit(context: RecordContext, request: ResignRequest): Promise<ResignOutcome> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const outcome = await resignOnce(context, request)
    if (outcome.is !== 'busy') return outcome
  }
  return { is: 'busy' }
}

async function resignOnce(context: RecordContext, { owner, acceptsUnverified }: ResignRequest): Promise<ResignOutcome> {
  const { database, signer } = context
  const chain = chainOf(owner)
  await sealChain({ database, signer }, chain)
  const verdict = await verifyAudit({ database, signer, chain })
  const fault = verdict.faults.find((each) => !(acceptsUnverified && isUnverified(each)))
  if (fault !== undefined) return { is: 'not_verified', fault }
  const { head, rows, unverifiedHeads } = verdict
  if (head === undefined) return { is: 'empty' }
  const values = { number: head.number, hash: head.hash.toString('hex'), unverifiedHeads }
  await writeChainRecord(context, owner, { action: resignAction, values, message: resigningText(chain, values) })
  await sealChain({ database, signer }, chain)
  const last = await findLastEntry(database, chain)
  // The last chain head must cover the row that records the new signature, and must be signed. The head is unsigned if,
  // since the verification, the worker has linked further rows without a signature. The caller then tries again.
  const isSigned =
    last?.sealedAt != null && headVerdict(signer, chain, { ...last, sealedAt: last.sealedAt }) === 'valid'
  return isSigned ? { is: 'resigned', rows, unverifiedHeads } : { is: 'busy' }
}
