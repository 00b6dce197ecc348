import { isIPv6 } from 'node:net'
import type { RateLimit } from '../../../registry/values/rate-limits.ts'
import type { RatePolicy } from './allowance.ts'
import { openRateLimiter, type Rejected } from './rate-limiter.ts'

/**
 * Limits failed authentications per source address. Each process counts its own: a request without a token causes no
 * statement, and the count protects the token lookups of this process. A token that was valid before is never rejected for its address,
 * so that one wrong token in an office does not block the others.
 */
export interface FailedAuthentications {
  /** Returns the rejection of an address that has failed too often; undefined while it may fail again. */
  rejection(address: string): Rejected | undefined
  count(address: string): void
}

export function openFailedAuthentications(limit: RateLimit, nowMs: () => number): FailedAuthentications {
  const limiter = openRateLimiter({ nowMs })
  const policy: RatePolicy = { name: 'authentication', ...limit }
  return {
    rejection: (address) => limiter.rejection([{ key: networkOf(address), policy }]),
    count: (address) => void limiter.take([{ key: networkOf(address), policy }]),
  }
}

/** Longer than an IPv6 address with a zone. Other text comes from a misconfigured proxy. */
const addressMaxLength = 64

/** Returns the address, and for IPv6 its /64: a single host usually has all addresses of one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, addressMaxLength)
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::')
  const head = groupsOf(before)
  const tail = after === undefined ? [] : groupsOf(after)
  const zeros = after === undefined ? 0 : Math.max(0, ipv6Groups - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  return `${groups.slice(0, networkGroups).map(withoutZeros).join(':')}::/64`
}

const ipv6Groups = 8
const networkGroups = 4

/** Returns the groups of 16 bits. A trailing IPv4 address counts as two; their values are not part of the network. */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}

function withoutZeros(group: string): string {
  return group.replace(/^0{1,3}(?=.)/, '').toLowerCase()
}
