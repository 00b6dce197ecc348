import type { OrderStatus } from '../../registry/orders/order-states.ts'

/**
 * The rules of an order in several shipments in their simplest form: no database, no locks, one action after another.
 */
export interface Order {
  readonly status: OrderStatus
  readonly lines: readonly Line[]
  /** By the slot of the request; the slot of a rejected shipment stays empty. */
  readonly parcels: Readonly<Record<number, Parcel>>
}

export interface Line {
  readonly quantity: number
  readonly fulfilled: number
  readonly returned: number
  readonly onHand: number
  readonly reserved: number
}

export interface Parcel {
  /** Units of each line. */
  readonly units: readonly number[]
  readonly state: 'made' | 'out' | 'delivered' | 'returned' | 'lost' | 'cancelled'
}

export type Action =
  | { readonly is: 'dispatch'; readonly slot: number; readonly units: readonly number[] }
  | { readonly is: 'dispatch_rest'; readonly slot: number }
  /** To a recipient outside every carrier's area. */
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
      if (order.status === 'returned') return { order, code: 'order_not_dispatchable' }
      if (units.some((count) => count > 0)) return dispatch(order, units, action.slot)
      const isHeld = parcelsOf(order).some(({ state }) => ['made', 'out', 'delivered'].includes(state))
      return { order, code: isHeld ? 'order_already_dispatched' : 'nothing_to_ship' }
    }
    case 'dispatch_in_vain': {
      const { code } = dispatch(order, action.units, 0)
      return { order, code: code === 'ok' ? 'no_carrier_available' : code }
    }
    case 'cancel':
      return { order: withState(order, action.parcel, 'cancelled'), code: 'ok' }
    case 'pick_up':
      return { order: withStatus(pickUp(order, action.parcel)), code: 'ok' }
    case 'deliver':
      return { order: withStatus(withState(pickUp(order, action.parcel), action.parcel, 'delivered')), code: 'ok' }
    case 'lose':
      return { order: withStatus(withState(order, action.parcel, 'lost')), code: 'ok' }
    case 'return': {
      const { units } = parcelAt(order, action.parcel)
      const lines = order.lines.map((line, index) => ({ ...line, returned: line.returned + (units[index] ?? 0) }))
      return { order: withStatus(withState({ ...order, lines }, action.parcel, 'returned')), code: 'ok' }
    }
  }
}

function dispatch(order: Order, units: readonly number[], slot: number): Answer {
  if (order.status === 'returned') return { order, code: 'order_not_dispatchable' }
  const open = openUnits(order)
  if (units.some((count, index) => count > (open[index] ?? 0))) return { order, code: 'order_items_unavailable' }
  return { order: { ...order, parcels: { ...order.parcels, [slot]: { units, state: 'made' } } }, code: 'ok' }
}

/** Returns the units of each line in no shipment. A cancelled or returned shipment holds none. */
export function openUnits(order: Order): number[] {
  const held = parcelsOf(order).filter(({ state }) => state !== 'cancelled' && state !== 'returned')
  return order.lines.map(({ quantity }, index) =>
    held.reduce((left, { units }) => left - (units[index] ?? 0), quantity),
  )
}

/** Units leave stock once: returned units are not in stock when they leave again. */
function pickUp(order: Order, slot: number): Order {
  const { units, state } = parcelAt(order, slot)
  if (state !== 'made') return order
  const lines = order.lines.map((line, index) => {
    const carried = units[index] ?? 0
    const sent = Math.min(carried, line.quantity - line.fulfilled)
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

/** An order's status never goes back. */
function withStatus(order: Order): Order {
  const next = reached(order)
  return steps.indexOf(next) > steps.indexOf(order.status) ? { ...order, status: next } : order
}

function reached(order: Order): OrderStatus {
  const all = parcelsOf(order)
  const isMoving = all.some(({ state }) => state === 'made' || state === 'out')
  const isBack = order.lines.every(({ quantity, returned }) => returned === quantity)
  const isReceived = order.lines.every(({ quantity, returned }, index) => {
    const delivered = all.filter(({ state }) => state === 'delivered')
    return delivered.reduce((sum, { units }) => sum + (units[index] ?? 0), returned) === quantity
  })
  if (isBack && !isMoving) return 'returned'
  if (!isBack && isReceived && !isMoving) return 'delivered'
  return order.lines.every(({ quantity, fulfilled }) => fulfilled === quantity) ? 'shipped' : 'processing'
}

function parcelsOf({ parcels }: Order): Parcel[] {
  return Object.values(parcels)
}

function parcelAt({ parcels }: Order, slot: number): Parcel {
  const parcel = parcels[slot]
  if (parcel === undefined) throw new Error(`There is no parcel ${slot}.`)
  return parcel
}
