import type { OrderStatus } from '../../../registry/order-states.ts'
import { handedOverStatuses, type ShipmentStatus } from '../../../registry/shipment-states.ts'
import { lockMovable, moveOrder } from '../../commerce/move-order.ts'
import type { Work } from '../../store/mutation.ts'
import type { KeptShipment } from '../../store/shipment-columns.ts'
import { listShipmentsOfOrder } from '../../store/tracking.ts'

export type FollowOutcome =
  | { readonly is: 'moved'; readonly from: OrderStatus; readonly to: OrderStatus }
  | { readonly is: 'nothing_to_do' }
  /** The order cannot go there; the shipment goes all the same. */
  | { readonly is: 'not_moved'; readonly reason: string }

/**
 * Brings an order to where its shipments are, by the same verb as everybody: shipped with the first that is fetched,
 * delivered and returned with the last. What comes back goes on no shelf by itself: whether it can be sold is for a person
 * to see. To be called under the shipment’s lock, ahead of its move.
 */
export async function followShipment(
  work: Work<'order.status_changed'>,
  shipment: KeptShipment,
  to: ShipmentStatus,
): Promise<FollowOutcome> {
  const { orderId } = shipment
  if (orderId === null || !concernsOrder(to)) return { is: 'nothing_to_do' }
  const [order, all] = await Promise.all([
    lockMovable(work, orderId),
    // Sent behind the order’s lock: of two shipments that arrive at once, the second sees the first.
    listShipmentsOfOrder(work.trx, work.merchantId, orderId),
  ])
  if (order === undefined) return { is: 'nothing_to_do' }
  const others = all.filter(({ id }) => id !== shipment.id).map(({ status }) => status)
  const wanted = wantedOf([to, ...others])
  const from = order.locked.status
  if (wanted === undefined || isThere(from, wanted)) return { is: 'nothing_to_do' }
  const moved = moveOrder(work, order, { to: wanted, reason: `shipment_${to}` })
  switch (moved.is) {
    case 'moved':
      return { is: 'moved', from, to: wanted }
    case 'not_allowed':
      return { is: 'not_moved', reason: `The order is ${from} and could not become ${wanted}.` }
    case 'short':
      return { is: 'not_moved', reason: 'The order’s pieces are not in stock, so it could not be handed over.' }
  }
}

/** Nothing of an order depends on how a rider is found. One that is off the list may have been the last that was waited for. */
function concernsOrder(status: ShipmentStatus): boolean {
  return isHandedOver(status) || isEnd(status) || status === 'cancelled' || status === 'failed'
}

function isHandedOver(status: ShipmentStatus): boolean {
  return handedOverStatuses.includes(status) || status === 'lost'
}

function isEnd(status: ShipmentStatus): boolean {
  return status === 'delivered' || status === 'returned'
}

/** Where an order is whose shipments are there; undefined where none has left the shop. */
function wantedOf(statuses: readonly ShipmentStatus[]): OrderStatus | undefined {
  const counted = statuses.filter((status) => status !== 'cancelled' && status !== 'failed')
  if (counted.length === 0) return undefined
  if (counted.every((status) => status === 'delivered')) return 'delivered'
  if (counted.every((status) => status === 'returned')) return 'returned'
  return counted.some((status) => isHandedOver(status) || isEnd(status)) ? 'shipped' : undefined
}

const steps: readonly OrderStatus[] = ['shipped', 'delivered', 'returned']

/** Whether the order is there, or further: a person may have been quicker. */
function isThere(status: OrderStatus, wanted: OrderStatus): boolean {
  return steps.indexOf(status) >= steps.indexOf(wanted)
}
