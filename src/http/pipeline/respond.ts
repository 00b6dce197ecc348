import { type Refusal, refusalBody, refusalHeaders } from './refusal.ts'
import type { Answer } from './request.ts'

/** Builds responses: every body is application/json, and every response has a Request-Id (spec 1). */

/** HTTP status of a response without a body, and therefore without a content type. */
const notModified = 304

/** Default of `Cache-Control`: responses must not be cached. */
const noStore = { 'Cache-Control': 'no-store' }

export function success(answer: Answer, requestId: string): Response {
  const { status, body, headers } = answer
  if (status === notModified) return new Response(null, { status, headers: { 'Request-Id': requestId, ...headers } })
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json',
      // `Content-Length` is set explicitly, because the response to HEAD has no body from which it could be computed.
      'Content-Length': lengthOf(body),
      'Request-Id': requestId,
      ...noStore,
      ...headers,
    },
  })
}

/** Returns an error response. `origin` is used in `docUrl`; `more` are headers of every response of the operation. */
export function failure(
  refusal: Refusal,
  requestId: string,
  origin: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const body = refusalBody(refusal, requestId, origin)
  const headers = { ...more, ...failureHeaders(refusal, requestId), 'Content-Length': lengthOf(body) }
  return new Response(body, { status: refusal.status, headers })
}

export function failureHeaders(refusal: Refusal, requestId: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Request-Id': requestId, ...noStore, ...refusalHeaders(refusal) }
}

function lengthOf(body: string | Uint8Array): string {
  return String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength)
}
