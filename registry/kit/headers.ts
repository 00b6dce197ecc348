import { z } from 'zod'
import { headersMaxBytes, idempotencyKeyMaxLength } from '../values/limits.ts'
import { defaultRateLimits, type RateClass } from '../values/rate-limits.ts'
import { cacheControlOf, type Endpoint, hasLocation, hasVersion, isTagged, mayBeUnmodified } from './endpoint.ts'
import { signatureHeader } from './event.ts'

/** Request and response headers that the OpenAPI document derives from the shape of an operation. */

/** Example `Idempotency-Key`, built from the order and the number of its refund, so that a retry sends the same key. */
export const idempotencyKeyExample = 'refund-shop-10042-1'

/** Returns the `Idempotency-Key` parameter. Every write accepts it; only `POST /refunds` honours it (spec 4.7). */
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
            'Unique key for each intended refund. A repeated request with the same key and body within 24 hours returns the ' +
            'first response again.',
          examples: [idempotencyKeyExample],
        })
    : z
        .string()
        .max(headersMaxBytes)
        .optional()
        .meta({
          param: { name: 'Idempotency-Key', in: 'header' },
          description:
            'Idempotency key. This operation ignores the key, and responds with `Idempotency-Status: ignored`.',
          examples: ['any-value'],
        })
}

const dryRunParameter = z
  .enum(['true', 'false'])
  .optional()
  .meta({
    param: { name: 'Service-Dry-Run', in: 'header' },
    description: 'Whether to run the whole operation and then roll it back (dry run). Nothing is stored.',
    examples: ['true'],
  })

/**
 * The `If-Match` parameter: `"v7"`, quoted as RFC 9110 requires, or `*` for any version. A suffix such as `-2` after
 * the version distinguishes states of a record with the same version. Weak tags are accepted, because compressing
 * proxies turn tags into weak tags.
 */
const ifMatchParameter = z
  .string()
  .regex(/^(\*|(W\/)?"v[1-9][0-9]{0,9}(-[A-Za-z0-9_-]{1,40})?")$/)
  .optional()
  .meta({
    // Maximum length of an `If-Match` value: `W/`, two quotes, `v`, ten digits, a hyphen and forty characters.
    maxLength: 56,
    param: { name: 'If-Match', in: 'header' },
    description:
      '`ETag` of the record when you last read it. If the record has changed since then, the request is rejected with ' +
      '`version_conflict`.',
    examples: ['"v3"'],
  })

/**
 * The `If-None-Match` parameter. It accepts any text: an unknown tag matches nothing, and the full response is sent.
 */
const ifNoneMatchParameter = z
  .string()
  .max(headersMaxBytes)
  .optional()
  .meta({
    param: { name: 'If-None-Match', in: 'header' },
    description:
      '`ETag` of a previous response. If the state is unchanged, the response has the status 304 and no body.',
    examples: ['"v3"'],
  })

export function headerParameters(endpoint: Endpoint) {
  if (endpoint.kind === 'write') return writeParameters(endpoint)
  return mayBeUnmodified(endpoint) ? [ifNoneMatchParameter] : []
}

function writeParameters(endpoint: Endpoint) {
  const always = [idempotencyKeyParameter(endpoint.idempotency), dryRunParameter]
  return endpoint.ifMatch === 'honoured' ? [...always, ifMatchParameter] : always
}

/** Signature headers of a webhook delivery: the header of spec 6, and those of the Standard Webhooks specification. */
export const signatureParameters = [
  z
    .string()
    .regex(/^t=\d+(,v1=[0-9a-f]{64})+$/)
    .meta({
      param: { name: signatureHeader, in: 'header' },
      description:
        'Timestamp and signature: `t` in Unix seconds, and `v1` as the HMAC-SHA256 of `<t>.<raw body>`, keyed with the ' +
        'endpoint’s signing secret, in lowercase hex.',
      examples: [`t=1795336200,v1=${'0f'.repeat(32)}`],
    }),
  z.string().meta({
    param: { name: 'webhook-id', in: 'header' },
    description: 'Identifier of the event, for Standard Webhooks verifiers.',
    examples: ['evt_01jd3f8q6hf5n8v1zr4c7e2m9k'],
  }),
  z.string().meta({
    param: { name: 'webhook-timestamp', in: 'header' },
    description: 'Time of this delivery attempt in Unix seconds, for Standard Webhooks verifiers.',
    examples: ['1795336200'],
  }),
  z.string().meta({
    param: { name: 'webhook-signature', in: 'header' },
    description: 'Signature of the delivery for Standard Webhooks verifiers: `v1,`, then the signature in base64.',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
]

const requestId = always('Identifier of the request. Include it when you contact support.', { type: 'string' })

function policyExample(rateClass: RateClass): string {
  const { quota, seconds } = defaultRateLimits[rateClass]
  return `"${rateClass}";q=${quota};w=${seconds}`
}

/**
 * Response headers of every write operation, including its error responses. They state whether the service honoured the
 * `Idempotency-Key`, and whether the request was a dry run.
 */
const writeHeaders = {
  'Idempotency-Status': header(
    'Whether the `Idempotency-Key` of the request was honoured. The header is left out when the request had no key.',
    {
      type: 'string',
      enum: ['honoured', 'ignored'],
    },
  ),
  'Service-Dry-Run': header(
    '`true` if the request was a dry run, which stores nothing. The header is left out otherwise.',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
}

/**
 * Returns the rate limit headers of an operation that needs a token (IETF draft “RateLimit header fields for HTTP”).
 */
function rateHeaders({ access, rateClass }: Endpoint) {
  if (access === 'public') return {}
  return {
    'RateLimit-Policy': header(
      `Rate limit policies of the request: the quota \`q\` refills within \`w\` seconds, such as \`${policyExample(rateClass)}\`.`,
      { type: 'string' },
    ),
    RateLimit: header(
      'The rate limit policy closest to its limit: `r` requests remain, and the quota is full again in `t` seconds.',
      { type: 'string' },
    ),
  }
}

export function successHeaders(endpoint: Endpoint, status: number) {
  return {
    'Request-Id': requestId,
    ...rateHeaders(endpoint),
    ...betaHeader(endpoint),
    ...deprecatedHeaders(endpoint),
    ...(hasLocation(endpoint, status)
      ? {
          Location: always('Path of the created record, or of the record that contains the created one.', {
            type: 'string',
          }),
        }
      : {}),
    ...(isTagged(endpoint) ? { ETag: etagHeader(endpoint) } : {}),
    'Cache-Control': cacheHeader(endpoint),
    ...(endpoint.kind === 'write' ? writeHeaders : {}),
    ...(endpoint.idempotency === 'honoured'
      ? {
          'Idempotency-Key': header('The idempotency key of the request.', { type: 'string' }),
          'Idempotent-Replayed': header(
            '`true` when the response repeats the first response to this idempotency key.',
            {
              type: 'string',
              enum: ['true'],
            },
          ),
          'Original-Request-Id': header(
            '`Request-Id` of the request that received the first response to this idempotency key.',
            { type: 'string' },
          ),
        }
      : {}),
  }
}

export function unmodifiedHeaders(endpoint: Endpoint) {
  return {
    'Request-Id': requestId,
    ...rateHeaders(endpoint),
    ...deprecatedHeaders(endpoint),
    ETag: etagHeader(endpoint),
    'Cache-Control': cacheHeader(endpoint),
  }
}

function etagHeader(endpoint: Endpoint) {
  const isRecord = hasVersion(endpoint) && endpoint.etagFields === undefined
  const meaning = isRecord
    ? 'Version and state of the record. Send this value as `If-Match` with a change: the change is rejected if the record has another version by then.'
    : 'Identifier of the returned state. Send it as `If-None-Match` to get status 304 while the state is unchanged.'
  return always(meaning, { type: 'string' })
}

function cacheHeader(endpoint: Endpoint) {
  return always('Caching rules of the response. With `no-cache`, revalidate a cached response before each reuse.', {
    type: 'string',
    enum: [cacheControlOf(endpoint)],
  })
}

/**
 * Statuses of errors that can occur before the service has identified the operation. Their responses may lack the
 * headers of the operation.
 */
const unparsedStatuses = [400, 408, 431]

export function errorHeaders(endpoint: Endpoint, status: number) {
  const ofOperation = { ...betaHeader(endpoint), ...deprecatedHeaders(endpoint) }
  return {
    'Request-Id': requestId,
    ...rateHeaders(endpoint),
    ...(unparsedStatuses.includes(status) ? optional(ofOperation) : ofOperation),
    'Service-Should-Retry': always('Whether the same request may succeed when it is sent again later.', {
      type: 'string',
      enum: ['true', 'false'],
    }),
    ...(endpoint.kind === 'write' ? writeHeaders : {}),
    ...(status === 401 ? { 'WWW-Authenticate': always('How to authenticate the request.', { type: 'string' }) } : {}),
    ...(status === 429
      ? { 'Retry-After': always('Seconds to wait before a retry of the request.', { type: 'integer' }) }
      : {}),
    ...(status === 409 || status === 503
      ? {
          'Retry-After': header(
            'Seconds to wait before a retry of the request. The header is left out when a retry does not help.',
            {
              type: 'integer',
            },
          ),
        }
      : {}),
  }
}

/** Returns the `Beta` header of a beta operation (spec 9), which makes its use visible in client logs. */
function betaHeader({ stability }: Endpoint) {
  if (stability !== 'beta') return {}
  return { Beta: always('`true` if the operation is in beta and may change.', { type: 'string', enum: ['true'] }) }
}

function deprecatedHeaders({ deprecated }: Endpoint) {
  if (deprecated === undefined) return {}
  return {
    Deprecation: always('When the operation was deprecated, as `@` followed by Unix seconds.', { type: 'string' }),
    ...(deprecated.sunset === undefined
      ? {}
      : { Sunset: always('When the operation may be removed, as an HTTP date.', { type: 'string' }) }),
    Link: always(
      'URL of the page that describes the replacement of the deprecated operation, as a link with `rel="deprecation"`.',
      {
        type: 'string',
      },
    ),
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

/** Returns the declaration of a response header that may be missing. */
function header(description: string, schema: HeaderSchema) {
  return { description, schema }
}

/** Returns the header declarations without `required`, so that every header is optional. */
function optional(headers: Readonly<Record<string, Header>>): Record<string, Header> {
  const entries = Object.entries(headers).map(([name, { description, schema }]) => [name, { description, schema }])
  return Object.fromEntries(entries)
}

function always(description: string, schema: HeaderSchema) {
  return { description, required: true, schema }
}
