import type { Signer } from '../base/signer.ts'
import type { ChainHead, ChainId } from '../store/audit/chain.ts'
import { headText } from './chain-hash.ts'

/**
 * Whether the signature of a chain head proves that a process with a configured encryption key linked the rows up to
 * the head.
 */
export type HeadVerdict = 'valid' | 'invalid' | 'unsigned' | 'unknown_key'

/** A head copied from another chain is invalid, because its signature covers the name of its chain. */
export function headVerdict(signer: Signer, chain: ChainId, head: ChainHead): HeadVerdict {
  const { keyId, signature } = head
  return keyId === null || signature === null ? 'unsigned' : signer.verify(headText(chain, head), { keyId, signature })
}
