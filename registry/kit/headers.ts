import { z } from 'zod'
import { headersMaxBytes, idempotencyKeyMaxLength } from '../values/limits.ts'
import { cacheControlOf, type Endpoint, hasLocation, hasVersion, isTagged, mayBeUnmodified } from './endpoint.ts'
import { signatureHeader } from './event.ts'

/** The headers that follow from an operation's shape, as the document tells them. */

/** Tells the order and which of its refunds it is: whoever repeats it means the same refund. */
export const idempotencyKeyExample = 'refund-shop-10042-1'

/** Spec 4.7: every write endpoint accepts it; only POST /refunds honours it. */
function idempotencyKeyParameter(idempotency: 'honoured' | undefined) {
  return idempotency === 'honoured'
    ? z
        .string()
        .min(1)
        .max(idempotencyKeyMaxLength)
        .regex(/^[\x20-\x7e]+$/)
        .optional()
        .meta({
          param: { name: 'Idempotency-Key', in: 'header' },
          description:
            'One key for each refund you intend. The same key and body within 24 hours give the first answer again.',
          examples: [idempotencyKeyExample],
        })
    : z
        .string()
        .max(headersMaxBytes)
        .optional()
        .meta({
          param: { name: 'Idempotency-Key', in: 'header' },
          description: 'Accepted and ignored here: `Idempotency-Status: ignored` says so.',
          examples: ['any-value'],
        })
}

const dryRunParameter = z
  .enum(['true', 'false'])
  .optional()
  .meta({
    param: { name: 'Service-Dry-Run', in: 'header' },
    description: 'With `true` everything is judged and answered, and nothing is kept.',
    examples: ['true'],
  })

/**
 * `v7`, quoted as RFC 9110 wants it; `*` means any version. What follows the version tells states of one version apart, and
 * a proxy that compresses answers makes the tag weak: the version is the same.
 */
const ifMatchParameter = z
  .string()
  .regex(/^(\*|(W\/)?"v[1-9][0-9]{0,9}(-[A-Za-z0-9_-]{1,40})?")$/)
  .optional()
  .meta({
    // `W/`, the quotes, `v`, ten digits, a hyphen and forty characters.
    maxLength: 56,
    param: { name: 'If-Match', in: 'header' },
    description: 'The `ETag` of the record as you know it. If it has changed since, nothing is done.',
    examples: ['"v3"'],
  })

/** Any text: what is no tag of ours matches nothing, and the answer is then given in full. */
const ifNoneMatchParameter = z
  .string()
  .max(headersMaxBytes)
  .optional()
  .meta({
    param: { name: 'If-None-Match', in: 'header' },
    description: 'The `ETag` of the answer you have. If it would be the same again, the status is 304.',
    examples: ['"v3"'],
  })

/** What an operation takes beside its query and its body. */
export function headerParameters(endpoint: Endpoint) {
  if (endpoint.kind === 'write') return writeParameters(endpoint)
  return mayBeUnmodified(endpoint) ? [ifNoneMatchParameter] : []
}

function writeParameters(endpoint: Endpoint) {
  const always = [idempotencyKeyParameter(endpoint.idempotency), dryRunParameter]
  return endpoint.ifMatch === 'honoured' ? [...always, ifMatchParameter] : always
}

/** Spec 6: what each delivery carries beside its body. */
export const signatureParameters = [
  z
    .string()
    .regex(/^t=\d+(,v1=[0-9a-f]{64})+$/)
    .meta({
      param: { name: signatureHeader, in: 'header' },
      description:
        '`t` in Unix seconds and HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s signing secret, in hex.',
      examples: [`t=1795336200,v1=${'0f'.repeat(32)}`],
    }),
  z.string().meta({
    param: { name: 'webhook-id', in: 'header' },
    description: 'The event’s id, for Standard Webhooks verifiers.',
    examples: ['evt_01jd3f8q6hf5n8v1zr4c7e2m9k'],
  }),
  z.string().meta({
    param: { name: 'webhook-timestamp', in: 'header' },
    description: 'Unix seconds of this attempt, for Standard Webhooks verifiers.',
    examples: ['1795336200'],
  }),
  z.string().meta({
    param: { name: 'webhook-signature', in: 'header' },
    description: '`v1,` and the signature in base64, for Standard Webhooks verifiers.',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
]

const requestId = always('Name it when asking for help.', { type: 'string' })

/** What every answer of a write repeats of the request, refusals too. */
const writeHeaders = {
  'Idempotency-Status': header('Whether the Idempotency-Key sent was honoured.', {
    type: 'string',
    enum: ['honoured', 'ignored'],
  }),
  'Service-Dry-Run': header('`true` when nothing was kept.', { type: 'string', enum: ['true'] }),
}

export function successHeaders(endpoint: Endpoint, status: number) {
  return {
    'Request-Id': requestId,
    ...betaHeader(endpoint),
    ...deprecatedHeaders(endpoint),
    ...(hasLocation(endpoint, status) ? { Location: always('Where the new record is.', { type: 'string' }) } : {}),
    ...(isTagged(endpoint) ? { ETag: etagHeader(endpoint) } : {}),
    'Cache-Control': cacheHeader(endpoint),
    ...(endpoint.kind === 'write' ? writeHeaders : {}),
    ...(endpoint.idempotency === 'honoured'
      ? {
          'Idempotency-Key': header('The key that was honoured.', { type: 'string' }),
          'Idempotent-Replayed': header('`true` when this is the first answer again.', {
            type: 'string',
            enum: ['true'],
          }),
          'Original-Request-Id': header('The request that was answered first.', { type: 'string' }),
        }
      : {}),
  }
}

/** What comes with a 304 beside its status. */
export function unmodifiedHeaders(endpoint: Endpoint) {
  return {
    'Request-Id': requestId,
    ...deprecatedHeaders(endpoint),
    ETag: etagHeader(endpoint),
    'Cache-Control': cacheHeader(endpoint),
  }
}

function etagHeader(endpoint: Endpoint) {
  const isRecord = hasVersion(endpoint) && endpoint.taggedBy === undefined
  const meaning = isRecord
    ? 'The record’s version and state; send it as `If-Match` to change only this version.'
    : 'Tells this state from any other; send it as `If-None-Match` to be spared the same again.'
  return always(meaning, { type: 'string' })
}

function cacheHeader(endpoint: Endpoint) {
  return always(
    'How long the answer may be kept, and whether for others. With `no-cache` it has to be asked about before it is used again.',
    { type: 'string', enum: [cacheControlOf(endpoint)] },
  )
}

/** What cannot be parsed names no operation, so that nothing of one can be said with its refusal. */
const unparsedStatuses = [400, 408, 431]

export function errorHeaders(endpoint: Endpoint, status: number) {
  const ofOperation = { ...betaHeader(endpoint), ...deprecatedHeaders(endpoint) }
  return {
    'Request-Id': requestId,
    ...(unparsedStatuses.includes(status) ? optional(ofOperation) : ofOperation),
    'Service-Should-Retry': always('Whether the same request may succeed later.', {
      type: 'string',
      enum: ['true', 'false'],
    }),
    ...(endpoint.kind === 'write' ? writeHeaders : {}),
    ...(status === 401 ? { 'WWW-Authenticate': always('How to authenticate.', { type: 'string' }) } : {}),
    ...(status === 409 || status === 503
      ? { 'Retry-After': header('Seconds to wait, when a retry is worth it.', { type: 'integer' }) }
      : {}),
  }
}

/** Spec 9: an operation can be marked beta. Whoever reads logs rather than the document is told so, too. */
function betaHeader({ stability }: Endpoint) {
  if (stability !== 'beta') return {}
  return { Beta: always('`true`: this operation may still change.', { type: 'string', enum: ['true'] }) }
}

/** What programs that are not read by anybody log of an operation that is going to leave. */
function deprecatedHeaders({ deprecated }: Endpoint) {
  if (deprecated === undefined) return {}
  return {
    Deprecation: always('Since when it should no longer be called: `@` and seconds since 1970.', { type: 'string' }),
    ...(deprecated.sunset === undefined
      ? {}
      : { Sunset: always('From when on it may be gone, as an HTTP date.', { type: 'string' }) }),
    Link: always('The page that says what to call instead, as `rel="deprecation"`.', { type: 'string' }),
  }
}

interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: HeaderSchema
}

interface HeaderSchema {
  readonly type: 'string' | 'integer'
  readonly enum?: string[]
}

/** It comes when there is something to say. */
function header(description: string, schema: HeaderSchema) {
  return { description, schema }
}

/** The same headers, of which a client has to ask whether they are there. */
function optional(headers: Readonly<Record<string, Header>>): Record<string, Header> {
  const entries = Object.entries(headers).map(([name, { description, schema }]) => [name, { description, schema }])
  return Object.fromEntries(entries)
}

/** It comes with every such answer, so that a client need not ask whether it is there. */
function always(description: string, schema: HeaderSchema) {
  return { description, required: true, schema }
}
