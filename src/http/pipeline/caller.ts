import type { IncomingMessage } from 'node:http'
import type { Scope } from '../../../registry/values/scopes.ts'
import type { MerchantId, TokenId } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../../store/core/audit.ts'

/** Who is calling: a token, and through it one merchant on its live or its test side. */
export interface Caller {
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
  readonly tokenId: TokenId
  readonly scopes: readonly Scope[]
  readonly sourceIp: string
}

/** Longer than any real one, short enough to store with every change. */
const userAgentMaxLength = 200

export function actorOf(caller: Caller, requestId: string, incoming: IncomingMessage): Actor {
  return {
    type: 'token',
    id: caller.tokenId,
    label: caller.tokenId,
    sourceIp: caller.sourceIp,
    requestId,
    userAgent: userAgentOf(incoming),
  }
}

export function userAgentOf(incoming: IncomingMessage): string | null {
  return incoming.headers['user-agent']?.slice(0, userAgentMaxLength) ?? null
}

/**
 * The address the request came from. Each trusted proxy appends the address it saw to X-Forwarded-For, so with n of
 * them the n-th entry from the right is true, and everything left of it is the client's own claim.
 */
export function sourceIpOf(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = plain(incoming.socket.remoteAddress ?? '')
  if (trustedProxies === 0) return direct
  const forwarded = incoming.headers['x-forwarded-for']
  const entries = (typeof forwarded === 'string' ? forwarded : (forwarded?.join(',') ?? '')).split(',')
  return plain(entries.at(-trustedProxies)?.trim() || direct)
}

/** An IPv4 address reached over an IPv6 socket is still that IPv4 address. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}
