import { allowedTransitionsOf, type OrderStatus } from '../../registry/orders/order-states.ts'
import { type Action, at, type Line, type Order, type Shop, type Variant } from './model-records.ts'
import { leftKobo, manualLeftKobo, refund, refundAtProvider, reportStatus } from './model-refunds.ts'

/**
 * The rules of a shop in their simplest form: no database, no locks, one action after another. The result of concurrent
 * requests to the service must equal the result of this model for some sequence of these requests.
 */

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
  // An edit does not change the payments, but they may cover the new total.
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
