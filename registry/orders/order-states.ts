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
 * Allowed status transitions of an order. The code, the OpenAPI document and `allowedTransitions` all read this table.
 * A status with an empty list is final.
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

/** Fields of an order that determine its allowed transitions. */
export interface OrderProgress {
  readonly status: OrderStatus
  /** Status before `on_hold`, to which the order can be released. Null for an order that is not on hold. */
  readonly heldFrom: OrderStatus | null
  /** Ordered units of an order item that are not cancelled, whether they are fulfilled or not. */
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
}

export function allowedTransitionsOf(order: OrderProgress): OrderStatus[] {
  const { status, heldFrom, itemQuantity, fulfilledQuantity, returnedQuantity } = order
  const all: readonly OrderStatus[] = orderTransitions[status]
  return all.filter((to) => {
    if (status === 'on_hold' && to !== 'cancelled') return to === heldFrom
    // An order with fulfilled units cannot be cancelled: units that left the shop require a return.
    if (to === 'cancelled') return fulfilledQuantity === 0
    // If refunds have cancelled every unit of the order, the order has no unit to ship, so it cannot become `shipped`
    // or `delivered`.
    if (status === 'processing' && (to === 'shipped' || to === 'delivered')) return itemQuantity > 0
    if (status === 'shipped' && to === 'processing') return returnedQuantity === 0
    return true
  })
}

/**
 * Whether an order that transitions from one status to another can transition back. An order on hold returns only to
 * the status that it had before the hold.
 */
export function isReversible(from: OrderStatus, to: OrderStatus): boolean {
  const heldFrom = to === 'on_hold' ? from : null
  const counts = { itemQuantity: 1, fulfilledQuantity: 0, returnedQuantity: 0 }
  const reachable = new Set([to])
  // A loop over a set also visits the statuses that are added to the set while the loop runs.
  for (const status of reachable) {
    for (const next of allowedTransitionsOf({ status, heldFrom, ...counts })) reachable.add(next)
  }
  return reachable.has(from)
}

/** The units of all items determine the status of the order. */
export interface ItemUnits {
  /** Ordered units. */
  readonly quantity: number
  /** Units of the order item that have left the shop. */
  readonly fulfilledQuantity: number
  /** Fulfilled units of an order item that came back to the shop. */
  readonly returnedQuantity: number
  /** Fulfilled units of an order item that a carrier lost. */
  readonly lostQuantity: number
  readonly cancelledQuantity: number
  /** Units of an order item that are listed in refunds, whether they were restocked or not. */
  readonly refundedQuantity: number
}

/**
 * Returns the number of units of an order item that have not left the shop and are not cancelled. Their stock is
 * reserved.
 */
export function openUnitsOf({ quantity, fulfilledQuantity, cancelledQuantity }: ItemUnits): number {
  return quantity - fulfilledQuantity - cancelledQuantity
}

/** Returns the number of units of an order item that the customer has, or that are on the way to the customer. */
function outUnitsOf({ fulfilledQuantity, returnedQuantity, lostQuantity }: ItemUnits): number {
  return fulfilledQuantity - returnedQuantity - lostQuantity
}

/**
 * Returns the number of unsent units of an order item that the customer will still receive. A refund does not state
 * which unit it concerns, so it is counted against unsent units before units that the customer has. A customer
 * therefore never gets both a unit and its price.
 */
export function unitsToSendOf(item: ItemUnits): number {
  const owed = item.quantity - item.refundedQuantity - outUnitsOf(item)
  return Math.max(0, Math.min(openUnitsOf(item), owed))
}

/**
 * Order statuses that follow from the unit counts of the order items. The other statuses follow from confirming,
 * holding or cancelling the order.
 */
export type UnitStatus = Exclude<OrderStatus, 'pending' | 'on_hold' | 'cancelled'>

export interface ShippedUnits extends ItemUnits {
  /** Units of the order item in shipments that have not ended. These units are neither fulfilled nor cancelled. */
  readonly heldQuantity: number
  /** Units of an order item that were delivered by shipments. */
  readonly deliveredQuantity: number
  /** Units of an order item that carriers brought back to the shop and that no later shipment contains. */
  readonly broughtBackQuantity: number
}

/**
 * Returns the order status that follows from the units of the order alone. The sequence in which units were sent,
 * received, returned, lost and refunded does not matter:
 *
 * - `processing`: a unit has to be sent, or no unit was sent.
 * - `shipped`: every unit that has to be sent has left the shop.
 * - `delivered`: in addition, the customer has received every unit that is not returned. A lost unit must be refunded.
 * - `returned`: in addition, every unit except the lost and the refunded ones came back.
 *
 * `isInTransit`: whether a shipment with items of the order has not ended. The order is then at most `shipped`.
 */
export function statusOfUnits(items: readonly ShippedUnits[], isInTransit: boolean): UnitStatus {
  const current = items.filter(({ quantity, cancelledQuantity }) => quantity > cancelledQuantity)
  const isSent = current.some(({ fulfilledQuantity }) => fulfilledQuantity > 0)
  const isWaiting = current.some((item) => unitsToSendOf(item) > 0 || item.heldQuantity > 0)
  if (!isSent || isWaiting) return 'processing'
  if (isInTransit || current.some(isLossOpen)) return 'shipped'
  if (current.every((item) => outUnitsOf(item) === 0)) {
    return current.some(({ returnedQuantity }) => returnedQuantity > 0) ? 'returned' : 'shipped'
  }
  return current.every(isReceived) ? 'delivered' : 'shipped'
}

/**
 * Reports whether an order item has a lost unit that is not refunded yet. Refunded units are assigned to cancelled and
 * returned units first, and only then to lost units.
 */
function isLossOpen({ lostQuantity, refundedQuantity, cancelledQuantity, returnedQuantity }: ItemUnits): boolean {
  return lostQuantity > Math.max(0, refundedQuantity - cancelledQuantity - returnedQuantity)
}

function isReceived(item: ShippedUnits): boolean {
  const { fulfilledQuantity, lostQuantity, broughtBackQuantity, deliveredQuantity } = item
  return deliveredQuantity >= fulfilledQuantity - lostQuantity - broughtBackQuantity
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

/** A returned order has no unit left that could come back: all units that did not come back are lost or refunded. */
export function fulfillmentStatusOf(order: Omit<OrderProgress, 'heldFrom'>): FulfillmentStatus {
  const { status, itemQuantity, fulfilledQuantity, returnedQuantity } = order
  if (fulfilledQuantity === 0) return 'unfulfilled'
  if (status === 'returned' || returnedQuantity === itemQuantity) return 'returned'
  if (returnedQuantity > 0) return 'partially_returned'
  return fulfilledQuantity === itemQuantity ? 'fulfilled' : 'partially_fulfilled'
}

export const paymentMethods = ['card', 'bank_transfer', 'pay_on_delivery', 'ussd', 'cash', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/**
 * Reason for voiding a manually recorded payment. `bounced`: the bank reversed the payment, for example because a
 * cheque was not covered.
 */
export const voidReasons = ['duplicate', 'wrong_amount', 'wrong_order', 'not_received', 'bounced', 'other'] as const
export type VoidReason = (typeof voidReasons)[number]

/**
 * Whether a pending order can be dispatched without `confirmOrder`, because it has already been paid or because the
 * customer pays on delivery.
 */
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
