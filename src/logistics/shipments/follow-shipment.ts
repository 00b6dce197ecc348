import { hasLeftShop, isShipmentOver, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { type ShipmentMove, shipmentMovesOf } from '../../commerce/orders/line-moves.ts'
import { lockMovable, type MovableOrder, moveOrder, progressOrder } from '../../commerce/orders/move-order.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { StoredException, StoredShipment } from '../../store/tables/shipment.ts'

export type FollowOutcome = {
  /** What the order counts of the shipment’s items from now on. */
  readonly itemsBooked: StoredShipment['itemsBooked']
} & (
  | { readonly is: 'moved'; readonly from: OrderStatus; readonly to: OrderStatus }
  /** Its lines have moved, or nothing had to. */
  | { readonly is: 'stays' }
  /** The order cannot go there; the shipment goes all the same. */
  | { readonly is: 'not_moved'; readonly why: Pick<StoredException, 'cause' | 'facts'> }
)

/**
 * Brings an order to where the sum of its shipments is, by the same verb as everybody:
 *
 *   a unit is sent with the shipment that carries it, and comes back with it
 *   every unit sent       shipped
 *   every unit received   delivered; what came back is waited for no more
 *   every unit back       returned
 *
 * What comes back goes on no shelf by itself: whether it can be sold is for a person to see. To be called under the shipment’s
 * lock, ahead of its move.
 */
export async function followShipment(
  work: Work<'order.status_changed'>,
  shipment: StoredShipment,
  to: ShipmentStatus,
): Promise<FollowOutcome> {
  const { orderId, items, itemsBooked } = shipment
  const stays = { is: 'stays', itemsBooked } as const
  // Nothing of an order depends on how a rider is found, or on a parcel with none of its items.
  if (orderId === null || items.length === 0 || !concernsOrder(to)) return stays
  const order = await lockMovable(work, orderId)
  if (order === undefined) return stays
  const booked = hasLeftShop(to) ? (to === 'returned' ? 'returned' : 'sent') : itemsBooked
  const isSent = itemsBooked === 'none' && booked !== 'none'
  const parcel = { items, isSent, isReturned: booked === 'returned' && itemsBooked !== 'returned' }
  const shipments = order.shipments.map((each) => (each.id === shipment.id ? { ...each, status: to } : each))
  return follow(work, { order, parcel, shipments, to, itemsBooked, booked })
}

/** A parcel that is called off may have been the last that was waited for. */
function concernsOrder(status: ShipmentStatus): boolean {
  return hasLeftShop(status) || status === 'cancelled' || status === 'failed'
}

interface Following {
  readonly order: MovableOrder
  readonly parcel: ShipmentMove
  readonly shipments: readonly OrderShipment[]
  readonly to: ShipmentStatus
  readonly itemsBooked: StoredShipment['itemsBooked']
  readonly booked: StoredShipment['itemsBooked']
}

function follow(work: Work<'order.status_changed'>, following: Following): FollowOutcome {
  const { order, parcel, shipments, to, itemsBooked, booked } = following
  const from = order.locked.status
  const lines = shipmentMovesOf(order.lines, parcel)
  if (lines.is === 'short') {
    return { is: 'not_moved', itemsBooked, why: { cause: 'out_of_stock' } }
  }
  const wanted = wantedOf(unitsOf(order, lines.moves), shipments)
  if (wanted !== undefined && !isThere(from, wanted)) {
    const moved = moveOrder(work, order, { to: wanted, reason: `shipment_${to}`, parcel })
    if (moved.is === 'moved') return { is: 'moved', itemsBooked: booked, from, to: wanted }
    return { is: 'not_moved', itemsBooked, why: { cause: 'not_allowed', facts: { orderStatus: from, wanted } } }
  }
  const isCounted = !parcel.isSent && !parcel.isReturned
  if (isCounted) return { is: 'stays', itemsBooked }
  const hasProgress = lines.moves.some((move, index) => isProgress(order.lines[index], move))
  const isShut = from === 'returned' ? hasProgress : !shippableStatuses.includes(from)
  if (isShut) return { is: 'not_moved', itemsBooked, why: { cause: 'not_counted', facts: { orderStatus: from } } }
  if (hasProgress) progressOrder(work, order, parcel)
  return { is: 'stays', itemsBooked: booked }
}

/** Where units can leave the shop and come back; the merchant may have said so of an order ahead of its carrier. */
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

/** The lines of the order after the move, of which each has only the units still ordered. */
function unitsOf({ lines }: MovableOrder, moves: readonly Omit<Units, 'quantity'>[]): readonly Units[] {
  const byId = new Map(moves.map((move) => [move.itemId, move]))
  return lines
    .map((line) => ({ ...line, ...byId.get(line.itemId), quantity: line.quantity - line.cancelledQuantity }))
    .filter(({ quantity }) => quantity > 0)
}

/** Where an order is whose units and shipments are there; undefined while some unit has not left the shop. */
function wantedOf(units: readonly Units[], shipments: readonly OrderShipment[]): OrderStatus | undefined {
  if (units.length === 0) return undefined
  const isOnTheWay = shipments.some(({ status, items }) => items.length > 0 && !isShipmentOver(status))
  const isBack = units.every(({ quantity, returnedQuantity }) => returnedQuantity === quantity)
  // Units that came back may be on their way once more.
  if (isBack && !isOnTheWay) return 'returned'
  const delivered = shipments.filter(({ status }) => status === 'delivered').flatMap(({ items }) => items)
  const receivedOf = (itemId: OrderItemId) =>
    delivered.reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
  const isDone = ({ itemId, quantity, returnedQuantity }: Units) => receivedOf(itemId) + returnedQuantity >= quantity
  if (!isBack && !isOnTheWay && units.every(isDone)) return 'delivered'
  return units.every(({ quantity, fulfilledQuantity }) => fulfilledQuantity === quantity) ? 'shipped' : undefined
}

const steps: readonly OrderStatus[] = ['shipped', 'delivered', 'returned']

/** Whether the order is there, or further: a person may have been quicker. */
function isThere(status: OrderStatus, wanted: OrderStatus): boolean {
  return steps.indexOf(status) >= steps.indexOf(wanted)
}
