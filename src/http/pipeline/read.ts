import { cacheControlOf, mayBeUnmodified } from '../../../registry/kit/endpoint.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { OnDisconnect, Subscription } from '../../logistics/tracking/shipment-subscriptions.ts'
import { isListed, tagOf } from './etag.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'
import type { RequestHead } from './request-head.ts'

export async function answerRead(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { endpoint } = operation
  const { params, query, body, caller, message } = request
  const { database, clock } = service.context
  // A long poll reads from the primary database: when it is notified of a change, a standby may not have the change
  // yet.
  const isWaiting = endpoint.query?.shape.wait !== undefined
  const now = () => toTimestamp(clock.nowMs())
  const isUnmodified = (reply: object) => isListed(tagOf(endpoint, reply, operation.serialize(reply)), message)
  const subscription: Subscription = {
    ...service.subscription,
    // A waiting long poll is not counted as a concurrent request, so other requests of the token may use its
    // concurrency slot.
    wait: (...args) => request.slot.whileIdle(() => service.subscription.wait(...args)),
  }
  const waiting = { subscription, isUnmodified, onDisconnect: onGoneOf(message), now }
  const carriers = service.logistics?.carriers
  const reply = await operation.handle({
    params,
    query,
    body,
    caller,
    now: now(),
    db: isWaiting ? database : await service.readDb(caller.merchantId),
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

/**
 * Registers a listener for the disconnect of the caller. Each registration returns a function that removes the
 * listener.
 */
export function onGoneOf({ socket }: RequestHead): OnDisconnect {
  return (listener) => {
    socket.once('close', listener)
    // A socket that is already closed emits no further close event, so the listener is called at once.
    if (socket.destroyed) listener()
    return () => socket.off('close', listener)
  }
}
