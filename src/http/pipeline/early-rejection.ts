import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { deprecationHeaders } from '../../../registry/values/deprecation.ts'
import { newId } from '../../base/ids.ts'
import type { Caller } from './caller.ts'
import type { Operation } from './operation.ts'
import { type Refusal, refusalBody } from './refusal.ts'
import type { Service } from './request.ts'
import { failureHeaders } from './respond.ts'
import { repeatedHeadersOf } from './write.ts'

/**
 * Rejects requests above their limits before routing, which costs several times as much as the rejection. A client that ignores
 * `Retry-After` can send thousands of requests a second, and the requests of others wait behind them. Everything else passes on
 * to the pipeline, which decides again: this is only a shortcut.
 */
export type RejectEarly = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** Returns the function that answers a request above its limits, and reports whether it did. */
export function createRejectEarly(service: Service, operations: readonly Operation[]): RejectEarly {
  const endpoints = new Map(operations.flatMap(({ endpoint }) => keyed(endpoint)))
  return (incoming, outgoing) => {
    const [path = ''] = (incoming.url ?? '').split('?', 1)
    const endpoint = endpoints.get(`${incoming.method} ${path}`)
    if (endpoint === undefined) return false
    const caller = service.cachedCaller(incoming)
    if (caller === undefined) return false
    const refusal = service.admission.rejection(caller, endpoint)
    if (refusal === undefined) return false
    reject(service, { endpoint, caller, refusal }, { incoming, outgoing })
    return true
  }
}

/** Returns the endpoint by its method and path. Without an entry are public operations, and paths that need a router. */
function keyed(endpoint: Endpoint): [string, Endpoint][] {
  const { access, method, path } = endpoint
  return access === 'public' || path.includes('{') ? [] : [[`${method} ${apiRoot}${path}`, endpoint]]
}

interface Rejection {
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly refusal: Refusal
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

function reject(service: Service, { endpoint, caller, refusal }: Rejection, { incoming, outgoing }: Exchange): void {
  const requestId = newId('req', service.context.clock.nowMs())
  const body = refusalBody(refusal, requestId, service.originOf(incoming))
  outgoing.writeHead(refusal.status, {
    ...(endpoint.kind === 'write' ? repeatedHeadersOf(incoming) : {}),
    ...failureHeaders(refusal, requestId),
    ...(endpoint.stability === 'beta' ? { Beta: 'true' } : {}),
    ...deprecationHeaders(endpoint),
    'Content-Length': String(Buffer.byteLength(body)),
  })
  outgoing.end(body)
  const { id: operation, method, path } = endpoint
  const { merchantId, by, sourceIp } = caller
  const { status } = refusal
  service.meters.requestStarted()
  service.meters.rateLimited(String(Reflect.get(refusal.details, 'policy')))
  service.meters.requestEnded({ operation, status, durationMs: 0 })
  if (!service.logsRejection(by.id)) return
  const route = `${method} ${apiRoot}${path}`
  service.log.info({ requestId, merchantId, tokenId: by.id, operation, route, status, durationMs: 0 }, 'request')
  const logged = { merchantId, id: requestId, operation, status, durationMs: 0, tokenId: by.id, sourceIp }
  service.requestLog?.add({ ...logged, errorCode: refusal.code })
}

/** More tokens than are rejected within a second. An evicted token has one more rejection in the log. */
const tokensMax = 10_000

/** Enough to see that and when a token is rejected. */
const loggedEveryMs = 1_000

/**
 * Returns the function that reports whether a rejection of a token is logged: one a second. Logging each of thousands would cost
 * more than the rejections.
 */
export function openRejectionLog(nowMs: () => number): (tokenId: string) => boolean {
  const loggedMs = new LRUCache<string, number>({ max: tokensMax })
  return (tokenId) => {
    const now = nowMs()
    if (now - (loggedMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < loggedEveryMs) return false
    loggedMs.set(tokenId, now)
    return true
  }
}
