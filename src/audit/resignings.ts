import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Signer } from '../base/signer.ts'
import type { ChainId } from '../store/audit/chain.ts'
import { listResignings } from '../store/audit/chain-records.ts'
import type { ReadDb } from '../store/core/database.ts'
import { signatureOf } from './chain-record.ts'

/**
 * Record of a new signing: an operator has verified a hash chain and signed the chain again up to a position. The hash
 * at this position covers all rows before it. Older heads therefore need no signature by a configured key.
 */
export interface Resigning {
  readonly number: number
  readonly hash: Buffer
  readonly recordedAt: Timestamp
  readonly actor: string
  /**
   * Number of chain heads that could not be verified when the operator signed the chain again. The operator accepted
   * the rows of these heads, although the heads were not verified.
   */
  readonly unverifiedHeads: number
}

/** Returns the operator's new signatures of a chain that were made with a configured key, latest first. */
export async function findResignings(
  { database, signer }: { readonly database: ReadDb; readonly signer: Signer },
  chain: ChainId,
): Promise<readonly Resigning[]> {
  const records = await listResignings(database, chain)
  return records.flatMap(({ number, hash, unverifiedHeads, recordedAt, actor, ...record }) => {
    const signature = signatureOf(record)
    if (number === null || hash === null || unverifiedHeads === null || signature === undefined) return []
    const verdict = signer.verify(resigningText(chain, { number, hash, unverifiedHeads }), signature)
    return verdict === 'valid' ? [{ number, hash: Buffer.from(hash, 'hex'), unverifiedHeads, recordedAt, actor }] : []
  })
}

/** Returns the text that an operator's new signature of a chain covers. `hash` is in hexadecimal digits. */
export function resigningText(
  chain: ChainId,
  {
    number,
    hash,
    unverifiedHeads,
  }: { readonly number: number; readonly hash: string; readonly unverifiedHeads: number },
): string {
  return JSON.stringify(['audit-resign-1', chain, number, hash, unverifiedHeads])
}
