import type { IncomingMessage } from 'node:http'
import { errors } from '../../../registry/errors/index.ts'
import { cacheControlOf, type Endpoint, mayBeUnmodified } from '../../../registry/kit/endpoint.ts'
import { deprecationHeaders } from '../../../registry/values/deprecation.ts'
import type { Reply } from '../../operations/execute/call.ts'
import type { Operation } from '../../operations/execute/operation.ts'
import { type Refusal, refusalBody } from '../../operations/execute/refusal.ts'
import { isListed, tagOf } from './etag.ts'
import type { Answer, Exchange } from './exchange.ts'
import type { RequestHead } from './request-head.ts'

/** Builds responses: every body except exports is application/json, and every response has a Request-Id (spec 1). */

export const noStore = { 'Cache-Control': 'no-store' }

export function answerOf(
  { endpoint, serialize }: Operation,
  reply: Exclude<Reply, { is: 'stream' }>,
  message: RequestHead,
): Answer {
  if (reply.is === 'replayed') return replayOf(reply)
  const { status, record, text: body = serialize(record), location } = reply
  if (endpoint.kind === 'write') {
    const tag = tagOf(endpoint, record, body)
    const headers = {
      ...(location === null ? {} : { Location: location }),
      ...(tag === undefined ? {} : { ETag: tag }),
      ...honouredHeaders(reply.idempotencyKey),
    }
    return { status, body, headers }
  }
  const headers = { 'Cache-Control': cacheControlOf(endpoint) }
  const tag = mayBeUnmodified(endpoint) ? tagOf(endpoint, record, body) : undefined
  if (tag === undefined) return { status, body, headers }
  const tagged = { ETag: tag, ...headers }
  return isListed(tag, message) ? { status: 304, body: undefined, headers: tagged } : { status, body, headers: tagged }
}

function replayOf({ stored, idempotencyKey }: Extract<Reply, { is: 'replayed' }>): Answer {
  const { status, body, location, requestId } = stored
  return {
    status,
    body,
    headers: {
      ...(location === null ? {} : { Location: location }),
      ...(status >= 400 ? { 'Service-Should-Retry': 'false' } : {}),
      'Idempotent-Replayed': 'true',
      'Original-Request-Id': requestId,
      ...honouredHeaders(idempotencyKey),
    },
  }
}

/**
 * Returns the headers that every response to a request of the operation has, including errors. `Service-Dry-Run` marks
 * the response to a dry run. `Idempotency-Status: ignored` is the default, which the response of an operation with
 * idempotency keys replaces. Responses of beta operations have the `Beta` header (spec 9).
 */
export function commonHeaders(endpoint: Endpoint, message: RequestHead): Record<string, string> {
  const isWrite = endpoint.kind === 'write'
  return {
    ...(isWrite && message.headers['idempotency-key'] !== undefined ? { 'Idempotency-Status': 'ignored' } : {}),
    ...(isWrite && message.headers['service-dry-run'] === 'true' ? { 'Service-Dry-Run': 'true' } : {}),
    ...(endpoint.stability === 'beta' ? { Beta: 'true' } : {}),
    ...(endpoint.deprecated === undefined ? {} : deprecationHeaders(endpoint)),
  }
}

function honouredHeaders(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'Idempotency-Status': 'honoured', 'Idempotency-Key': key }
}

export function send({ message, outgoing, requestId, headers: common }: Exchange, answer: Answer): void {
  const { status, body, headers } = answer
  // `Content-Length` is set explicitly, because the response to HEAD has no body from which it could be computed.
  const content =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  // The route's headers come last, so that they replace the default headers of the same names.
  const all = { ...content, 'Request-Id': requestId, ...noStore, ...headers, ...common, ...headers }
  outgoing.writeHead(status, all).end(body)
  if (!message.complete) closeUnread(message)
}

/**
 * Closes the connection if the client does not finish sending the request body soon after the response. Otherwise a
 * client could send a rejected body for as long as it likes.
 */
function closeUnread(message: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!message.complete) message.socket.destroySoon()
  }, unreadBodyMs)
  timer.unref()
}

/** Time in milliseconds that the client has to send the rest of the request body after the response was sent. */
const unreadBodyMs = 500

/** `origin` is used in `docUrl`. */
export function failure(refusal: Refusal, requestId: string, origin: string): Answer {
  return { status: refusal.status, body: refusalBody(refusal, requestId, origin), headers: refusalHeaders(refusal) }
}

/** Returns the headers of an error response to bytes that could not be parsed. */
export function failureHeaders(refusal: Refusal, requestId: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Request-Id': requestId, ...noStore, ...refusalHeaders(refusal) }
}

/**
 * Default `Retry-After` of retryable errors, in seconds. Most of these errors are lock conflicts, and locks are held
 * for milliseconds.
 */
const retryAfterSeconds = '1'

export function refusalHeaders(refusal: Refusal): Record<string, string> {
  const declared = errors[refusal.code]
  const isRetryable = declared.retryable ?? false
  return {
    'Service-Should-Retry': String(isRetryable),
    ...(isRetryable && (declared.status === 409 || declared.status === 503)
      ? { 'Retry-After': retryAfterSeconds }
      : {}),
    ...(declared.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(declared.retryAfterSeconds) }),
    ...(declared.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...honouredHeaders(refusal.more.idempotencyKey),
    ...refusal.more.headers,
  }
}
