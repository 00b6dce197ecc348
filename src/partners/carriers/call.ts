import type { OutboundRequest, SafeFetch } from '../../outbound/safe-fetch.ts'
import { type ClassifiedResponse, classifyResponse } from './classify-response.ts'

export interface CarrierCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  /** It asks and begins nothing, so that a copy does no harm and an open connection may be used again. */
  readonly isQuestion?: boolean
}

export type Caller = (call: CarrierCall, signal: AbortSignal) => Promise<ClassifiedResponse>

/** The signal ends a call; this only bounds one whose caller forgot to. An aggregator may ask its carriers for a minute. */
const deadlineMs = 60_000

/** A page of a hundred shipments with their histories is some 500 KB; what is cut cannot be read. */
const responseMaxBytes = 2 * 1024 * 1024

/** JSON there and back, judged. */
export function openCaller(send: SafeFetch['fetch'], root: string): Caller {
  const base = root.replace(/\/$/, '')
  return async ({ method, path, headers, body, isQuestion = method === 'GET' }, signal) => {
    const request: OutboundRequest = {
      url: base + path,
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        'user-agent': 'Commerce-Service-Logistics/1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs,
      signal,
      responseMaxBytes,
      isIdempotent: isQuestion,
    }
    return classifyResponse(await send(request))
  }
}
