import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import type { OrderId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findOrderToShip, type OrderToShip, type ParcelOfOrder } from '../../store/orders/order-parcels.ts'
import { resolveExceptionsOf } from '../../store/orders/order-shipments.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { hasUnsentUnits, withoutPendingRefunds } from './open-items.ts'

/**
 * Exceptions that ask a member to send units of an order again. Each stays open as long as units are owed to the
 * customer that no carrier has. A refund under way does not end it, because the refund may end without payment, and
 * neither does a shipment that no carrier has accepted yet, because it may be cancelled.
 */

/** The codes that a refund of the units resolves. A returned parcel must be inspected even if its units are refunded. */
const codesOfRefund = ['dispatch_failed', 'units_not_shipped'] as const

const codesOfShipment = [...codesOfRefund, 'parcel_returned'] as const

/** Resolves the exceptions of units whose money was returned. The caller must hold the lock of the order. */
export function resolveRefundedUnits(work: Work, orderId: OrderId, order: OrderToShip): void {
  const reported = reportedOf(order, codesOfRefund)
  if (reported.length === 0) return
  resolveSent(work, { orderId, order, reported, codes: codesOfRefund })
}

/**
 * Resolves the exceptions of units that a shipment contains, because a carrier has accepted it, or because its own
 * exception reports them from now on. An exception stays open if some of its units are in neither this shipment nor
 * another one that a carrier has.
 */
export async function resolveTakenOver(
  work: Work,
  orderId: OrderId,
  { id, items }: Pick<ParcelOfOrder, 'id' | 'items'>,
): Promise<void> {
  const { trx, merchantId } = work
  const isOther = (shipment: ParcelOfOrder) => shipment.id !== id && (shipment.items.length > 0 || items.length === 0)
  const seen = await findOrderToShip(trx, merchantId, orderId)
  // Most orders have no such exception, so they need no lock.
  if (seen === undefined || reportedOf(seen, codesOfShipment).filter(isOther).length === 0) return
  const [, order] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    // This query runs on the same connection after the lock statement, so that it reads the locked state.
    findOrderToShip(trx, merchantId, orderId),
  ])
  if (order === undefined) return
  const reported = reportedOf(order, codesOfShipment).filter(isOther)
  const shipments = order.shipments.map((each) => (each.id === id ? { ...each, ...takenOver, items } : each))
  resolveSent(work, { orderId, order: { ...order, shipments }, reported, codes: codesOfShipment })
}

/**
 * Reports whether a shipment that fails leaves units that must be sent again: the order is not cancelled, and the
 * customer neither has the units nor gets the money for them.
 */
export async function leavesUnsentUnits(
  { trx, merchantId }: Work,
  orderId: OrderId,
  { id, items }: Pick<ParcelOfOrder, 'id' | 'items'>,
): Promise<boolean> {
  const order = await findOrderToShip(trx, merchantId, orderId)
  if (order === undefined || order.status === 'cancelled') return false
  const shipments = order.shipments.map((each) => (each.id === id ? { ...each, status: 'failed' as const } : each))
  return hasUnsentUnits({ ...order, shipments }, items)
}

/** How a shipment counts that takes over the units of earlier shipments, even if no carrier accepted it. */
const takenOver = { status: 'awaiting_courier', itemsBooked: 'none' } as const

function reportedOf({ shipments }: OrderToShip, codes: readonly ShipmentExceptionCode[]): readonly ParcelOfOrder[] {
  return shipments.filter(({ openExceptions }) => openExceptions.some((code) => codes.includes(code)))
}

interface Reported {
  readonly orderId: OrderId
  readonly order: OrderToShip
  readonly reported: readonly ParcelOfOrder[]
  readonly codes: readonly ShipmentExceptionCode[]
}

function resolveSent({ trx, merchantId, now }: Work, { orderId, order, reported, codes }: Reported): void {
  const accepted = order.shipments.filter(({ status }) => status !== 'scheduled' && status !== 'dispatching')
  const settled = withoutPendingRefunds({ ...order, shipments: accepted })
  for (const code of codes) {
    const ids = reported
      .filter(({ openExceptions }) => openExceptions.includes(code))
      // The units that left a shipment because of a refund are no longer among its items.
      .filter(({ items }) => !hasUnsentUnits(settled, code === 'units_not_shipped' ? order.lines : items))
      .map((shipment): ShipmentId => shipment.id)
    if (ids.length > 0) resolveExceptionsOf(trx, { merchantId, orderId, now, ids, code })
  }
}
