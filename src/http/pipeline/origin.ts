import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What of a request says where it was sent. Of bytes that are no request only the connection is known. */
export interface Sent {
  readonly headers: IncomingMessage['headers']
  readonly socket: Partial<Pick<Socket, 'localAddress' | 'localPort' | 'localFamily'>>
}

/** A name of RFC 1123 or an IPv6 address in brackets, with or without a port. What is longer than a name can be is none. */
const hostForm = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i

/**
 * The origin that a request was sent to. The Host header is a client's claim, so only a well-formed one is repeated;
 * without one it is the address that the connection came in on. The scheme of a proxy is believed where proxies are trusted.
 */
export function originOf({ headers, socket }: Sent, trustedProxies: number): string {
  const { host } = headers
  const scheme = trustedProxies > 0 && headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  const origin = host !== undefined && hostForm.test(host) ? originFrom(`${scheme}://${host}`) : undefined
  return origin ?? addressOf(socket)
}

function originFrom(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

function addressOf({ localAddress = '127.0.0.1', localPort = 80, localFamily }: Sent['socket']): string {
  return `http://${localFamily === 'IPv6' ? `[${localAddress}]` : localAddress}:${localPort}`
}
