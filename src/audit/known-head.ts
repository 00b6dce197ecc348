import type { ChainHead } from '../store/audit/chain.ts'

/** A head that was stored outside the database. A chain that was truncated or replaced no longer contains the head. */
export interface KnownHead {
  readonly number: number
  readonly hash: Buffer
}

/** The text of a head: its position, a colon and its hash. */
export const headPattern = /^[1-9]\d{0,14}:[0-9a-f]{64}$/

export function headTextOf({ number, hash }: Pick<ChainHead, 'number' | 'hash'>): string {
  return `${number}:${hash.toString('hex')}`
}

/** Reads a text that matches the pattern. */
export function knownHeadOf(text: string): KnownHead {
  const [number = '', hash = ''] = text.split(':')
  return { number: Number(number), hash: Buffer.from(hash, 'hex') }
}
