/** The words an order’s state is told in, and the moves between them. */

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
 * The moves an order can make (design, commerce 1.2). The table is the only statement of the rule: the code, the
 * document and `allowedTransitions` read it. An empty list is a final state.
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

/** What the moves of one order depend on beside its status. */
export interface OrderProgress {
  readonly status: OrderStatus
  /** Where an order on hold came from, and to where alone it is released. */
  readonly heldFrom: OrderStatus | null
  /** Pieces still asked for, sent or not. */
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
}

/** The moves of the table that this order can make now. */
export function allowedTransitionsOf(order: OrderProgress): OrderStatus[] {
  const { status, heldFrom, itemQuantity, fulfilledQuantity, returnedQuantity } = order
  const all: readonly OrderStatus[] = orderTransitions[status]
  return all.filter((to) => {
    if (status === 'on_hold' && to !== 'cancelled') return to === heldFrom
    // What was handed over comes back as a return, not by cancelling.
    if (to === 'cancelled') return fulfilledQuantity === 0
    // Where refunds took back every piece before it left, there is nothing to hand over.
    if (status === 'processing' && (to === 'shipped' || to === 'delivered')) return itemQuantity > 0
    // Taking a handover back needs every piece to be in the shop still.
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

export const orderSources = ['api', 'storefront', 'dashboard', 'pos', 'whatsapp', 'instagram', 'other'] as const
export type OrderSource = (typeof orderSources)[number]
