import { type Refusal, refusalBody, refusalHeaders } from './refusal.ts'
import type { Answer } from './request.ts'

/** Spec 1: everything that is answered is application/json, and every answer names its request. */

/** It says that there is nothing to say, and has no body whose type could be named. */
const notModified = 304

export function success(answer: Answer, requestId: string): Response {
  const { status, body, headers } = answer
  if (status === notModified) return new Response(null, { status, headers: { 'Request-Id': requestId, ...headers } })
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'application/json', 'Request-Id': requestId, ...headers },
  })
}

/** `origin` is where the reference is, for the page of the code. */
export function failure(refusal: Refusal, requestId: string, origin: string): Response {
  return new Response(refusalBody(refusal, requestId, origin), {
    status: refusal.status,
    headers: failureHeaders(refusal, requestId),
  })
}

export function failureHeaders(refusal: Refusal, requestId: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Request-Id': requestId, ...refusalHeaders(refusal) }
}
