import { type Refusal, refusalBody, refusalHeaders } from './refusal.ts'
import type { Answer } from './request.ts'

/** Spec 1: everything that is answered is application/json, and every answer names its request. */

export function success(answer: Answer, requestId: string): Response {
  return new Response(answer.body, {
    status: answer.status,
    headers: { 'Content-Type': 'application/json', 'Request-Id': requestId, ...answer.headers },
  })
}

export function failure(refusal: Refusal, requestId: string): Response {
  return new Response(refusalBody(refusal, requestId), {
    status: refusal.status,
    headers: failureHeaders(refusal, requestId),
  })
}

export function failureHeaders(refusal: Refusal, requestId: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Request-Id': requestId, ...refusalHeaders(refusal) }
}
