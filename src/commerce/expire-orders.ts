import type { MerchantId, OrderId } from '../../registry/vocabulary.ts'
import { toMs, toTimestamp } from '../clock.ts'
import type { Actor } from '../store/audit.ts'
import { type Context, mutate, type Work } from '../store/mutation.ts'
import { listExpiredOrders } from '../store/order-moves.ts'
import { lockMovable, moveOrder } from './move-order.ts'

/** One look takes so many: each is a transaction of its own, and what is left waits for the next look. */
const batchSize = 100

const system: Actor = {
  type: 'system',
  id: null,
  label: 'expiry of unpaid orders',
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

/** Cancels the orders nobody paid in time, of all merchants. Returns how many it cancelled. */
export async function expireOrders(context: Context): Promise<number> {
  let cancelled = 0
  for (;;) {
    const due = await listExpiredOrders(context.database, toTimestamp(context.clock.nowMs()), batchSize)
    let progress = 0
    for (const order of due) if (await expireOrder(context, order)) progress += 1
    cancelled += progress
    // What was due and could not be cancelled was paid meanwhile, or is looked at again by the next job.
    if (due.length < batchSize || progress === 0) return cancelled
  }
}

interface DueOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly mode: 'live' | 'test'
}

async function expireOrder(context: Context, { merchantId, orderId, mode }: DueOrder): Promise<boolean> {
  const outcome = await mutate<{ id: OrderId; isCancelled: boolean }, 'order.status_changed'>(
    context,
    {
      tenant: { merchantId, mode },
      actor: system,
      action: 'order.expire',
      resourceType: 'order',
      resourceId: ({ id }) => id,
      emits: ['order.status_changed'],
    },
    async (work) => ({ id: orderId, isCancelled: await cancelIfDue(work, orderId) }),
  )
  return outcome.isCancelled
}

/** It may have been paid, held or cancelled between the look and the lock. */
async function cancelIfDue(work: Work<'order.status_changed'>, id: OrderId): Promise<boolean> {
  const order = await lockMovable(work, id)
  const expiresAt = order?.record.expiresAt ?? null
  if (order === undefined || expiresAt === null || toMs(expiresAt) > work.nowMs) {
    work.leaveUnchanged()
    return false
  }
  return moveOrder(work, order, { to: 'cancelled', reason: 'expired', cancelReason: 'expired' }).is === 'moved'
}
