/** Statuses of an order, the allowed transitions, and related enum values. */

export const orderStatuses = [
  'pending',
  'on_hold',
  'processing',
  'shipped',
  'delivered',
  'returned',
  'cancelled',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

/**
 * Allowed status transitions of an order (design, commerce 1.2). The code, the document and `allowedTransitions` all
 * read this table. A status with an empty list is final.
 */
export const orderTransitions = {
  pending: ['on_hold', 'processing', 'cancelled'],
  on_hold: ['pending', 'processing', 'cancelled'],
  processing: ['on_hold', 'shipped', 'delivered', 'cancelled'],
  shipped: ['processing', 'delivered', 'returned'],
  delivered: ['returned'],
  returned: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>

/** State of an order on which its allowed transitions depend. */
export interface OrderProgress {
  readonly status: OrderStatus
  /** Status before `on_hold`, to which the order can be released. Null for an order that is not on hold. */
  readonly heldFrom: OrderStatus | null
  /** Ordered units that are not cancelled, fulfilled or not. */
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
}

/** Returns the statuses to which this order can transition now. */
export function allowedTransitionsOf(order: OrderProgress): OrderStatus[] {
  const { status, heldFrom, itemQuantity, fulfilledQuantity, returnedQuantity } = order
  const all: readonly OrderStatus[] = orderTransitions[status]
  return all.filter((to) => {
    if (status === 'on_hold' && to !== 'cancelled') return to === heldFrom
    // Units that were handed over require a return instead of a cancellation.
    if (to === 'cancelled') return fulfilledQuantity === 0
    // If refunds cancelled every unit, no unit is left to hand over.
    if (status === 'processing' && (to === 'shipped' || to === 'delivered')) return itemQuantity > 0
    // A handover can be reverted only while no unit is returned.
    if (status === 'shipped' && to === 'processing') return returnedQuantity === 0
    return true
  })
}

export const cancelReasons = [
  'customer',
  'payment_declined',
  'fraud',
  'inventory',
  'staff_error',
  'expired',
  'other',
] as const
export type CancelReason = (typeof cancelReasons)[number]

export const paymentStatuses = ['unpaid', 'partially_paid', 'paid', 'partially_refunded', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const fulfillmentStatuses = [
  'unfulfilled',
  'partially_fulfilled',
  'fulfilled',
  'partially_returned',
  'returned',
] as const
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number]

export const paymentMethods = ['card', 'bank_transfer', 'pay_on_delivery', 'ussd', 'cash', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** Whether a pending order can be dispatched without `confirmOrder`: it is paid, or is paid on delivery. */
export function isPayable({
  paymentStatus,
  paymentMethod,
}: {
  readonly paymentStatus: PaymentStatus
  readonly paymentMethod: PaymentMethod
}): boolean {
  return paymentStatus === 'paid' || paymentMethod === 'pay_on_delivery'
}

export const orderSources = ['api', 'storefront', 'dashboard', 'pos', 'whatsapp', 'instagram', 'other'] as const
export type OrderSource = (typeof orderSources)[number]
