import { allowedTransitionsOf, type OrderStatus } from '../../registry/orders/order-states.ts'

/**
 * The rules of a shop in their simplest form: no database, no locks, one action after another. The service's result of
 * concurrent requests must equal the result of this model in some order of the requests.
 */
export interface Shop {
  readonly variants: readonly Variant[]
  /** The orders by the number of the request that created them. The number of a rejected request has no entry. */
  readonly orders: Readonly<Record<number, Order>>
  readonly nowMs: number
}

export interface Variant {
  readonly priceKobo: number
  readonly onHand: number
  readonly reserved: number
}

export interface Line {
  readonly variant: number
  readonly quantity: number
  readonly fulfilled: number
  readonly returned: number
  readonly cancelled: number
}

export interface Order {
  readonly status: OrderStatus
  readonly heldFrom: OrderStatus | null
  readonly lines: readonly Line[]
  readonly totalKobo: number
  readonly paidKobo: number
  readonly refundedKobo: number
  /** Sum of the refunds that the payment provider has not paid yet, in kobo. */
  readonly pendingKobo: number
  readonly expiresMs: number | null
  readonly manual: readonly ManualPayment[]
  /** Oldest first. */
  readonly charges: readonly Charge[]
}

export interface ManualPayment {
  readonly amountKobo: number
  readonly isVoided: boolean
}

/** A charge: a payment that the payment provider received. */
export interface Charge {
  readonly amountKobo: number
  /** The refunds of the payment that have not failed, sorted. */
  readonly refunds: readonly Refund[]
}

/** A refund through the payment provider. */
export interface Refund {
  readonly amountKobo: number
  readonly status: 'pending' | 'submitted' | 'needs_attention' | 'succeeded'
  /** Whether the merchant made the refund in the dashboard of the provider. */
  readonly isForeign: boolean
}

/** The statuses of a refund that the payment provider reports in callbacks. */
export type ReportedStatus = 'processing' | 'needs-attention' | 'processed' | 'failed'

export type Action =
  | { readonly is: 'order'; readonly slot: number; readonly lines: readonly { variant: number; quantity: number }[] }
  | { readonly is: 'pay'; readonly order: number; readonly amountKobo: number }
  | { readonly is: 'refund'; readonly order: number; readonly amountKobo: number }
  /** Voids a manual payment, given by its position in the list of the order's manual payments. */
  | { readonly is: 'void'; readonly order: number; readonly payment: number }
  /** The provider reports a payment, which may be late, above the amount due, or the second one. */
  | { readonly is: 'charge'; readonly order: number; readonly amountKobo: number }
  /** The merchant refunds a charge in the dashboard of the provider. */
  | { readonly is: 'provider_refund'; readonly order: number; readonly charge: number; readonly amountKobo: number }
  /** The provider reports the status of a submitted refund of a charge. */
  | {
      readonly is: 'refund_status'
      readonly order: number
      readonly charge: number
      readonly refund: Refund
      readonly to: ReportedStatus
    }
  /** Replaces the items of an order. */
  | { readonly is: 'edit'; readonly order: number; readonly lines: readonly { variant: number; quantity: number }[] }
  | { readonly is: 'cancel'; readonly order: number }
  | { readonly is: 'move'; readonly order: number; readonly to: OrderStatus; readonly isRestocked: boolean }
  | { readonly is: 'adjust'; readonly variant: number; readonly delta: number }
  | { readonly is: 'expire'; readonly order: number }

/**
 * The shop after an action, and the response to the action: `ok`, or the code of a rejection. A rejection changes
 * nothing.
 */
export interface Answer {
  readonly shop: Shop
  readonly code: string
}

export const dayMs = 24 * 3_600_000

export function act(shop: Shop, action: Action): Answer {
  const refuse = (code: string): Answer => ({ shop, code })
  if (action.is === 'order') return takeOrder(shop, action)
  if (action.is === 'adjust') {
    const variant = at(shop.variants, action.variant)
    const onHand = variant.onHand + action.delta
    if (onHand < 0) return refuse('on_hand_out_of_range')
    return { shop: withVariant(shop, action.variant, { ...variant, onHand }), code: 'ok' }
  }
  const order = shop.orders[action.order]
  if (order === undefined) return refuse('order_not_found')
  switch (action.is) {
    case 'pay':
      if (action.amountKobo > Math.max(0, order.totalKobo - order.paidKobo)) return refuse('payment_exceeds_due')
      return { shop: withOrder(shop, action.order, payManually(order, action.amountKobo)), code: 'ok' }
    case 'refund': {
      if (order.paidKobo === 0) return refuse('order_not_paid')
      if (leftKobo(order) === 0) return refuse('order_fully_refunded')
      const refunded = refund(order, action.amountKobo)
      return refunded === undefined
        ? refuse('refund_exceeds_refundable')
        : { shop: withOrder(shop, action.order, refunded), code: 'ok' }
    }
    case 'void': {
      const payment = at(order.manual, action.payment)
      if (payment.isVoided || manualLeftKobo(order) < payment.amountKobo) return refuse('payment_not_voidable')
      const manual = order.manual.with(action.payment, { ...payment, isVoided: true })
      const paidKobo = order.paidKobo - payment.amountKobo
      return { shop: withOrder(shop, action.order, { ...order, manual, paidKobo }), code: 'ok' }
    }
    case 'charge': {
      const charges = [...order.charges, { amountKobo: action.amountKobo, refunds: [] }]
      return { shop: withOrder(shop, action.order, { ...pay(order, action.amountKobo), charges }), code: 'ok' }
    }
    case 'provider_refund':
      return { shop: withOrder(shop, action.order, refundAtProvider(order, action)), code: 'ok' }
    case 'refund_status':
      return { shop: withOrder(shop, action.order, reportStatus(order, action)), code: 'ok' }
    case 'edit':
      return editOrder(shop, order, action)
    case 'cancel':
      if (order.status === 'cancelled') return { shop, code: 'ok' }
      return mayMove(order, 'cancelled')
        ? move(shop, action.order, 'cancelled', false)
        : refuse('order_not_cancellable')
    case 'move':
      if (order.status === action.to) return { shop, code: 'ok' }
      return mayMove(order, action.to)
        ? move(shop, action.order, action.to, action.isRestocked)
        : refuse('invalid_transition')
    case 'expire':
      if (order.expiresMs === null || order.expiresMs > shop.nowMs) return { shop, code: 'ok' }
      // When an order that is partly paid expires, the service reports it instead of cancelling it.
      return order.paidKobo > order.refundedKobo
        ? { shop: withOrder(shop, action.order, { ...order, expiresMs: null }), code: 'ok' }
        : move(shop, action.order, 'cancelled', false)
  }
}

function takeOrder(shop: Shop, { slot, lines }: Extract<Action, { is: 'order' }>): Answer {
  const isShort = lines.some(({ variant, quantity }) => {
    const { onHand, reserved } = at(shop.variants, variant)
    return quantity > onHand - reserved
  })
  if (isShort) return { shop, code: 'insufficient_stock' }
  const order: Order = {
    status: 'pending',
    heldFrom: null,
    lines: lines.map((line) => ({ ...line, fulfilled: 0, returned: 0, cancelled: 0 })),
    totalKobo: lines.reduce((sum, { variant, quantity }) => sum + at(shop.variants, variant).priceKobo * quantity, 0),
    paidKobo: 0,
    refundedKobo: 0,
    pendingKobo: 0,
    expiresMs: shop.nowMs + dayMs,
    manual: [],
    charges: [],
  }
  const variants = shop.variants.map((variant, index) => {
    const asked = lines.filter((line) => line.variant === index).reduce((sum, line) => sum + line.quantity, 0)
    return { ...variant, reserved: variant.reserved + asked }
  })
  return { shop: withOrder({ ...shop, variants }, slot, order), code: 'ok' }
}

/** An order can be edited until it ends, one of its units is handed over, or a part of it is refunded. */
function editOrder(shop: Shop, order: Order, { order: slot, lines }: Extract<Action, { is: 'edit' }>): Answer {
  const hasMovedUnits = order.lines.some(({ fulfilled, cancelled }) => fulfilled + cancelled > 0)
  const hasEnded = order.status === 'cancelled' || order.status === 'returned'
  if (hasEnded || hasMovedUnits || order.refundedKobo + order.pendingKobo > 0)
    return { shop, code: 'order_content_not_editable' }
  const unitsIn = (list: readonly { variant: number; quantity: number }[], index: number) =>
    list.filter(({ variant }) => variant === index).reduce((sum, { quantity }) => sum + quantity, 0)
  const added = shop.variants.map((_, index) => unitsIn(lines, index) - unitsIn(order.lines, index))
  const isShort = shop.variants.some(({ onHand, reserved }, index) => {
    const units = added[index] ?? 0
    return units > 0 && units > onHand - reserved
  })
  if (isShort) return { shop, code: 'insufficient_stock' }
  const edited = {
    ...order,
    lines: lines.map((line) => ({ ...line, fulfilled: 0, returned: 0, cancelled: 0 })),
    totalKobo: lines.reduce((sum, { variant, quantity }) => sum + at(shop.variants, variant).priceKobo * quantity, 0),
  }
  const variants = shop.variants.map((variant, index) => ({
    ...variant,
    reserved: variant.reserved + (added[index] ?? 0),
  }))
  // The payments stay, and an edit may let them cover the total.
  return { shop: withOrder({ ...shop, variants }, slot, pay(edited, 0)), code: 'ok' }
}

function pay(order: Order, amountKobo: number): Order {
  const paidKobo = order.paidKobo + amountKobo
  const isCovered = paidKobo >= order.totalKobo
  return {
    ...order,
    paidKobo,
    expiresMs: isCovered ? null : order.expiresMs,
    status: order.status === 'pending' && isCovered ? 'processing' : order.status,
    heldFrom: order.heldFrom !== null && isCovered ? 'processing' : order.heldFrom,
  }
}

function payManually(order: Order, amountKobo: number): Order {
  return { ...pay(order, amountKobo), manual: [...order.manual, { amountKobo, isVoided: false }] }
}

function leftKobo({ paidKobo, refundedKobo, pendingKobo }: Order): number {
  return paidKobo - refundedKobo - pendingKobo
}

function leftOfCharge({ amountKobo, refunds }: Charge): number {
  return refunds.reduce((left, refund) => left - refund.amountKobo, amountKobo)
}

/** Returns the amount of an order's manual payments that is not refunded. */
function manualLeftKobo(order: Order): number {
  return order.charges.reduce((left, charge) => left - leftOfCharge(charge), leftKobo(order))
}

/**
 * Refunds the newest charge of which enough is left; the provider pays this refund later. Without such a charge,
 * refunds the manual payments at once.
 */
function refund(order: Order, amountKobo: number): Order | undefined {
  const place = order.charges.findLastIndex((charge) => leftOfCharge(charge) >= amountKobo)
  if (place >= 0) {
    const pending = { amountKobo, status: 'pending', isForeign: false } as const
    return { ...withRefund(order, place, pending), pendingKobo: order.pendingKobo + amountKobo }
  }
  return manualLeftKobo(order) >= amountKobo ? { ...order, refundedKobo: order.refundedKobo + amountKobo } : undefined
}

/** The service records no refund above the unrefunded amount. It reports such a refund instead. */
function refundAtProvider(
  order: Order,
  { charge: place, amountKobo }: Extract<Action, { is: 'provider_refund' }>,
): Order {
  const charge = at(order.charges, place)
  if (Math.min(leftOfCharge(charge), leftKobo(order)) < amountKobo) return order
  const refund = { amountKobo, status: 'succeeded', isForeign: true } as const
  return { ...withRefund(order, place, refund), refundedKobo: order.refundedKobo + amountKobo }
}

function withRefund(order: Order, place: number, refund: Refund): Order {
  return withRefunds(order, place, [...at(order.charges, place).refunds, refund])
}

function withRefunds(order: Order, place: number, refunds: readonly Refund[]): Order {
  return { ...order, charges: order.charges.with(place, { ...at(order.charges, place), refunds: sorted(refunds) }) }
}

/** Sorts refunds, so that equal lists of refunds are equal regardless of the sequence of their creation. */
export function sorted(refunds: readonly Refund[]): readonly Refund[] {
  return refunds.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}

/** Returns the same text for refunds that the model does not distinguish. */
export function keyOf({ amountKobo, status, isForeign }: Refund): string {
  return JSON.stringify([amountKobo, status, isForeign])
}

/** Submits all pending refunds to the payment provider, as the worker does. */
export function submitRefunds(shop: Shop): Shop {
  const submitted = (refund: Refund): Refund =>
    refund.status === 'pending' ? { ...refund, status: 'submitted' } : refund
  const orders = Object.entries(shop.orders).map(([slot, order]) => [
    slot,
    order.charges.reduce((after, { refunds }, place) => withRefunds(after, place, refunds.map(submitted)), order),
  ])
  return { ...shop, orders: Object.fromEntries(orders) }
}

/** A late report is ignored: a refund that succeeded can still fail, and no report changes a failed refund. */
function reportStatus(order: Order, { charge: place, refund, to }: Extract<Action, { is: 'refund_status' }>): Order {
  const { refunds } = at(order.charges, place)
  const index = refunds.findIndex((each) => keyOf(each) === keyOf(refund))
  const { amountKobo, status } = at(refunds, index)
  const wasPaid = status === 'succeeded'
  const moved = (next: Refund | undefined): Order =>
    withRefunds(order, place, next === undefined ? refunds.toSpliced(index, 1) : refunds.with(index, next))
  if (to === 'failed') {
    return wasPaid
      ? { ...moved(undefined), refundedKobo: order.refundedKobo - amountKobo }
      : { ...moved(undefined), pendingKobo: order.pendingKobo - amountKobo }
  }
  if (wasPaid || to === 'processing') return order
  if (to === 'needs-attention') return moved({ ...refund, status: 'needs_attention' })
  return {
    ...moved({ ...refund, status: 'succeeded' }),
    pendingKobo: order.pendingKobo - amountKobo,
    refundedKobo: order.refundedKobo + amountKobo,
  }
}

function mayMove(order: Order, to: OrderStatus): boolean {
  const count = (of: (line: Line) => number) => order.lines.reduce((sum, line) => sum + of(line), 0)
  return allowedTransitionsOf({
    status: order.status,
    heldFrom: order.heldFrom,
    itemQuantity: count((line) => line.quantity - line.cancelled),
    fulfilledQuantity: count((line) => line.fulfilled),
    returnedQuantity: count((line) => line.returned),
  }).includes(to)
}

function move(shop: Shop, slot: number, to: OrderStatus, isRestocked: boolean): Answer {
  const order = shop.orders[slot]
  if (order === undefined) throw new Error(`There is no order ${slot}.`)
  const variants = [...shop.variants]
  const isHandover = order.status === 'processing' && (to === 'shipped' || to === 'delivered')
  const lines = order.lines.map((line) => {
    const variant = at(variants, line.variant)
    const open = line.quantity - line.fulfilled - line.cancelled
    const set = (onHand: number, reserved: number) => {
      variants[line.variant] = { ...variant, onHand: variant.onHand + onHand, reserved: variant.reserved + reserved }
    }
    if (isHandover) {
      set(-open, -open)
      return { ...line, fulfilled: line.fulfilled + open }
    }
    if (to === 'processing' && order.status === 'shipped') {
      set(line.fulfilled, line.fulfilled)
      return { ...line, fulfilled: 0 }
    }
    if (to === 'cancelled') {
      set(0, -open)
      return { ...line, cancelled: line.cancelled + open }
    }
    if (to === 'returned') {
      if (isRestocked) set(line.fulfilled - line.returned, 0)
      return { ...line, returned: line.fulfilled }
    }
    return line
  })
  if (variants.some((variant) => variant.onHand < 0)) return { shop, code: 'insufficient_stock' }
  const moved: Order = {
    ...order,
    status: to,
    heldFrom: to === 'on_hold' ? order.status : null,
    lines,
    expiresMs: to === 'pending' && order.paidKobo < order.totalKobo ? shop.nowMs + dayMs : null,
  }
  return { shop: withOrder({ ...shop, variants }, slot, moved), code: 'ok' }
}

function withOrder(shop: Shop, slot: number, order: Order): Shop {
  return { ...shop, orders: { ...shop.orders, [slot]: order } }
}

function withVariant(shop: Shop, index: number, variant: Variant): Shop {
  return { ...shop, variants: shop.variants.with(index, variant) }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no item ${index}.`)
  return item
}
