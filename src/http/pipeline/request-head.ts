import type { IncomingMessage } from 'node:http'
import type { OnDisconnect } from '../../logistics/tracking/shipment-subscriptions.ts'
import { Refusal } from '../../operations/execute/refusal.ts'

/** The parts of a request that have already arrived when its processing starts. */
export type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>

/** Rejects a request that repeats a single-valued header, or whose transfer coding is not supported. */
export function checkHead(message: IncomingMessage): void {
  const header = repeatedHeaderOf(message.rawHeaders)
  if (header !== undefined) {
    throw new Refusal('malformed_request', `The header ${header} must be sent once.`, { details: { header } })
  }
  const coding = message.headers['transfer-encoding']
  if (coding === undefined) return
  // The end of the request's body is unknown, so the connection is closed: no further request on it can be parsed.
  const headers = { Connection: 'close' }
  if (coding.trim().toLowerCase() !== 'chunked')
    throw new Refusal('transfer_coding_unsupported', 'The only supported transfer coding is chunked.', { headers })
  // A proxy that uses HTTP/1.0 forwards `Transfer-Encoding` without interpreting it (RFC 9112, 6.1), so such a request
  // is rejected.
  if (message.httpVersion === '1.0') {
    const details = { header: 'Transfer-Encoding' }
    throw new Refusal('malformed_request', 'HTTP/1.0 has no Transfer-Encoding.', { details, headers })
  }
}

/**
 * Headers that may occur only once. Node.js drops or joins repeated ones, which results in a value that the client did
 * not send.
 * `Idempotency-Key` is checked only by operations that use it; all others ignore it without error (spec 4.7).
 */
const singleValued = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'range',
  'referer',
  'service-dry-run',
  'user-agent',
])

/**
 * Returns the name, as the client spelt it, of the first header that is repeated but may occur only once. In
 * rawHeaders, names and values alternate.
 */
function repeatedHeaderOf(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return rawHeaders.find((name, index) => {
    if (index % 2 === 1) return false
    const known = name.toLowerCase()
    if (!singleValued.has(known)) return false
    if (seen.has(known)) return true
    seen.add(known)
    return false
  })
}

/** Returns the values of a header that a client may send several times. Node.js joins them in `headers`. */
export function valuesOf({ headers, rawHeaders }: RequestHead, name: string): string[] {
  if (headers[name] === undefined) return []
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
}

/**
 * The returned function registers a listener for the disconnect of the client, and returns a function that removes the
 * listener.
 */
export function onDisconnectOf({ socket }: RequestHead): OnDisconnect {
  return (listener) => {
    socket.once('close', listener)
    // A socket that is already closed emits no further close event, so the listener is called at once.
    if (socket.destroyed) listener()
    return () => socket.off('close', listener)
  }
}

/**
 * Returns the refusal of a request line that another server may interpret differently. Undefined for any other request
 * line. The request line is checked before the request is routed. The path must be in its canonical spelling, because a
 * proxy's path rules could be evaded with another spelling.
 */
export function requestLineRefusal({
  httpVersion,
  url = '',
}: Pick<IncomingMessage, 'httpVersion' | 'url'>): Refusal | undefined {
  if (!supportedVersions.has(httpVersion)) return versionRefusal()
  if (url.includes('#')) return malformedTarget('The request target must not contain a fragment, such as `#top`.')
  const [path = ''] = url.split('?', 1)
  if (credentials.test(path)) return malformedTarget('The request target must not contain a user name.')
  if (path.includes('.') && path.split('/').some((segment) => dotSegments.has(segment)))
    return new Refusal('route_not_found', 'The path must not contain a dot segment, such as `..`.')
  if (path.includes('%') && escapedPlain.test(path))
    return new Refusal('route_not_found', 'The path must not percent-encode letters, digits, `-`, `.`, `_` or `~`.')
  return undefined
}

/**
 * Returns the path of a request's target, as the client encoded it. Undefined if the target or the Host header is
 * invalid. A proxy may send the whole URL as the target (RFC 9112, 3.2.2).
 */
export function pathOf({
  url = '',
  headers: { host = '' },
}: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const [target = ''] = url.split('?', 1)
  if (target.includes('\\')) return undefined
  if (target.startsWith('/')) return plainHost.test(host) || isOtherHost(host) ? target : undefined
  return /^https?:/.test(target) ? URL.parse(url)?.pathname : undefined
}

/** Matches a host in the form that most clients send: a lower-case name or an IPv4 address, with an optional port. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{4}|\d{1,4}))?$/

/** Reports whether a host that does not match `plainHost`, such as an IPv6 address, is valid. */
function isOtherHost(host: string): boolean {
  return URL.parse(`http://${host}`)?.hostname === host.replace(/:\d+$/, '').toLowerCase()
}

export function versionRefusal(): Refusal {
  return new Refusal('http_version_unsupported', 'The supported versions are HTTP/1.1 and HTTP/1.0.')
}

export function malformedTarget(message: string): Refusal {
  return new Refusal('malformed_request', message, { details: { header: null } })
}

/** Supported HTTP versions. The parser of Node.js also accepts 0.9 and 2.0, which the service rejects. */
const supportedVersions = new Set(['1.0', '1.1'])

const dotSegments = new Set(['.', '..'])

/**
 * Matches percent-encoded characters that need no encoding (RFC 3986). Encoding them gives the same path a second
 * spelling.
 */
const escapedPlain = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i

/**
 * Matches the user name of a request target such as `http://user@host/path`, which servers must reject (RFC 9110,
 * 4.2.4).
 */
const credentials = /^\w+:\/\/[^/]*@/
