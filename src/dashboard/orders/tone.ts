import { isActiveOrDelivered } from '../../../registry/logistics/shipment-states.ts'
import type { FulfillmentStatus, OrderStatus, PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'
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
 * Shows the status of an order. If units of a shipped order are returning to the shop or lost, shows the status of
 * their shipment instead.
 */
export function orderBadge(status: OrderStatus, shipments: readonly { readonly status: string }[]): Markup {
  const failed = status === 'shipped' ? failureOf(shipments.map((shipment) => shipment.status)) : undefined
  return failed === undefined ? badge(status, orderTone[status]) : shipmentBadge(failed)
}

/**
 * Returns the status of a shipment whose units do not reach the customer. Undefined if no shipment has such a status.
 * `statuses` starts with the oldest shipment. A shipment whose delivery failed is always shown while the carrier has
 * the parcel, because no other shipment can contain the units. A returned or lost shipment is shown only if no newer
 * shipment is active or delivered, because a newer shipment replaces it.
 */
function failureOf(statuses: readonly string[]): string | undefined {
  const open = statuses.findLast((status) => status === 'delivery_failed' || status === 'returning')
  if (open !== undefined) return open
  const newest = statuses.findLast((status) => isActiveOrDelivered(status) || isReturnedOrLost(status))
  return newest !== undefined && isReturnedOrLost(newest) ? newest : undefined
}

function isReturnedOrLost(status: string): boolean {
  return status === 'returned' || status === 'lost'
}
