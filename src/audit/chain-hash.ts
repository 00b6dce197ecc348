import { createHash } from 'node:crypto'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { ChainId } from '../store/audit/chain.ts'

/** The hashes and signed texts of the audit chain. The Audit log guide describes both, so that anyone can recompute them. */

/** The first entry of a chain has no previous hash and uses this value instead. */
export const firstPrevious = Buffer.alloc(32)

/** Returns the SHA-256 of the previous hash and the text of the audit row, a JSON array of its columns. */
export function entryHash(previous: Uint8Array, rowText: string): Buffer {
  return createHash('sha256').update(previous).update(rowText).digest()
}

interface Head {
  readonly number: number
  readonly hash: Buffer
  readonly sealedAt: Timestamp
}

/** Returns the text of a chain head that its signature covers. */
export function headText(chain: ChainId, { number, hash, sealedAt }: Head): string {
  return JSON.stringify(['audit-head-1', chain, number, hash.toString('hex'), sealedAt])
}
