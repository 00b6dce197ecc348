import type { OrderStatus } from '../../registry/orders/order-states.ts'

/**
 * A simplified model of an order that is sent in several shipments. The model has no database and no locks, and
 * executes one action after another.
 */
export interface Order {
  readonly status: OrderStatus
  readonly refundedKobo: number
  readonly lines: readonly Line[]
  /** The shipments by the number of the request that created them. The number of a rejected request has no entry. */
  readonly parcels: Readonly<Record<number, Parcel>>
}

export interface Line {
  readonly quantity: number
  readonly fulfilled: number
  readonly returned: number
  readonly lost: number
  readonly cancelled: number
  readonly refunded: number
  /** Number of units in refunds that restock, including units that were cancelled or returned before. */
  readonly restocked: number
  readonly onHand: number
  readonly reserved: number
}

export interface Parcel {
  /** Number of units of each order line in the shipment. */
  readonly units: readonly number[]
  readonly state: 'made' | 'out' | 'delivered' | 'returned' | 'lost' | 'cancelled'
}

export type Action =
  | { readonly is: 'dispatch'; readonly slot: number; readonly units: readonly number[] }
  | { readonly is: 'dispatch_rest'; readonly slot: number }
  /** Refunds the price of these units. `refund_rest` refunds the rest of the amount without naming units. */
  | { readonly is: 'refund'; readonly line: number; readonly quantity: number; readonly isRestocked: boolean }
  | { readonly is: 'refund_rest' }
  | { readonly is: 'cancel_order' }
  /** A dispatch that every carrier rejects, because the recipient is outside every carrier's area. */
  | { readonly is: 'dispatch_in_vain'; readonly units: readonly number[] }
  | { readonly is: 'cancel' | 'pick_up' | 'deliver' | 'return' | 'lose'; readonly parcel: number }

export interface Answer {
  readonly order: Order
  readonly code: string
}

export function act(order: Order, action: Action): Answer {
  switch (action.is) {
    case 'dispatch':
      return dispatch(order, action.units, action.slot)
    case 'dispatch_rest': {
      const units = openUnits(order)
      if (isEnded(order)) return { order, code: 'order_not_dispatchable' }
      if (isUnshippable(order)) return { order, code: 'nothing_to_ship' }
      if (units.some((count) => count > 0)) return dispatch(order, units, action.slot)
      const isHeld = parcelsOf(order).some(({ state }) => ['made', 'out', 'delivered'].includes(state))
      return { order, code: isHeld ? 'order_already_dispatched' : 'nothing_to_ship' }
    }
    case 'dispatch_in_vain': {
      const { code } = dispatch(order, action.units, 0)
      return { order, code: code === 'ok' ? 'no_carrier_available' : code }
    }
    case 'refund':
      return refund(order, action)
    case 'refund_rest': {
      const leftKobo = totalKoboOf(order) - order.refundedKobo
      if (leftKobo === 0) return { order, code: 'order_fully_refunded' }
      return { order: { ...order, refundedKobo: order.refundedKobo + leftKobo }, code: 'ok' }
    }
    case 'cancel_order':
      return cancelOrder(order)
    case 'cancel':
      return { order: withStatus(released(withState(order, action.parcel, 'cancelled'))), code: 'ok' }
    case 'pick_up':
      return { order: withStatus(pickUp(order, action.parcel)), code: 'ok' }
    case 'deliver':
      return { order: withStatus(withState(pickUp(order, action.parcel), action.parcel, 'delivered')), code: 'ok' }
    case 'lose': {
      const { units } = parcelAt(order, action.parcel)
      const lines = order.lines.map((line, index) => ({ ...line, lost: line.lost + (units[index] ?? 0) }))
      return { order: withStatus(withState({ ...order, lines }, action.parcel, 'lost')), code: 'ok' }
    }
    case 'return': {
      const { units } = parcelAt(order, action.parcel)
      const isCancelled = order.status === 'cancelled'
      const lines = order.lines.map((line, index) => {
        const returned = units[index] ?? 0
        // Returned units are not restocked before the merchant has inspected them, except the units of a cancelled
        // order.
        return { ...line, returned: line.returned + returned, onHand: line.onHand + (isCancelled ? returned : 0) }
      })
      return { order: withStatus(withState({ ...order, lines }, action.parcel, 'returned')), code: 'ok' }
    }
  }
}

function dispatch(order: Order, units: readonly number[], slot: number): Answer {
  if (isEnded(order)) return { order, code: 'order_not_dispatchable' }
  if (isUnshippable(order)) return { order, code: 'nothing_to_ship' }
  const open = openUnits(order)
  if (units.some((count, index) => count > (open[index] ?? 0))) return { order, code: 'order_items_unavailable' }
  return { order: { ...order, parcels: { ...order.parcels, [slot]: { units, state: 'made' } } }, code: 'ok' }
}

function isEnded({ status }: Order): boolean {
  return status === 'returned' || status === 'cancelled'
}

/**
 * Reports whether no unit of an order may be shipped: the order was refunded in full, or no unit was sent and none is
 * left.
 */
function isUnshippable(order: Order): boolean {
  if (order.refundedKobo === totalKoboOf(order)) return true
  const isUntouched = order.lines.every(({ fulfilled }) => fulfilled === 0)
  const isActive = parcelsOf(order).some(({ state }) => ['made', 'out', 'delivered'].includes(state))
  return isUntouched && !isActive && openUnits(order).every((count) => count === 0)
}

export const unitPriceKobo = 1000

function totalKoboOf({ lines }: Order): number {
  return lines.reduce((sum, { quantity }) => sum + quantity * unitPriceKobo, 0)
}

/**
 * Returns the units of each order line that may be shipped: those that are not refunded and not in an active, delivered
 * or lost shipment.
 */
export function openUnits(order: Order): number[] {
  if (order.refundedKobo === totalKoboOf(order)) return order.lines.map(() => 0)
  return order.lines.map((line, index) => {
    const inParcels = (...states: readonly Parcel['state'][]) => unitsIn(order, index, states)
    const held = inParcels('made', 'out', 'delivered', 'lost')
    const broughtBack = inParcels('returned')
    const toBeSent = Math.min(inParcels('made'), openOf(line) + Math.min(line.returned, broughtBack))
    const unrefunded = line.quantity - line.refunded - (line.fulfilled - line.returned - line.lost + toBeSent)
    const unheld = line.quantity - line.cancelled - held
    return Math.max(0, Math.min(unheld, line.quantity - line.fulfilled + broughtBack, unrefunded))
  })
}

function unitsIn(order: Order, index: number, states: readonly Parcel['state'][]): number {
  return parcelsOf(order)
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { units }) => sum + (units[index] ?? 0), 0)
}

function openOf({ quantity, fulfilled, cancelled }: Line): number {
  return quantity - fulfilled - cancelled
}

/**
 * Returns the number of open units in shipments that a carrier will collect. Units that came back and are sent again
 * are left out: they are not open.
 */
function heldOf(order: Order, line: Line, index: number): number {
  const again = Math.min(line.returned, unitsIn(order, index, ['returned']))
  return Math.min(openOf(line), Math.max(0, unitsIn(order, index, ['made']) - again))
}

function refund(order: Order, { line: index, quantity, isRestocked }: Extract<Action, { is: 'refund' }>): Answer {
  const line = order.lines[index]
  if (line === undefined) throw new Error(`There is no line ${index}.`)
  const leftKobo = totalKoboOf(order) - order.refundedKobo
  if (leftKobo === 0) return { order, code: 'order_fully_refunded' }
  if (quantity > line.quantity - line.refunded) return { order, code: 'refund_quantity_exceeds' }
  const spare = Math.max(0, line.cancelled + line.returned - line.restocked)
  const wanted = isRestocked ? Math.max(0, quantity - spare) : 0
  const out = line.fulfilled - line.returned - line.lost
  const free = { unsent: openOf(line) - heldOf(order, line, index), sent: out - unitsIn(order, index, ['out']) }
  const unsent = Math.min(wanted, free.unsent)
  const sent = Math.min(wanted - unsent, Math.max(0, free.sent))
  if (unsent + sent < Math.min(wanted, openOf(line) + line.fulfilled - line.returned)) {
    return { order, code: 'order_items_unavailable' }
  }
  const lines = order.lines.with(index, {
    ...line,
    refunded: line.refunded + quantity,
    restocked: line.restocked + (isRestocked ? quantity : 0),
    cancelled: line.cancelled + unsent,
    returned: line.returned + sent,
    onHand: line.onHand + sent,
    reserved: line.reserved - unsent,
  })
  return {
    order: withStatus({ ...order, lines, refundedKobo: order.refundedKobo + quantity * unitPriceKobo }),
    code: 'ok',
  }
}

function cancelOrder(order: Order): Answer {
  if (order.status === 'cancelled') return { order, code: 'ok' }
  const isSent = order.lines.some(({ fulfilled }) => fulfilled > 0)
  if (order.status !== 'processing' || isSent) return { order, code: 'order_not_cancellable' }
  return { order: released({ ...order, status: 'cancelled' }), code: 'ok' }
}

/** Releases those open units of a cancelled order that are in no active shipment. */
function released(order: Order): Order {
  if (order.status !== 'cancelled') return order
  const lines = order.lines.map((line, index) => {
    const units = openOf(line) - heldOf(order, line, index)
    return { ...line, cancelled: line.cancelled + units, reserved: line.reserved - units }
  })
  return { ...order, lines }
}

/**
 * Units leave the stock only once. A returned unit was not put back into the stock, so the stock does not change when
 * the unit is shipped again.
 */
function pickUp(order: Order, slot: number): Order {
  const { units, state } = parcelAt(order, slot)
  if (state !== 'made') return order
  const lines = order.lines.map((line, index) => {
    const carried = units[index] ?? 0
    const sent = Math.min(carried, openOf(line))
    return {
      ...line,
      fulfilled: line.fulfilled + sent,
      returned: line.returned - (carried - sent),
      onHand: line.onHand - sent,
      reserved: line.reserved - sent,
    }
  })
  return withState({ ...order, lines }, slot, 'out')
}

function withState(order: Order, slot: number, state: Parcel['state']): Order {
  return { ...order, parcels: { ...order.parcels, [slot]: { ...parcelAt(order, slot), state } } }
}

const steps: readonly OrderStatus[] = ['processing', 'shipped', 'delivered', 'returned']

/** The status of an order never changes back to an earlier status. */
function withStatus(order: Order): Order {
  if (order.status === 'cancelled') return order
  const next = reached(order)
  if (steps.indexOf(next) <= steps.indexOf(order.status)) return order
  // Units that were refunded without a restock leave the stock when the order is handed over.
  const lines = order.lines.map((line) => {
    const open = openOf(line)
    return { ...line, cancelled: line.cancelled + open, onHand: line.onHand - open, reserved: line.reserved - open }
  })
  return { ...order, lines, status: next }
}

/**
 * Returns the order status that follows from the places of the units alone. The model has this rule a second time, in
 * its own terms, so that the test also finds a fault in the rule of the service (`statusOfUnits`).
 */
function reached(order: Order): OrderStatus {
  const units = order.lines.flatMap(unitsOf)
  const isSome = (place: Unit['place']) => units.some((unit) => unit.place === place)
  const isUnpaid = (place: Unit['place']) => units.some((unit) => unit.place === place && !unit.isRefunded)
  const isPacked = order.lines.some((line, index) => heldOf(order, line, index) > 0)
  const isMoving = parcelsOf(order).some(({ state }) => state === 'made' || state === 'out')
  const isUntouched = !isSome('back') && !isSome('lost') && !isSome('away')
  if (isUntouched || isPacked || isUnpaid('unsent')) return 'processing'
  if (isMoving || isUnpaid('lost')) return 'shipped'
  if (isSome('away')) return 'delivered'
  return isSome('back') ? 'returned' : 'shipped'
}

interface Unit {
  readonly place: 'cancelled' | 'back' | 'lost' | 'unsent' | 'away'
  readonly isRefunded: boolean
}

/**
 * Returns the units of an order line. A refund does not state which units it concerns: it covers units that the
 * customer will not receive before unsent units, and the units that the customer has last.
 */
function unitsOf(line: Line): Unit[] {
  const at = (place: Unit['place'], count: number) => Array.from({ length: count }, () => place)
  const places = [
    ...at('cancelled', line.cancelled),
    ...at('back', line.returned),
    ...at('lost', line.lost),
    ...at('unsent', openOf(line)),
    ...at('away', line.fulfilled - line.returned - line.lost),
  ]
  return places.map((place, index) => ({ place, isRefunded: index < line.refunded }))
}

function parcelsOf({ parcels }: Order): Parcel[] {
  return Object.values(parcels)
}

function parcelAt({ parcels }: Order, slot: number): Parcel {
  const parcel = parcels[slot]
  if (parcel === undefined) throw new Error(`There is no parcel ${slot}.`)
  return parcel
}
