import type { IncomingMessage } from 'node:http'
import { cacheControlOf, mayBeUnmodified } from '../../../registry/kit/endpoint.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { OnGone } from '../../logistics/tracking/shipment-subscriptions.ts'
import { isListed, tagOf } from './etag.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'

export async function answerRead(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { endpoint } = operation
  const { params, query, body, caller, message } = request
  const { database, clock } = service.context
  const now = () => toTimestamp(clock.nowMs())
  const knows = (reply: object) => isListed(tagOf(endpoint, reply, operation.serialize(reply)), message)
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
  const serialized = operation.serialize(reply)
  const tag = mayBeUnmodified(endpoint) ? tagOf(endpoint, reply, serialized) : undefined
  const headers = { ...(tag === undefined ? {} : { ETag: tag }), 'Cache-Control': cacheControlOf(endpoint) }
  if (isListed(tag, message)) return { status: 304, body: '', headers }
  return { status: 200, body: serialized, headers }
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
