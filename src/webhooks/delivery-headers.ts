import type { EventId } from '../../registry/values/vocabulary.ts'
import { userAgent } from '../outbound/user-agent.ts'
import { signatureHeaders } from './sign.ts'

/** A header that a merchant has added to the deliveries of an endpoint, such as the key of a gateway. */
export interface CustomHeader {
  readonly name: string
  readonly value: string
}

interface SignedDelivery {
  /** The signing secrets, the current one first. Without secrets, the headers have no signatures. */
  readonly secrets: readonly string[]
  readonly eventId: EventId
  /** When the attempt started. The signatures contain this time in seconds (spec 6). */
  readonly startedMs: number
  readonly body: string
  readonly headers: readonly CustomHeader[]
}

/** Returns the headers of a delivery attempt, apart from those that HTTP adds to every request. */
export function deliveryHeaders({
  secrets,
  eventId,
  startedMs,
  body,
  headers,
}: SignedDelivery): Record<string, string> {
  const seconds = Math.floor(startedMs / 1000)
  return requestHeaders(signatureHeaders({ secrets, eventId, seconds, body }), headers)
}

/** Returns the headers of a request to a receiver. A custom header never replaces a header of the service. */
export function requestHeaders(
  signatures: Readonly<Record<string, string>>,
  headers: readonly CustomHeader[],
): Record<string, string> {
  const custom = headers.filter(({ name }) => !isOwnHeader(name))
  return { ...Object.fromEntries(custom.map(({ name, value }) => [name, value])), ...fixedHeaders, ...signatures }
}

const fixedHeaders = { 'content-type': 'application/json', 'user-agent': userAgent }

/** The headers that the HTTP client adds to every request with a body. */
const clientHeaders = ['host', 'connection', 'content-length']

/** Names of the headers that the service sets in every delivery, in lower case. */
const ownHeaders = new Set(
  [
    ...Object.keys(fixedHeaders),
    ...Object.keys(signatureHeaders({ secrets: [], eventId: '', seconds: 0, body: '' })),
    ...clientHeaders,
  ].map((name) => name.toLowerCase()),
)

export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name.toLowerCase())
}
