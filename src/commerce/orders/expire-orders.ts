import { type OrderMoveEvents, orderMoveEvents } from '../../../registry/kit/event.ts'
import { isActiveOrDelivered } from '../../../registry/logistics/shipment-states.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { systemActor } from '../../store/core/audit.ts'
import { isUnavailable } from '../../store/core/faults.ts'
import { type Context, mutate, type Work } from '../../store/core/mutation.ts'
import { findKeptKobo } from '../../store/orders/kept-payments.ts'
import { listExpiredOrders } from '../../store/orders/order-moves.ts'
import { clearOrderExpiry } from '../../store/orders/order-writes.ts'
import { lockMovable, moveOrder } from './move-order.ts'
import { isPartlyPaid, reportPartlyPaid } from './payment-problems.ts'

/** Maximum number of expired orders that one query returns. Each order is cancelled in its own transaction. */
const batchSize = 100

const system = systemActor('expiry of unpaid orders')

export interface Expired {
  readonly cancelled: number
  readonly failures: readonly ExpiryFailure[]
}

/** An expired order whose cancellation failed, for example because of a lock timeout or inconsistent records. */
export interface ExpiryFailure {
  readonly orderId: OrderId
  readonly error: unknown
}

/**
 * Cancels the expired unpaid orders of all merchants. An order that is partly paid is reported to its merchant instead.
 * An order that cannot be cancelled does not block other orders: it is returned as a failure, and the next job retries
 * it.
 */
export async function expireOrders(context: Context): Promise<Expired> {
  let cancelled = 0
  const failures = new Map<OrderId, unknown>()
  for (;;) {
    // The orders whose cancellation failed are still expired and among the oldest, so the next query returns them
    // again. The limit of this query is raised by the number of these orders, so that the query also returns a full
    // batch of other orders.
    const limit = batchSize + failures.size
    const due = await listExpiredOrders(context.database, { now: toTimestamp(context.clock.nowMs()), limit })
    let progress = 0
    for (const order of due.filter(({ orderId }) => !failures.has(orderId))) {
      const outcome = await tryToExpire(context, order)
      if (outcome.is === 'failed') failures.set(order.orderId, outcome.error)
      if (outcome.is === 'cancelled') cancelled += 1
      if (outcome.is !== 'no_longer_due') progress += 1
    }
    if (due.length < limit || progress === 0) {
      return { cancelled, failures: [...failures].map(([orderId, error]) => ({ orderId, error })) }
    }
  }
}

type ExpiryOutcome =
  | { readonly is: 'cancelled' }
  /** The expired order is partly paid, so it was reported to the merchant instead of being cancelled. */
  | { readonly is: 'reported' }
  | { readonly is: 'no_longer_due' }
  | { readonly is: 'failed'; readonly error: unknown }

async function tryToExpire(context: Context, order: DueOrder): Promise<ExpiryOutcome> {
  try {
    return await expireOrder(context, order)
  } catch (error) {
    // During a database outage every other order would fail too, so the whole expiry run fails.
    if (isUnavailable(error)) throw error
    return { is: 'failed', error }
  }
}

interface DueOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly mode: 'live' | 'test'
}

type ExpiryEvents = OrderMoveEvents | 'shipment.exception_raised'

async function expireOrder(context: Context, { merchantId, orderId, mode }: DueOrder): Promise<ExpiryOutcome> {
  const mutation = {
    tenant: { merchantId, mode },
    actor: system,
    action: 'order.expire',
    resourceType: 'order',
    resourceId: () => orderId,
    emits: [...orderMoveEvents, 'shipment.exception_raised'],
  } as const
  return mutate(context, mutation, (work: Work<ExpiryEvents>) => expireIfDue(work, orderId))
}

/**
 * Cancels an order if it is still expired. The order was selected by an earlier query, and may have been paid, put on
 * hold, cancelled or shipped since then. It is therefore checked again under its lock.
 */
async function expireIfDue(work: Work<ExpiryEvents>, id: OrderId): Promise<ExpiryOutcome> {
  const order = await lockMovable(work, id)
  const expiresAt = order?.record.expiresAt ?? null
  const isSent = order?.record.shipments.some(({ status }) => isActiveOrDelivered(status)) ?? false
  if (order === undefined || expiresAt === null || toMs(expiresAt) > work.nowMs || isSent) {
    return work.abort({ is: 'no_longer_due' })
  }
  const { trx, merchantId, now, note } = work
  // An order with recorded payments may still be entirely unpaid, because lost disputes may have returned the payments.
  // Such an order is cancelled.
  if (isPartlyPaid(order.locked) && (await findKeptKobo(trx, { merchantId, orderId: id })) > 0) {
    clearOrderExpiry(trx, { merchantId, id, now })
    reportPartlyPaid(work, order.locked)
    note({ expiresAt: [expiresAt, null] })
    return { is: 'reported' }
  }
  const outcome = await moveOrder(work, order, { to: 'cancelled', reason: 'expired', cancelReason: 'expired' })
  return outcome.is === 'moved' ? { is: 'cancelled' } : work.abort({ is: 'no_longer_due' })
}
