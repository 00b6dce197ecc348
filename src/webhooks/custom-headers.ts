import {
  webhookHeaderNameMaxLength,
  webhookHeadersMax,
  webhookHeaderValueMaxLength,
} from '../../registry/values/limits.ts'
import { type Vault, VaultError } from '../base/vault.ts'
import { type CustomHeader, isOwnHeader } from './delivery-headers.ts'

/**
 * The custom headers of an endpoint. Each delivery to the endpoint has these headers. Their values are secrets, such as
 * the key of an API gateway. The values are stored encrypted, and no page, log line or audit row contains them.
 */

/** A reason why custom headers are rejected. It never contains the value of a header. */
export interface HeaderFault {
  /** The name of the rejected header. Undefined if the reason concerns the custom headers as a whole. */
  readonly name?: string
  /**
   * Whether the name or the value of the custom header is invalid. Undefined if the fault concerns the header as a
   * whole.
   */
  readonly part?: 'name' | 'value'
  readonly reason: string
}

/** Pattern of a header name: a token of RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Pattern of a header value: printable ASCII without leading and trailing spaces, which HTTP ignores. */
const printable = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Names of hop-by-hop headers (RFC 9110, 7.6.1), and of headers that change how a server parses a request. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/**
 * Reserved prefixes of header names: those of proxy headers, of headers that describe the body, and of headers that
 * this service or Standard Webhooks may add later.
 */
const reservedPrefixes = ['proxy-', 'content-', 'service-', 'webhook-']

/**
 * Cookie headers, which are rejected as custom headers, because deliveries have no session whose state a cookie could
 * carry.
 */
const cookieHeaders = new Set(['cookie', 'cookie2', 'set-cookie', 'set-cookie2'])

export function faultIn(headers: readonly CustomHeader[]): HeaderFault | undefined {
  if (headers.length > webhookHeadersMax) return tooManyHeaders
  const names = new Set<string>()
  for (const { name, value } of headers) {
    const wrongName = nameFault(name) ?? (names.has(keyOf(name)) ? 'The header is given twice.' : undefined)
    if (wrongName !== undefined) return { name, part: 'name', reason: wrongName }
    const wrongValue = valueFault(value)
    if (wrongValue !== undefined) return { name, part: 'value', reason: wrongValue }
    names.add(keyOf(name))
  }
  return undefined
}

export const tooManyHeaders: HeaderFault = { reason: `An endpoint has at most ${webhookHeadersMax} custom headers.` }

/** Returns a header name in lower case, for comparison: header names are case-insensitive. */
export function keyOf(name: string): string {
  return name.toLowerCase()
}

function nameFault(name: string): string | undefined {
  if (name.length > webhookHeaderNameMaxLength) {
    return `The name of a header has at most ${webhookHeaderNameMaxLength} characters.`
  }
  if (!token.test(name)) {
    return "The name of a header consists of letters, digits and !#$%&'*+-.^_`|~, such as X-Api-Key."
  }
  const key = keyOf(name)
  if (isOwnHeader(key)) return 'The service itself sets this header in every delivery.'
  if (connectionHeaders.has(key)) return 'This header belongs to the HTTP connection.'
  if (cookieHeaders.has(key)) return 'Deliveries have no cookies.'
  const prefix = reservedPrefixes.find((each) => key.startsWith(each))
  return prefix === undefined ? undefined : `Names that begin with ${prefix} are reserved.`
}

function valueFault(value: string): string | undefined {
  if (value === '') return 'The header has no value.'
  if (value.length > webhookHeaderValueMaxLength) {
    return `The value of a header has at most ${webhookHeaderValueMaxLength} characters.`
  }
  return printable.test(value)
    ? undefined
    : 'The value of a header consists of printable ASCII characters on one line, without spaces at its ends.'
}

interface HeaderOwner {
  readonly merchantId: string
  readonly endpointId: string
}

export interface HeaderReceiver extends HeaderOwner {
  readonly url: string
}

/** The encrypted headers, with the origin to which their values may be sent. */
interface StoredHeaders {
  readonly origin: string
  readonly headers: readonly CustomHeader[]
}

export function sealHeaders(vault: Vault, receiver: HeaderReceiver, headers: readonly CustomHeader[]): Buffer {
  const stored: StoredHeaders = { origin: new URL(receiver.url).origin, headers }
  return vault.seal(JSON.stringify(stored), bindingOf(receiver))
}

/** The stored custom headers of an endpoint cannot be sent. The merchant has to give their values again. */
export class HeadersError extends VaultError {}

/**
 * Throws a HeadersError if no key of this process decrypts the custom headers, or if the headers were stored for another
 * origin.
 */
export function openHeaders(
  vault: Vault,
  receiver: HeaderReceiver,
  sealed: Uint8Array | null,
): readonly CustomHeader[] {
  if (sealed === null) return []
  try {
    return parseHeaders(openHeaderText(vault, receiver, sealed), receiver)
  } catch (error) {
    throw error instanceof VaultError ? new HeadersError(error.message, { cause: error }) : error
  }
}

/** Decrypts the custom headers of an endpoint to their JSON text. */
export function openHeaderText(vault: Vault, owner: HeaderOwner, sealed: Uint8Array): string {
  return vault.open(sealed, bindingOf(owner))
}

/**
 * Parses the decrypted text of custom headers. The encryption is authenticated, so only sealHeaders() can have written
 * the text. Throws a VaultError if the headers were stored for another origin. This is possible, because an earlier
 * release without custom headers can change the URL of an endpoint and leave the headers unchanged.
 */
export function parseHeaders(text: string, { endpointId, url }: HeaderReceiver): readonly CustomHeader[] {
  const { origin, headers }: StoredHeaders = JSON.parse(text)
  if (origin === new URL(url).origin) return headers
  throw new VaultError(`The custom headers of endpoint ${endpointId} were stored for another scheme, host or port.`)
}

function bindingOf({ merchantId, endpointId }: HeaderOwner) {
  return { merchantId, purpose: 'webhook_headers', endpointId } as const
}

/** The text that is shown instead of the value of a custom header. */
export const hiddenValue = '••••••'

/**
 * Minimum length of a header value that is hidden in a stored response. A truncated response may end with a part of a
 * value. The part is hidden only if it has at least this length. Shorter texts occur by chance, and are no secrets.
 */
const hiddenMinLength = 8

/**
 * Returns the text of a response without the values of custom headers, which a receiver may repeat in its response. The
 * stored text of a long response is truncated, so it may end with a part of a value; this part is removed too. The
 * result is not longer than the given text.
 */
export function withoutValues(text: string, headers: readonly CustomHeader[]): string {
  const values = headers.flatMap(({ value }) => formsOf(value)).filter(({ length }) => length >= hiddenMinLength)
  // If one header value contains another, the longer value is replaced first, so that no part of it remains in the
  // text.
  const longestFirst = [...new Set(values)].toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, value) => withoutEnd(rest.replaceAll(value, hiddenValue), value), text)
}

/**
 * Returns the forms in which a receiver's response may contain a header value. Both the whole value and the part after
 * its first space, such as the key after `Bearer`, may occur as text, in JSON and in a URL.
 */
function formsOf(value: string): string[] {
  const parts = [value, value.slice(value.indexOf(' ') + 1).trim()]
  return parts.flatMap((part) => {
    const json = JSON.stringify(part).slice(1, -1)
    return [part, json, json.replaceAll('/', '\\/'), encodeURIComponent(part)]
  })
}

function withoutEnd(text: string, value: string): string {
  for (let length = value.length - 1; length >= hiddenMinLength; length--) {
    if (text.endsWith(value.slice(0, length))) return text.slice(0, -length) + hiddenValue
  }
  return text
}
