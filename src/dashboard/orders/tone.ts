import { isActiveOrDelivered } from '../../../registry/logistics/shipment-states.ts'
import type { FulfillmentStatus, OrderStatus, PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { Markup } from '../kit/markup.ts'
import { badge, type Tone } from '../kit/parts.ts'
import { shipmentBadge } from '../shipments/tone.ts'

export const orderTone: Readonly<Record<OrderStatus, Tone>> = {
  pending: 'waiting',
  on_hold: 'waiting',
  processing: 'active',
  shipped: 'active',
  delivered: 'good',
  returned: 'quiet',
  cancelled: 'quiet',
}

export const paymentTone: Readonly<Record<PaymentStatus, Tone>> = {
  unpaid: 'waiting',
  partially_paid: 'waiting',
  paid: 'good',
  partially_refunded: 'quiet',
  refunded: 'quiet',
}

export const fulfillmentTone: Readonly<Record<FulfillmentStatus, Tone>> = {
  unfulfilled: 'waiting',
  partially_fulfilled: 'active',
  fulfilled: 'good',
  partially_returned: 'quiet',
  returned: 'quiet',
}

/**
 * Shows the status of an order. The units of a shipped order can be on their way back, or lost, which the shop must see: the status
 * of the shipment is shown then.
 */
export function orderBadge(status: OrderStatus, shipments: readonly { readonly status: string }[]): Markup {
  const failed = status === 'shipped' ? failureOf(shipments.map((shipment) => shipment.status)) : undefined
  return failed === undefined ? badge(status, orderTone[status]) : shipmentBadge(failed)
}

/** Returns the status of a delivery that failed and that no other shipment of the order has replaced. */
function failureOf(statuses: readonly string[]): string | undefined {
  const open = statuses.find((status) => status === 'delivery_failed' || status === 'returning')
  if (open !== undefined || statuses.some(isActiveOrDelivered)) return open
  return statuses.find((status) => status === 'returned' || status === 'lost')
}
