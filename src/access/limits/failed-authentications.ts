import { isIPv6 } from 'node:net'
import type { RateLimit } from '../../../registry/values/rate-limits.ts'
import type { RatePolicy } from './allowance.ts'
import { openRateLimiter, type Rejected } from './rate-limiter.ts'

/**
 * Limits failed authentications per source address. Each process counts only its own failures: the limit protects the
 * database from the token lookups of this process, and sharing the counts would itself need database statements. A
 * token that was accepted before is never rejected because of its address, so one client with a wrong token does not
 * block other clients in the same office.
 */
export interface FailedAuthentications {
  /** Returns undefined while further failed authentications are allowed. */
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

/**
 * Maximum length of an IP address, longer than an IPv6 address with a zone. A longer text comes from a misconfigured
 * proxy.
 */
const addressMaxLength = 64

/** Returns an IPv4 address, or the /64 network of an IPv6 address: a single host usually has a whole /64. */
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

/**
 * Returns the 16-bit groups of an IPv6 address. A trailing IPv4 part counts as two groups. The values of these two
 * groups do not matter, because they are not part of the network prefix.
 */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}

function withoutZeros(group: string): string {
  return group.replace(/^0{1,3}(?=.)/, '').toLowerCase()
}
