import { toTimestamp } from '../../base/clock.ts'
import { buyerLinksOf, type LinkedOrder } from '../../buyer/link.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import type { Waiting } from './implement.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'

export async function read(
  { context: { database, clock }, readDb, logistics, subscription, buyerLinkKeys }: OperationContext,
  operation: Operation,
  call: ValidCall,
): Promise<Reply> {
  const { params, query, body, caller, isUnmodified, onDisconnect, slot, origin } = call
  // A long poll reads from the primary database: when it is notified of a change, a standby may not have the change
  // yet.
  const isWaiting = operation.endpoint.query?.shape.wait !== undefined
  const waiting: Waiting = {
    isUnmodified,
    // A waiting long poll is not counted as a concurrent request, so other requests of the token may use its
    // concurrency slot.
    wait: (key, known, waitMs) => slot.whileIdle(() => subscription.wait(key, known, { waitMs, onDisconnect })),
    now: () => toTimestamp(clock.nowMs()),
  }
  const record = await operation.handle({
    params,
    query,
    body,
    caller,
    now: toTimestamp(clock.nowMs()),
    db: isWaiting ? database : await readDb(caller.merchantId),
    carriers: logistics?.carriers,
    waiting,
    buyerLinks: (order: Omit<LinkedOrder, 'merchantId'>) => {
      const signing = { origin: origin(), keys: buyerLinkKeys }
      return buyerLinksOf(signing, { ...order, merchantId: caller.merchantId }, clock.nowMs())
    },
    refuse,
  })
  return { is: 'record', status: 200, record, location: null, idempotencyKey: undefined }
}
