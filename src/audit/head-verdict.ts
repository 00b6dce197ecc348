import type { Signer } from '../base/signer.ts'
import type { ChainHead, ChainId } from '../store/audit/chain.ts'
import { headText } from './chain-hash.ts'

/** Whether a head proves that a holder of a configured key linked the rows up to it. */
export type HeadVerdict = 'valid' | 'invalid' | 'unsigned' | 'unknown_key'

/** A head that another merchant's chain has is invalid, because the signature covers the name of the chain. */
export function headVerdict(signer: Signer, chain: ChainId, head: ChainHead): HeadVerdict {
  const { keyId, signature } = head
  return keyId === null || signature === null ? 'unsigned' : signer.verify(headText(chain, head), { keyId, signature })
}
