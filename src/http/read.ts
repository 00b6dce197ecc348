import type { IncomingMessage } from 'node:http'
import { type Endpoint, mayBeUnmodified } from '../../registry/endpoint.ts'
import { cacheControl } from '../../registry/headers.ts'
import { toTimestamp } from '../clock.ts'
import type { OnGone } from '../logistics/tracking/watch-shipments.ts'
import { etagHeader, isKnown } from './etag.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'

/** What was kept may be used again only after asking; and it is one merchant's, so that no cache in between keeps it. */
const askFirst = { 'Cache-Control': 'private, no-cache' }

export async function answerRead(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { endpoint } = operation
  const { params, query, body, caller, message } = request
  const { database, clock } = service.context
  const now = () => toTimestamp(clock.nowMs())
  const knows = (reply: object) => isKnown(endpoint, reply, message)
  const waiting = { watch: service.watch, knows, onGone: onGoneOf(message), now }
  const carriers = service.logistics?.carriers
  const reply = await operation.handle({
    params,
    query,
    body,
    caller,
    now: now(),
    db: database,
    carriers,
    waiting,
    refuse,
  })
  const headers = { ...etagHeader(endpoint, reply), ...cacheHeader(endpoint) }
  if (isKnown(endpoint, reply, message)) return { status: 304, body: '', headers }
  return { status: 200, body: operation.serialize(reply), headers }
}

/** Calls back when the caller hangs up, until that is no longer of interest: a connection carries many requests. */
function onGoneOf({ socket }: IncomingMessage): OnGone {
  return (listener) => {
    socket.once('close', listener)
    // One that is gone already says so no more.
    if (socket.destroyed) listener()
    return () => socket.off('close', listener)
  }
}

function cacheHeader(endpoint: Endpoint): Record<string, string> {
  if (mayBeUnmodified(endpoint)) return askFirst
  const { cacheSeconds } = endpoint
  return cacheSeconds === undefined ? {} : { 'Cache-Control': cacheControl(cacheSeconds) }
}
