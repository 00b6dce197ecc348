import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'

export interface StatusChange {
  readonly from: OrderStatus
  readonly to: OrderStatus
  readonly reason: string | null
  /** The order's version after the change. */
  readonly version: number
}

/** Emits the event order.status_changed and adds the status change to the audit row of the mutation. */
export function emitStatusChange(
  work: Work<'order.status_changed'>,
  { id: orderId, number }: { readonly id: OrderId; readonly number: string },
  change: StatusChange,
): void {
  const { type, id } = work.actor
  work.emit('order.status_changed', orderId, { orderId, number, actor: { type, id }, occurredAt: work.now, ...change })
  work.note({ status: [change.from, change.to] })
}
