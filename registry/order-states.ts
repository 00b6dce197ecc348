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
