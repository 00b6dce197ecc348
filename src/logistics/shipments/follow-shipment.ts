import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import { hasLeftShop, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import { lockMovable } from '../../commerce/orders/move-order.ts'
import { type CountOutcome, countShipment } from '../../commerce/orders/settle-order.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'

export type FollowOutcome = {
  /** The units of the shipment that are already counted as fulfilled or returned in the order. */
  readonly itemsBooked: StoredShipment['itemsBooked']
  /** The status of the order before the change. Null when the shipment has no order. */
  readonly orderStatus: OrderStatus | null
} & (
  | { readonly is: 'moved'; readonly from: OrderStatus; readonly to: OrderStatus }
  /** The status of the order is unchanged. The quantities of its items may have changed. */
  | { readonly is: 'stays' }
  /**
   * The shipment gets its new status, but the order does not change its status. `why` is the reason why the order
   * cannot get the status that would follow from the new status of the shipment.
   */
  | { readonly is: 'not_moved'; readonly why: Pick<StoredException, 'cause' | 'facts'> }
)

/**
 * Counts the units of a shipment on its order: a unit is fulfilled, returned or lost together with the shipment that
 * carries it. The order then gets the status that follows from its units. Units of a cancelled order are restocked
 * automatically. Returned units of any other order are not restocked automatically, because the merchant must inspect
 * them and may send them again. Must be called under the lock of the shipment, before the status of the shipment
 * changes.
 */
export async function followShipment(
  work: Work<OrderMoveEvents>,
  shipment: StoredShipment,
  to: ShipmentStatus,
): Promise<FollowOutcome> {
  const { id, orderId, items, itemsBooked } = shipment
  const stays = { is: 'stays', itemsBooked, orderStatus: null } as const
  // The order stays unchanged if the shipment has no order or no order items. It also stays unchanged if the shipment's
  // new status cannot change an order, such as `dispatching`.
  if (orderId === null || items.length === 0 || !concernsOrder(to)) return stays
  const order = await lockMovable(work, orderId)
  if (order === undefined) return stays
  const bookedAfter = hasLeftShop(to) ? (to === 'returned' ? 'returned' : 'sent') : itemsBooked
  const parcel = {
    items,
    isSent: itemsBooked === 'none' && bookedAfter !== 'none',
    isReturned: bookedAfter === 'returned' && itemsBooked !== 'returned',
    isLost: to === 'lost',
    others: order.shipments.filter((each) => each.id !== id),
  }
  const after = { status: to, itemsBooked: bookedAfter }
  const shipments = order.shipments.map((each) => (each.id === id ? { ...each, ...after } : each))
  const { status: orderStatus } = order.locked
  const outcome = countShipment(work, order, { parcel, shipments, reason: `shipment_${to}` })
  switch (outcome.is) {
    case 'moved':
      return { is: 'moved', from: outcome.from, to: outcome.to, itemsBooked: bookedAfter, orderStatus }
    case 'stays':
      return { is: 'stays', itemsBooked: bookedAfter, orderStatus }
    case 'not_allowed':
      return { ...notMoved(outcome, orderStatus), itemsBooked: bookedAfter, orderStatus }
    case 'out_of_stock':
    case 'not_counted':
      return { ...notMoved(outcome, orderStatus), itemsBooked, orderStatus }
  }
}

/**
 * Whether a shipment status can change the order. The statuses `cancelled` and `failed` can change it too, because the
 * shipment may have been the last active shipment of the order.
 */
function concernsOrder(status: ShipmentStatus): boolean {
  return hasLeftShop(status) || status === 'cancelled' || status === 'failed'
}

function notMoved(
  outcome: Extract<CountOutcome, { is: 'not_allowed' | 'out_of_stock' | 'not_counted' }>,
  orderStatus: OrderStatus,
) {
  const { is: cause } = outcome
  const facts = cause === 'not_allowed' ? { orderStatus, wanted: outcome.wanted } : { orderStatus }
  return { is: 'not_moved', why: cause === 'out_of_stock' ? { cause } : { cause, facts } } as const
}
