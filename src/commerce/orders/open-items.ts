import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import {
  hasLeftShop,
  holdsItems,
  isActiveOrDelivered,
  isShipmentOver,
} from '../../../registry/logistics/shipment-states.ts'
import { openUnitsOf } from '../../../registry/orders/order-states.ts'
import type { OrderItemId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { OrderItemToShip, OrderToShip, ParcelOfOrder } from '../../store/orders/order-parcels.ts'

/** Computes which units of an order can still be shipped, and which units in the order's shipments were refunded. */

type Sendable = Pick<OrderToShip, 'lines' | 'shipments' | 'isFullyRefunded'>

export interface UnavailableItem {
  readonly itemId: OrderItemId
  readonly requested: number
  readonly available: number
}

/**
 * Returns the quantity of each order item that can still be shipped. Items without such units are left out. Refunded
 * units are not shipped, whether they were restocked or not.
 */
export function openItemsOf(order: Sendable): readonly ShipmentItem[] {
  if (order.isFullyRefunded) return []
  return order.lines
    .map((line) => ({ itemId: line.itemId, quantity: openQuantityOf(line, order.shipments) }))
    .filter(({ quantity }) => quantity > 0)
}

/**
 * Returns the requested items whose requested quantity is higher than the quantity that can still be shipped. An item
 * that is not in the order has no units to ship.
 */
export function unavailableItemsOf(order: Sendable, items: readonly ShipmentItem[]): readonly UnavailableItem[] {
  const open = new Map(openItemsOf(order).map(({ itemId, quantity }) => [itemId, quantity]))
  return items
    .map(({ itemId, quantity }) => ({ itemId, requested: quantity, available: open.get(itemId) ?? 0 }))
    .filter(({ requested, available }) => requested > available)
}

/**
 * Reports whether the order can no longer get a shipment, with or without order items. This is the case if the whole
 * amount or all units of the order were refunded, or if no unit was sent and none is left to send.
 */
export function isUnshippable(order: Sendable): boolean {
  const isRefunded = order.lines.every(({ quantity, refundedQuantity }) => refundedQuantity >= quantity)
  if (order.isFullyRefunded || isRefunded) return true
  const isUnsent = order.lines.every(({ fulfilledQuantity }) => fulfilledQuantity === 0)
  return isUnsent && activeShipmentOf(order) === undefined && openItemsOf(order).length === 0
}

/** Returns the id of the order's newest shipment that is in progress or delivered. */
export function activeShipmentOf({ shipments }: Sendable): ShipmentId | undefined {
  return shipments.findLast(({ status }) => isActiveOrDelivered(status))?.id
}

/** A shipment that has not ended and contains refunded units. */
export interface RefundedParcel {
  readonly parcel: ParcelOfOrder
  /** The items of the shipment, with quantities that exclude the refunded units. */
  readonly kept: readonly ShipmentItem[]
}

/**
 * Returns the shipments that contain refunded units. A refund does not name a shipment, so its units are attributed to
 * shipments in a fixed sequence. Parcels that are being returned come first, then shipments that were not yet requested
 * from a carrier, and then the newest shipments.
 */
export function refundedParcelsOf(order: Sendable): readonly RefundedParcel[] {
  const parcels = [...order.shipments].filter(({ status }) => !isShipmentOver(status)).sort(byWithdrawal)
  const left = new Map(order.lines.map((line) => [line.itemId, refundedInShipments(order, line)]))
  return parcels.flatMap((parcel) => {
    const kept = parcel.items.map((item) => {
      const refunded = Math.min(item.quantity, left.get(item.itemId) ?? 0)
      left.set(item.itemId, (left.get(item.itemId) ?? 0) - refunded)
      return { ...item, quantity: item.quantity - refunded }
    })
    const isChanged = kept.some(({ quantity }, index) => quantity !== parcel.items[index]?.quantity)
    // A shipment that lists no order items stands for the whole order, so its units are refunded if the whole order is
    // refunded.
    const isRefunded = isChanged || (parcel.items.length === 0 && order.isFullyRefunded)
    return isRefunded ? [{ parcel, kept: kept.filter(({ quantity }) => quantity > 0) }] : []
  })
}

function byWithdrawal(one: ParcelOfOrder, other: ParcelOfOrder): number {
  const rank = ({ status, isRequested }: ParcelOfOrder) => (status === 'returning' ? 0 : isRequested ? 2 : 1)
  return rank(one) - rank(other) || (one.id < other.id ? 1 : -1)
}

/**
 * Returns the number of refunded units of an order item that the customer has, or will still receive with a shipment.
 */
function refundedInShipments({ isFullyRefunded, shipments }: Sendable, line: OrderItemToShip): number {
  const given = givenQuantityOf(line, shipments)
  return isFullyRefunded ? given : Math.max(0, given + line.refundedQuantity - line.quantity)
}

/**
 * Returns how many units of an order item can still be shipped: units that are in no shipment and that the merchant has
 * not fulfilled without a shipment. A unit that a carrier returned to the merchant can be shipped again; a unit that
 * the customer returned after delivery cannot.
 */
function openQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  const unassigned = unassignedQuantityOf(line, shipments) - line.cancelledQuantity
  return Math.max(0, Math.min(unassigned, owedQuantityOf(line, shipments)))
}

/**
 * Returns the number of units of an order item that are neither in a shipment nor fulfilled by the merchant without a
 * shipment. Cancelled units are included.
 */
function unassignedQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  const { itemId, quantity, fulfilledQuantity, returnedQuantity } = line
  const held = sumOf(itemId, shipments, ({ status }) => holdsItems(status))
  const out = sumOf(itemId, shipments, isOut)
  const broughtBack = sumOf(itemId, shipments, ({ itemsBooked }) => itemsBooked === 'returned')
  const outWithoutShipment = Math.max(0, fulfilledQuantity - returnedQuantity - out)
  const unsent = quantity - fulfilledQuantity
  return Math.min(quantity - held - outWithoutShipment, unsent + broughtBack)
}

/**
 * Reports whether the order owes the customer units of the given items that are in no shipment. A refund may have
 * restocked these units or written them off, so that they can no longer be shipped. With an empty list, the result
 * concerns the whole order: it is true unless the whole paid amount was returned.
 */
export function hasUnsentUnits(order: Sendable, items: readonly Pick<ShipmentItem, 'itemId'>[]): boolean {
  const { isFullyRefunded, lines, shipments } = order
  if (isFullyRefunded) return false
  if (items.length === 0) return true
  return lines
    .filter(({ itemId }) => items.some((item) => item.itemId === itemId))
    .some((line) => Math.min(unassignedQuantityOf(line, shipments), owedQuantityOf(line, shipments)) > 0)
}

/**
 * Returns the order as if its refunds in progress did not exist, because a refund in progress may still fail or be
 * cancelled.
 */
export function withoutPendingRefunds(order: OrderToShip): OrderToShip {
  const lines = order.lines.map((line) => ({
    ...line,
    refundedQuantity: line.refundedQuantity - line.pendingRefundQuantity,
  }))
  return { ...order, isFullyRefunded: order.isFullyReturned, lines }
}

/**
 * Returns the number of units that the order still owes to the customer: the customer does not have them, will not
 * receive them with a current shipment, and was not refunded for them. Units that were written off are included.
 */
export function owedUnitsOf({ isFullyRefunded, lines, shipments }: Sendable): number {
  if (isFullyRefunded) return 0
  return lines.reduce((sum, line) => sum + Math.max(0, owedQuantityOf(line, shipments)), 0)
}

/** Returns the number of units that the order owes to the customer and that can no longer be shipped. */
export function unshippableUnitsOf(order: Sendable): number {
  return owedUnitsOf(order) - openItemsOf(order).reduce((sum, { quantity }) => sum + quantity, 0)
}

function owedQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  return line.quantity - line.refundedQuantity - givenQuantityOf(line, shipments)
}

/** Returns the number of units of an order item that the customer has, or will receive with a shipment. */
function givenQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  const { itemId, fulfilledQuantity, returnedQuantity, lostQuantity } = line
  const toBeSent = sumOf(itemId, shipments, (each) => holdsItems(each.status) && each.itemsBooked !== 'sent')
  // Adds the units in shipments that are still to be sent. The merchant may have marked some of these units as shipped
  // before the carrier collects them, and the fulfilled quantity already includes such units. The added number is
  // limited to the number of unsent units.
  return fulfilledQuantity - returnedQuantity - lostQuantity + Math.min(toBeSent, unsentQuantityOf(line, shipments))
}

/** Returns the number of units of an order item that were not sent, or that a carrier brought back to the shop. */
function unsentQuantityOf(line: OrderItemToShip, shipments: readonly OrderShipment[]): number {
  const broughtBack = sumOf(line.itemId, shipments, ({ itemsBooked }) => itemsBooked === 'returned')
  return openUnitsOf(line) + Math.min(line.returnedQuantity, broughtBack)
}

/**
 * Reports whether the merchant handed over the units of a shipment without its carrier: the merchant set the order to
 * `delivered` or `returned`, and no unit of the shipment is left in the shop. In the status `shipped`, the parcel may
 * still wait for its carrier, because merchants set this status before the pickup.
 */
export function isHandedOver({ status, lines, shipments }: OrderToShip, items: readonly ShipmentItem[]): boolean {
  if (items.length === 0 || (status !== 'delivered' && status !== 'returned')) return false
  return lines
    .filter(({ itemId }) => items.some((item) => item.itemId === itemId))
    .every((line) => unsentQuantityOf(line, shipments) === 0)
}

function isOut({ status, itemsBooked }: OrderShipment): boolean {
  return itemsBooked === 'sent' && hasLeftShop(status)
}

function sumOf(
  itemId: OrderItemId,
  shipments: readonly OrderShipment[],
  isCounted: (shipment: OrderShipment) => boolean,
): number {
  return shipments
    .filter(isCounted)
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}
