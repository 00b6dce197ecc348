import type { IncomingMessage, ServerResponse } from 'node:http'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
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
 * Rejects requests above their limits or the load of the process before they enter the pipeline, which costs several
 * times as much as the rejection. A client that ignores `Retry-After` can send thousands of requests a second, which
 * delay those of other clients. All other requests go to the pipeline, which checks the same limits again.
 *
 * Reports whether the request was rejected. The result is synchronous unless the token must be read from the database.
 */
export type RejectEarly = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean | Promise<boolean>

export function createRejectEarly(service: Service, operations: readonly Operation[]): RejectEarly {
  const router = routerOf(operations)
  return (incoming, outgoing) => {
    const [path = ''] = (incoming.url ?? '').split('?', 1)
    const endpoint = router(incoming.method ?? '', path)
    if (endpoint === undefined) return false
    const rejectWith = (refusal: Refusal | undefined, caller: Caller | undefined): boolean => {
      if (refusal === undefined) return false
      reject(service, { endpoint, caller, refusal }, { incoming, outgoing })
      return true
    }
    const rejects = (caller: Caller | undefined) =>
      rejectWith(caller && service.admission.rejection(caller, endpoint), caller)
    if (rejectWith(service.rejectionOfFailures(incoming), undefined)) return true
    const caller = service.findCaller(incoming)
    return caller instanceof Promise ? caller.then(rejects) : rejects(caller)
  }
}

/**
 * Returns a function that finds the operation of a method and path. It does not find public operations, which have no
 * rate limits.
 */
function routerOf(operations: readonly Operation[]): (method: string, path: string) => Endpoint | undefined {
  const router = new SmartRouter<Endpoint>({ routers: [new RegExpRouter(), new TrieRouter()] })
  for (const { endpoint } of operations) {
    const { access, method, path } = endpoint
    if (access !== 'public') router.add(method.toUpperCase(), apiRoot + path.replace(/\{(\w+)\}/g, ':$1'), endpoint)
  }
  return (method, path) => router.match(method, path)[0][0]?.[0]
}

interface Rejection {
  readonly endpoint: Endpoint
  /** The authenticated caller. Undefined for a request without a valid token. */
  readonly caller: Caller | undefined
  readonly refusal: Refusal
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

function reject(service: Service, rejection: Rejection, { incoming, outgoing }: Exchange): void {
  const { endpoint, caller, refusal } = rejection
  const requestId = newId('req', service.context.clock.nowMs())
  const body = refusalBody(refusal, requestId, service.originOf(incoming))
  const headers = {
    ...(endpoint.kind === 'write' ? repeatedHeadersOf(incoming) : {}),
    ...failureHeaders(refusal, requestId),
    ...(endpoint.stability === 'beta' ? { Beta: 'true' } : {}),
    ...deprecationHeaders(endpoint),
    'Content-Length': String(Buffer.byteLength(body)),
  }
  service.heldResponses.send(() => outgoing.writeHead(refusal.status, headers).end(body))
  const { id: operation, method, path } = endpoint
  const { merchantId, by, sourceIp } = caller ?? {}
  const tokenId = by?.id
  const { status, code: errorCode } = refusal
  service.meters.requestStarted()
  if (refusal.code === 'rate_limited') service.meters.rateLimited(String(Reflect.get(refusal.details, 'policy')))
  service.meters.requestEnded({ operation, status, durationMs: 0 })
  if (!service.logsRejection(tokenId ?? anonymous)) return
  const route = `${method} ${apiRoot}${path}`
  service.log.info({ requestId, merchantId, tokenId, operation, route, status, errorCode, durationMs: 0 }, 'request')
  if (merchantId === undefined || tokenId === undefined || sourceIp === undefined) return
  service.requestLog?.add({ merchantId, id: requestId, operation, status, errorCode, durationMs: 0, tokenId, sourceIp })
}

/**
 * Stands for the token id in log lines about requests without a valid token. The rejections of all these requests are
 * logged together, once a second.
 */
export const anonymous = 'anonymous'

/**
 * Maximum number of tokens whose last log line is remembered, more than are rejected in one second. If a token is
 * evicted, its next rejection is logged again.
 */
const tokensMax = 10_000

/** Minimum interval between log lines about one token, short enough to show when its requests are rejected. */
const loggedEveryMs = 1_000

/**
 * Returns the function that decides whether a rejection of a token is logged, which is once a second. Logging each of
 * thousands of rejections would cost more than the rejections.
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
