import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The parts of a request from which the origin of its URL is determined. If the request could not be parsed, the
 * headers are empty.
 */
export interface Sent {
  readonly headers: IncomingMessage['headers']
  readonly socket: Partial<Pick<Socket, 'localAddress' | 'localPort' | 'localFamily'>>
}

/** A host name (RFC 1123, at most 253 characters) or an IPv6 address in brackets, with an optional port. */
const hostForm = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i

/**
 * Returns the origin of the URL to which a request was sent. The client controls the Host header, so only a well-formed
 * one is used; otherwise the origin is the local address of the connection. The header X-Forwarded-Proto determines the
 * scheme only if the service is configured with trusted proxies.
 */
export function originOf({ headers, socket }: Sent, trustedProxies: number): string {
  const { host } = headers
  const scheme = trustedProxies > 0 && headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  const origin = host !== undefined && hostForm.test(host) ? URL.parse(`${scheme}://${host}`)?.origin : undefined
  return origin ?? addressOf(socket)
}

function addressOf({ localAddress = '127.0.0.1', localPort = 80, localFamily }: Sent['socket']): string {
  return `http://${localFamily === 'IPv6' ? `[${localAddress}]` : localAddress}:${localPort}`
}
