import type { FulfillmentStatus, OrderStatus, PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { Tone } from '../kit/parts.ts'

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
