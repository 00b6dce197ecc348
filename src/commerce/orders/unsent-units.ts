import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { ShipmentOfLockedOrder } from '../../store/logistics/shipments/tracking.ts'
import { findOrderToShip, type OrderToShip, type ParcelOfOrder } from '../../store/orders/order-parcels.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { resolveExceptionOf } from '../../store/orders/shipment-exceptions.ts'
import { hasUnsentUnits, withoutPendingRefunds } from './open-items.ts'

/**
 * Exceptions that ask a member to send units of an order again. Each exception stays open while the order owes the
 * customer units that no carrier has accepted. A refund in progress does not resolve it, because the refund may fail. A
 * shipment that no carrier has accepted does not resolve it either, because the shipment may be cancelled.
 */

/**
 * Codes of exceptions about units that never left the shop. Such exceptions are resolved when the units are refunded,
 * or when the merchant hands the units over without a shipment. The code `parcel_returned` is not included: a returned
 * parcel must be inspected even if its units were refunded.
 */
const codesOfUnsent: readonly ShipmentExceptionCode[] = ['dispatch_failed', 'units_not_shipped']

const codesOfShipment: readonly ShipmentExceptionCode[] = [...codesOfUnsent, 'parcel_returned']

const codesOfDelivery: readonly ShipmentExceptionCode[] = ['delivery_failed']

/**
 * Resolves the exceptions about unsent units of an order if the price of these units was refunded. The caller must hold
 * the lock of the order.
 */
export function resolveRefundedUnits(work: Work, orderId: OrderId, order: OrderToShip): void {
  resolveSent(work, { orderId, order, reported: reportedOf(order, codesOfUnsent) })
}

/**
 * Resolves the exceptions of units that the merchant handed over without a shipment. If the customer has all units,
 * also resolves the exceptions of failed deliveries. The caller must hold the lock of the order and the handed-over
 * units must already be counted.
 */
export async function resolveHandedOver(
  work: Work,
  orderId: OrderId,
  { to, shipments }: { readonly to: 'shipped' | 'delivered'; readonly shipments: readonly ShipmentOfLockedOrder[] },
): Promise<void> {
  const codes: readonly ShipmentExceptionCode[] = [...codesOfUnsent, ...codesOfDelivery]
  // Most orders have no open exception about unsent units. The units of an order are therefore read only if the order
  // has such an exception.
  if (!shipments.some(({ openExceptions }) => openExceptions.some((code) => codes.includes(code)))) return
  const { trx, merchantId, now } = work
  const order = await findOrderToShip(trx, { merchantId, id: orderId })
  if (order === undefined) return
  resolveRefundedUnits(work, orderId, order)
  if (to === 'shipped') return
  for (const { shipment, exception } of reportedOf(order, codesOfDelivery)) {
    resolveExceptionOf(trx, { merchantId, orderId, now, id: shipment.id, exception })
  }
}

/**
 * Resolves exceptions of the order's other shipments: those that ask the merchant to send units which are now in this
 * shipment. Called when a carrier has accepted this shipment, or when an exception of this shipment reports these
 * units. An exception stays open if any of its units is neither in this shipment nor in another accepted shipment.
 */
export async function resolveTakenOver(
  work: Work,
  orderId: OrderId,
  { id, items }: Pick<ParcelOfOrder, 'id' | 'items'>,
): Promise<void> {
  const { trx, merchantId } = work
  const isOther = (shipment: ParcelOfOrder) => shipment.id !== id && (shipment.items.length > 0 || items.length === 0)
  const seen = await findOrderToShip(trx, { merchantId, id: orderId })
  // An order without an open exception about unsent units need not be locked. Most orders have none.
  if (seen === undefined || !reportedOf(seen, codesOfShipment).some(({ shipment }) => isOther(shipment))) return
  const [, order] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    // This query runs on the same connection after the statement that locks the order, so it reads the locked state.
    findOrderToShip(trx, { merchantId, id: orderId }),
  ])
  if (order === undefined) return
  const reported = reportedOf(order, codesOfShipment).filter(({ shipment }) => isOther(shipment))
  const shipments = order.shipments.map((each) => (each.id === id ? { ...each, ...takenOver, items } : each))
  resolveSent(work, { orderId, order: { ...order, shipments }, reported })
}

/**
 * Reports whether units of a failing shipment must be sent again. This is the case if the order is not cancelled, and
 * the customer neither has the units nor was refunded for them.
 */
export async function leavesUnsentUnits(
  { trx, merchantId }: Work,
  orderId: OrderId,
  { id, items }: Pick<ParcelOfOrder, 'id' | 'items'>,
): Promise<boolean> {
  const order = await findOrderToShip(trx, { merchantId, id: orderId })
  if (order === undefined || order.status === 'cancelled') return false
  const shipments = order.shipments.map((each) => (each.id === id ? { ...each, status: 'failed' as const } : each))
  return hasUnsentUnits({ ...order, shipments }, items)
}

/**
 * The state that the check for unsent units assumes for a shipment if the shipment now carries the unsent units, or if
 * an exception of the shipment already reports them. The shipment is treated as accepted by a carrier, even if no
 * carrier has accepted it yet.
 */
const takenOver = { status: 'awaiting_courier', itemsBooked: 'none' } as const

/** An open exception of a shipment about units that must be sent. */
interface Reported {
  readonly shipment: ParcelOfOrder
  readonly exception: ParcelOfOrder['openExceptions'][number]
}

function reportedOf({ shipments }: OrderToShip, codes: readonly ShipmentExceptionCode[]): readonly Reported[] {
  // If the carrier reported two different ends of a parcel, such as delivered and lost, it is unknown who has the
  // units, so no other shipment resolves the exception.
  return shipments.flatMap((shipment) =>
    shipment.openExceptions
      .filter(({ code, cause }) => codes.includes(code) && cause !== 'other_end')
      .map((exception) => ({ shipment, exception })),
  )
}

interface ReportedOfOrder {
  readonly orderId: OrderId
  readonly order: OrderToShip
  readonly reported: readonly Reported[]
}

/**
 * Resolves exceptions whose units need not be sent any more, because a carrier has accepted them, the customer has
 * them, or they were refunded.
 */
function resolveSent({ trx, merchantId, now }: Work, { orderId, order, reported }: ReportedOfOrder): void {
  const accepted = order.shipments.filter(({ status }) => status !== 'scheduled' && status !== 'dispatching')
  const settled = withoutPendingRefunds({ ...order, shipments: accepted })
  for (const { shipment, exception } of reported) {
    if (hasUnsentUnits(settled, unitsOf(order, shipment, exception))) continue
    resolveExceptionOf(trx, { merchantId, orderId, now, id: shipment.id, exception })
  }
}

/**
 * Returns the order items that an exception concerns: the items that it lists or, if it lists none, the items of its
 * shipment.
 */
function unitsOf(
  { lines }: OrderToShip,
  { items }: ParcelOfOrder,
  { code, itemIds }: Reported['exception'],
): readonly Pick<ShipmentItem, 'itemId'>[] {
  if (itemIds !== undefined) return itemIds.map((itemId) => ({ itemId }))
  return code === 'units_not_shipped' ? lines : items
}
