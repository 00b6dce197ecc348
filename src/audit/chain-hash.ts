import { createHash } from 'node:crypto'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { ChainId } from '../store/audit/chain.ts'

/** The hashes and signed texts of the audit chain. The Audit log guide describes both, so that anyone can recompute them. */

/**
 * Value (zero bytes) that replaces the previous hash in the first entry of a hash chain, because no entry precedes it.
 */
export const firstPrevious = Buffer.alloc(32)

/**
 * Returns the hash of a chain entry: the SHA-256 of the previous hash, followed by the text of the audit row. This text
 * is a JSON array of the columns of the row.
 */
export function entryHash(previous: Uint8Array, rowText: string): Buffer {
  return createHash('sha256').update(previous).update(rowText).digest()
}

interface Head {
  readonly number: number
  readonly hash: Buffer
  readonly sealedAt: Timestamp
}

/** Returns the text that the signature of a chain head covers. */
export function headText(chain: ChainId, { number, hash, sealedAt }: Head): string {
  return JSON.stringify(['audit-head-1', chain, number, hash.toString('hex'), sealedAt])
}
