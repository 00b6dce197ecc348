import { type Refusal, refusalBody, refusalHeaders } from './refusal.ts'
import type { Answer } from './request.ts'

/** Spec 1: everything that is answered is application/json, and every answer names its request. */

/** It says that there is nothing to say, and has no body whose type could be named. */
const notModified = 304

/** Unless an answer says otherwise it holds for its moment only. */
const notKept = { 'Cache-Control': 'no-store' }

export function success(answer: Answer, requestId: string): Response {
  const { status, body, headers } = answer
  if (status === notModified) return new Response(null, { status, headers: { 'Request-Id': requestId, ...headers } })
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json',
      // Said here, because the answer to a HEAD request has no body that it could be counted by.
      'Content-Length': lengthOf(body),
      'Request-Id': requestId,
      ...notKept,
      ...headers,
    },
  })
}

/** `origin` is where the reference is, for the page of the code; `more` is what the operation says with every answer. */
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
  return { 'Content-Type': 'application/json', 'Request-Id': requestId, ...notKept, ...refusalHeaders(refusal) }
}

function lengthOf(body: string | Uint8Array): string {
  return String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength)
}
