import { openUnitsOf } from '../../../registry/orders/order-states.ts'
import type { OrderId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { isOrderProblemOpen, resolveOrderProblems } from '../../store/notifications/resolution.ts'
import { findOrderToShip } from '../../store/orders/order-parcels.ts'
import { raiseUnitsRefunded, resolveUnitsRefunded, unitsRefundedException } from '../../store/orders/order-shipments.ts'
import { refundedParcelsOf } from './open-items.ts'
import { reportRefundedUnshipped } from './payment-problems.ts'
import { reportException } from './report-exception.ts'

/**
 * Goods of an order whose money was returned, by a refund or by a lost dispute: units in a shipment that a carrier has, and
 * units that stay reserved although nothing of the order may be shipped. A shipment that no carrier was requested for needs
 * no report, because its next attempt leaves the refunded units out.
 */

/** Reports such goods after more money was returned, and resolves what no longer holds. Requires the order's lock. */
export async function reportRefundedGoods(work: Work<'shipment.exception_raised'>, orderId: OrderId): Promise<void> {
  const { trx, merchantId, now } = work
  const { parcelIds, reservedUnits } = await resolveRefundedGoods(work, orderId)
  if (parcelIds.length > 0) {
    for (const shipment of await raiseUnitsRefunded(trx, { merchantId, orderId, now, ids: parcelIds })) {
      reportException(work, shipment, { ...unitsRefundedException, at: now })
    }
  }
  if (reservedUnits === 0) return
  if (await isOrderProblemOpen(trx, { merchantId, orderId, kind: 'order.refunded_unshipped' })) return
  reportRefundedUnshipped(work, orderId, reservedUnits)
}

interface RefundedGoods {
  /** The shipments that a carrier has and that hold refunded units. */
  readonly parcelIds: readonly ShipmentId[]
  /** The reserved units of an order of which all money was returned. */
  readonly reservedUnits: number
}

/** Resolves the reports of goods whose money was not returned after all. Returns the goods whose money was. */
export async function resolveRefundedGoods(work: Work, orderId: OrderId): Promise<RefundedGoods> {
  const { trx, merchantId, now } = work
  const order = await findOrderToShip(trx, merchantId, orderId)
  // The cancellation of an order has reports of its own.
  if (order === undefined || order.status === 'cancelled') return { parcelIds: [], reservedUnits: 0 }
  const parcelIds = refundedParcelsOf(order)
    .filter(({ parcel: { isRequested, status } }) => isRequested && status !== 'returning')
    .map(({ parcel }) => parcel.id)
  if (order.shipments.length > 0) resolveUnitsRefunded(trx, { merchantId, orderId, now, ids: parcelIds })
  const openUnits = order.lines.reduce((sum, line) => sum + openUnitsOf(line), 0)
  const reservedUnits = order.isFullyRefunded ? openUnits : 0
  if (reservedUnits === 0) {
    resolveOrderProblems(trx, { merchantId, orderId, kinds: ['order.refunded_unshipped'], now })
  }
  return { parcelIds, reservedUnits }
}
