import { openUnitsOf, unitsToSendOf } from '../../../registry/orders/order-states.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { OrderId, RefundId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { isOrderProblemOpen, resolveOrderProblems } from '../../store/notifications/resolution.ts'
import { findOrderToShip, type OrderToShip } from '../../store/orders/order-parcels.ts'
import {
  raiseUnitsNotShipped,
  raiseUnitsRefunded,
  resolveUnitsRefunded,
  unitsNotShippedException,
  unitsRefundedException,
} from '../../store/orders/shipment-exceptions.ts'
import { owedUnitsOf, refundedParcelsOf, unshippableUnitsOf, withoutPendingRefunds } from './open-items.ts'
import { reportPaidUnshippable, reportRefundedUnshipped } from './payment-problems.ts'
import { reportException } from './report-exception.ts'
import { resolveRefundedUnits } from './unsent-units.ts'

/**
 * Reports units of an order to the merchant if a refund or a lost dispute returned their price and the merchant must
 * act. This is the case for units in a shipment that was already requested from a carrier, and for units that stay
 * reserved although no unit of the order may be shipped any more. A shipment that was not yet requested from a carrier
 * needs no report, because its next dispatch attempt omits the refunded units.
 */

/**
 * Reports to the merchant those units of an order that need manual action because their price was refunded. Resolves
 * earlier reports that no longer apply. The caller must hold the lock of the order.
 */
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
  /** The shipments that were already requested from a carrier and contain refunded units. */
  readonly parcelIds: readonly ShipmentId[]
  /** Number of units that stay reserved although no further unit of the order will be sent. */
  readonly reservedUnits: number
}

/**
 * Resolves the problems of an order about refunded or unshippable units that no longer apply, for example because a
 * refund failed or was cancelled. Also resolves exceptions that ask the merchant to send units that are now refunded.
 * Returns the goods whose price was returned or is being returned.
 */
export async function resolveRefundedGoods(work: Work, orderId: OrderId): Promise<RefundedGoods> {
  const { trx, merchantId, now } = work
  const order = await findOrderToShip(trx, { merchantId, id: orderId })
  // For a cancelled order, this function returns no refunded units, because the service reports the cancellation
  // separately.
  if (order === undefined || order.status === 'cancelled') return { parcelIds: [], reservedUnits: 0 }
  const parcelIds = refundedParcelsOf(order)
    .filter(({ parcel }) => parcel.isRequested)
    .map(({ parcel }) => parcel.id)
  // The statement that resolves exceptions locks the shipments of the order. It is sent only if an exception must be
  // resolved, which is rare.
  const isResolvable = order.shipments.some(
    ({ id, openExceptions }) => openExceptions.some(({ code }) => code === 'units_refunded') && !parcelIds.includes(id),
  )
  if (isResolvable) resolveUnitsRefunded(trx, { merchantId, orderId, now, ids: parcelIds })
  resolveRefundedUnits(work, orderId, order)
  const reservedUnits = reservedUnitsOf(order)
  const ended: NotificationKind[] = []
  if (reservedUnits === 0) ended.push('order.refunded_unshipped')
  if (unshippableUnitsOf(withoutPendingRefunds(order)) === 0) ended.push('order.paid_unshippable')
  if (ended.length > 0) resolveOrderProblems(trx, { merchantId, orderId, kinds: ended, now })
  return { parcelIds, reservedUnits }
}

/**
 * Returns the number of units that the order still owes the customer: units that no shipment brings to the customer and
 * that were not refunded. The caller must hold the lock of the order.
 */
export async function countOwedUnits({ trx, merchantId }: Work, orderId: OrderId): Promise<number> {
  const order = await findOrderToShip(trx, { merchantId, id: orderId })
  // A cancelled order owes the customer no units.
  return order === undefined || order.status === 'cancelled' ? 0 : owedUnitsOf(order)
}

interface UnpaidRefund {
  readonly orderId: OrderId
  readonly refundId: RefundId
  /** The number of units that the order owed to the customer before the refund failed or was cancelled. */
  readonly owedBefore: number
}

/**
 * Updates the problems of an order after a refund failed or was cancelled. Resolves the reports about refunded goods,
 * and reports the units that a member must dispatch or refund again. These are units that were taken out of a shipment
 * because of the refund, and paid units that can no longer be shipped. Even a refund without items may have had these
 * effects. The caller must hold the lock of the order.
 */
export async function reopenRefundedGoods(
  work: Work<'shipment.exception_raised'>,
  { orderId, refundId, owedBefore }: UnpaidRefund,
): Promise<void> {
  const { trx, merchantId, now } = work
  await resolveRefundedGoods(work, orderId)
  const order = await findOrderToShip(trx, { merchantId, id: orderId })
  if (order === undefined || order.status === 'cancelled') return
  const unshippable = unshippableUnitsOf(order)
  const kind = 'order.paid_unshippable'
  if (unshippable > 0 && !(await isOrderProblemOpen(trx, { merchantId, orderId, kind }))) {
    reportPaidUnshippable(work, orderId, unshippable)
  }
  if (owedUnitsOf(order) <= owedBefore) return
  for (const shipment of await raiseUnitsNotShipped(trx, { merchantId, orderId, refundId, now })) {
    reportException(work, shipment, { ...unitsNotShippedException, at: now })
  }
}

/**
 * Returns the number of reserved units of an order that will send no further units; 0 for any other order. An order
 * sends no further units if all its payments were returned, or if all its units were refunded before any unit was sent.
 * If a unit was sent, the next status change of the order releases the refunded units.
 */
function reservedUnitsOf({ isFullyRefunded, lines }: OrderToShip): number {
  const isRefunded = lines.every((line) => line.fulfilledQuantity === 0 && unitsToSendOf(line) === 0)
  return isFullyRefunded || isRefunded ? lines.reduce((sum, line) => sum + openUnitsOf(line), 0) : 0
}
