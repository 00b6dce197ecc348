import type { IncomingMessage } from 'node:http'
import { isIP, SocketAddress } from 'node:net'
import type { RequestHead } from './request-head.ts'

/** Maximum length of a stored user agent, longer than real ones, and short enough to store in every audit entry. */
const userAgentMaxLength = 200

export function userAgentOf({ headers }: RequestHead): string | null {
  return headers['user-agent']?.slice(0, userAgentMaxLength) ?? null
}

/**
 * Returns the IP address of the client. Each trusted proxy appends the address that it saw to X-Forwarded-For. With n
 * proxies, the n-th entry from the right is therefore correct, and the client can forge all entries to its left. Some
 * proxies append a port too. If the entry is not an address, the address of the connection is used.
 */
export function sourceIpOf(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = plainAddress(incoming.socket.remoteAddress)
  if (trustedProxies === 0) return direct
  const forwarded = incoming.headers['x-forwarded-for']
  const entries = (typeof forwarded === 'string' ? forwarded : (forwarded?.join(',') ?? '')).split(',')
  const entry = entries.at(-trustedProxies)?.trim() ?? ''
  const address = isIP(entry) === 0 ? SocketAddress.parse(entry)?.address : entry
  return address === undefined ? direct : plainAddress(address)
}

/**
 * Converts an IPv4-mapped IPv6 address to IPv4, and removes a zone such as `%eth0`, which PostgreSQL rejects. The
 * address of a closed connection is empty.
 */
export function plainAddress(address = ''): string {
  const [unzoned = ''] = address.split('%')
  return unzoned.startsWith('::ffff:') && unzoned.includes('.') ? unzoned.slice(7) : unzoned
}
