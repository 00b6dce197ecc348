import type { IncomingMessage } from 'node:http'
import { isIP, type Socket, SocketAddress } from 'node:net'
import type { Scope } from '../../../registry/values/scopes.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { RequestHead } from './request-head.ts'

/** The authenticated caller: a token or a signed-in member, with its merchant and mode. */
export interface Caller {
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
  /** The caller as the audit log names it. */
  readonly by: Pick<Actor, 'type' | 'label' | 'sessionId'> & { readonly id: string }
  readonly scopes: readonly Scope[]
  readonly sourceIp: string
  /** The merchant’s own rate limits as one line; null for the configured ones. */
  readonly rateLimits: string | null
}

/** Longer than real user agents, and short enough to store in every audit entry. */
const userAgentMaxLength = 200

export function actorOf(caller: Caller, requestId: string, head: RequestHead): Actor {
  return {
    ...caller.by,
    sourceIp: caller.sourceIp,
    requestId,
    userAgent: userAgentOf(head),
  }
}

export function userAgentOf({ headers }: RequestHead): string | null {
  return headers['user-agent']?.slice(0, userAgentMaxLength) ?? null
}

/**
 * Returns the IP address of the client. Each trusted proxy appends the address it saw to X-Forwarded-For, so with n
 * proxies the n-th entry from the right is correct, and the client can forge all entries left of it. Some proxies append a
 * port. An entry that is no address, as of a proxy that appends nothing, is ignored.
 */
export function sourceIpOf(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = plainAddressOf(incoming.socket)
  if (trustedProxies === 0) return direct
  const forwarded = incoming.headers['x-forwarded-for']
  const entries = (typeof forwarded === 'string' ? forwarded : (forwarded?.join(',') ?? '')).split(',')
  const entry = entries.at(-trustedProxies)?.trim() ?? ''
  const address = isIP(entry) === 0 ? SocketAddress.parse(entry)?.address : entry
  return address === undefined ? direct : plain(address)
}

/** Returns the address at the other end of a connection; an empty text once it is closed. */
export function plainAddressOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return plain(remoteAddress)
}

/** Converts an IPv4-mapped IPv6 address to IPv4, and removes a zone such as `%eth0`, which PostgreSQL rejects. */
function plain(address: string): string {
  const [unzoned = ''] = address.split('%')
  return unzoned.startsWith('::ffff:') && unzoned.includes('.') ? unzoned.slice(7) : unzoned
}
