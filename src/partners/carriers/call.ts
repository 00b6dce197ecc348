import type { OutboundRequest, SafeFetch } from '../../outbound/safe-fetch.ts'
import { type ClassifiedResponse, classifyResponse } from './classify-response.ts'

export interface CarrierCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  /** Whether the request changes nothing at the carrier, so that it can be repeated and may use an open connection. */
  readonly isIdempotent?: boolean
}

export type Caller = (call: CarrierCall, signal: AbortSignal) => Promise<ClassifiedResponse>

/**
 * Maximum duration of a request whose caller passes no deadline in the signal. An aggregator may query its carriers for
 * a minute.
 */
const deadlineMs = 60_000

/**
 * Maximum size of a carrier's response. A page of a hundred shipments with their histories is about 500 KB. A truncated
 * response could not be parsed.
 */
const responseMaxBytes = 2 * 1024 * 1024

export function openCaller(send: SafeFetch['fetch'], root: string): Caller {
  const base = root.replace(/\/$/, '')
  return async ({ method, path, headers, body, isIdempotent = method === 'GET' }, signal) => {
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
      isIdempotent,
    }
    return classifyResponse(await send(request))
  }
}
