import { toTimestamp } from '../../base/clock.ts'
import type { Subscription } from '../../logistics/tracking/shipment-subscriptions.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'

export async function read(
  { context: { database, clock }, readDb, logistics, subscription: shared }: OperationContext,
  operation: Operation,
  call: ValidCall,
): Promise<Reply> {
  const { params, query, body, caller, isUnmodified, onDisconnect, slot } = call
  // A long poll reads from the primary database: when it is notified of a change, a standby may not have the change
  // yet.
  const isWaiting = operation.endpoint.query?.shape.wait !== undefined
  const now = () => toTimestamp(clock.nowMs())
  const subscription: Subscription = {
    ...shared,
    // A waiting long poll is not counted as a concurrent request, so other requests of the token may use its
    // concurrency slot.
    wait: (...args) => slot.whileIdle(() => shared.wait(...args)),
  }
  const record = await operation.handle({
    params,
    query,
    body,
    caller,
    now: now(),
    db: isWaiting ? database : await readDb(caller.merchantId),
    carriers: logistics?.carriers,
    waiting: { subscription, isUnmodified, onDisconnect, now },
    refuse,
  })
  return { is: 'record', status: 200, record, location: null, idempotencyKey: undefined }
}
