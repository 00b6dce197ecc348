import type { ChainHead } from '../store/audit/chain.ts'

/**
 * A chain head (position and hash) that was stored outside the database. A chain that was truncated or replaced no
 * longer contains this head.
 */
export interface KnownHead {
  readonly number: number
  readonly hash: Buffer
}

/** The text form of a chain head: the head's position in the chain, a colon and the head's hash. */
export const headPattern = /^[1-9]\d{0,14}:[0-9a-f]{64}$/

export function headTextOf({ number, hash }: Pick<ChainHead, 'number' | 'hash'>): string {
  return `${number}:${hash.toString('hex')}`
}

/** Parses the text form of a chain head, which must match `headPattern`. */
export function knownHeadOf(text: string): KnownHead {
  const [number = '', hash = ''] = text.split(':')
  return { number: Number(number), hash: Buffer.from(hash, 'hex') }
}
