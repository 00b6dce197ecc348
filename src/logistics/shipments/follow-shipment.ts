import { hasLeftShop, isShipmentOver, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { type ShipmentMove, shipmentMovesOf } from '../../commerce/orders/line-moves.ts'
import { lockMovable, type MovableOrder, moveOrder, progressOrder } from '../../commerce/orders/move-order.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { StoredException, StoredShipment } from '../../store/tables/shipment.ts'

export type FollowOutcome = {
  /** Which of the shipment’s items the order has counted. */
  readonly itemsBooked: StoredShipment['itemsBooked']
} & (
  | { readonly is: 'moved'; readonly from: OrderStatus; readonly to: OrderStatus }
  /** Only the quantities of the items changed, or nothing. */
  | { readonly is: 'stays' }
  /** The order cannot take the status. The shipment does. */
  | { readonly is: 'not_moved'; readonly why: Pick<StoredException, 'cause' | 'facts'> }
)

/**
 * Moves the order of a shipment to the status that its shipments add up to:
 *
 *    a unit is fulfilled with the shipment that carries it, and returned with it
 *    every unit fulfilled  shipped
 *    every unit received   delivered; returned units are not waited for
 *    every unit returned   returned
 *
 * Returned units are not restocked automatically, because the merchant must inspect them. Must be called under the lock
 * of the shipment, before its move.
 */
export async function followShipment(
  work: Work<'order.status_changed'>,
  shipment: StoredShipment,
  to: ShipmentStatus,
): Promise<FollowOutcome> {
  const { orderId, items, itemsBooked } = shipment
  const stays = { is: 'stays', itemsBooked } as const
  // The dispatch does not concern the order, and neither does a parcel without items.
  if (orderId === null || items.length === 0 || !concernsOrder(to)) return stays
  const order = await lockMovable(work, orderId)
  if (order === undefined) return stays
  const bookedAfter = hasLeftShop(to) ? (to === 'returned' ? 'returned' : 'sent') : itemsBooked
  const isSent = itemsBooked === 'none' && bookedAfter !== 'none'
  const parcel = { items, isSent, isReturned: bookedAfter === 'returned' && itemsBooked !== 'returned' }
  const shipments = order.shipments.map((each) => (each.id === shipment.id ? { ...each, status: to } : each))
  return follow(work, { order, parcel, shipments, to, itemsBooked, bookedAfter })
}

/** Whether a status can change the order. A cancelled parcel may have been the last active one. */
function concernsOrder(status: ShipmentStatus): boolean {
  return hasLeftShop(status) || status === 'cancelled' || status === 'failed'
}

interface Following {
  readonly order: MovableOrder
  readonly parcel: ShipmentMove
  readonly shipments: readonly OrderShipment[]
  readonly to: ShipmentStatus
  readonly itemsBooked: StoredShipment['itemsBooked']
  readonly bookedAfter: StoredShipment['itemsBooked']
}

function follow(work: Work<'order.status_changed'>, following: Following): FollowOutcome {
  const { order, parcel, shipments, to, itemsBooked, bookedAfter } = following
  const from = order.locked.status
  const lines = shipmentMovesOf(order.lines, parcel)
  if (lines.is === 'short') {
    return { is: 'not_moved', itemsBooked, why: { cause: 'out_of_stock' } }
  }
  const wanted = targetStatusOf(unitsOf(order, lines.moves), shipments)
  if (wanted !== undefined && !hasReached(from, wanted)) {
    const moved = moveOrder(work, order, { to: wanted, reason: `shipment_${to}`, parcel })
    if (moved.is === 'moved') return { is: 'moved', itemsBooked: bookedAfter, from, to: wanted }
    return { is: 'not_moved', itemsBooked, why: { cause: 'not_allowed', facts: { orderStatus: from, wanted } } }
  }
  const isUnchanged = !parcel.isSent && !parcel.isReturned
  if (isUnchanged) return { is: 'stays', itemsBooked }
  const hasProgress = lines.moves.some((move, index) => isProgress(order.lines[index], move))
  const isClosed = from === 'returned' ? hasProgress : !shippableStatuses.includes(from)
  if (isClosed) return { is: 'not_moved', itemsBooked, why: { cause: 'not_counted', facts: { orderStatus: from } } }
  if (hasProgress) progressOrder(work, order, parcel)
  return { is: 'stays', itemsBooked: bookedAfter }
}

/**
 * Statuses of an order whose units can be fulfilled or returned. The merchant may have set the status before the
 * carrier’s update.
 */
const shippableStatuses: readonly OrderStatus[] = ['processing', 'shipped', 'delivered', 'returned']

type Counts = Omit<Units, 'quantity' | 'itemId'>

function isProgress(line: Counts | undefined, move: Counts): boolean {
  return line?.fulfilledQuantity !== move.fulfilledQuantity || line.returnedQuantity !== move.returnedQuantity
}

interface Units {
  readonly itemId: OrderItemId
  /** Units still ordered, sent or not. */
  readonly quantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
}

/** Returns the quantities of the order items after the move, without cancelled units. */
function unitsOf({ lines }: MovableOrder, moves: readonly Omit<Units, 'quantity'>[]): readonly Units[] {
  const byId = new Map(moves.map((move) => [move.itemId, move]))
  return lines
    .map((line) => ({ ...line, ...byId.get(line.itemId), quantity: line.quantity - line.cancelledQuantity }))
    .filter(({ quantity }) => quantity > 0)
}

/** Returns the status of an order by its units and shipments; undefined while a unit has not been fulfilled. */
function targetStatusOf(units: readonly Units[], shipments: readonly OrderShipment[]): OrderStatus | undefined {
  if (units.length === 0) return undefined
  const isOnTheWay = shipments.some(({ status, items }) => items.length > 0 && !isShipmentOver(status))
  const isBack = units.every(({ quantity, returnedQuantity }) => returnedQuantity === quantity)
  // Returned units may be in a new shipment.
  if (isBack && !isOnTheWay) return 'returned'
  const delivered = shipments.filter(({ status }) => status === 'delivered').flatMap(({ items }) => items)
  const receivedOf = (itemId: OrderItemId) =>
    delivered.reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
  const isDone = ({ itemId, quantity, returnedQuantity }: Units) => receivedOf(itemId) + returnedQuantity >= quantity
  if (!isBack && !isOnTheWay && units.every(isDone)) return 'delivered'
  return units.every(({ quantity, fulfilledQuantity }) => fulfilledQuantity === quantity) ? 'shipped' : undefined
}

const steps: readonly OrderStatus[] = ['shipped', 'delivered', 'returned']

/** Whether the order has reached the status, or a later one set by the merchant. */
function hasReached(status: OrderStatus, wanted: OrderStatus): boolean {
  return steps.indexOf(status) >= steps.indexOf(wanted)
}
