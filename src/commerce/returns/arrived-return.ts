import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import type { Return } from '../../../registry/returns/return.ts'
import type { ReturnId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveProblem } from '../../store/notifications/resolution.ts'
import { resolveReturnExceptions } from '../../store/orders/shipment-exceptions.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'

/**
 * Reports of problems of shipments that bring returned units back to the shop. If a parcel arrived and its units are
 * not yet recorded as received, the service creates a notification. If a shipment did not arrive, the service adds an
 * exception to it. When the problem ends, the service itself resolves the notification or the exception.
 */

const kind = 'return.arrived'

/** Notifies the merchant that the parcel of a return was delivered to the shop. Requires the order's lock. */
export function reportArrived({ trx, merchantId, nowMs, now }: Work, { id: returnId, orderId }: Return): void {
  const data = JSON.stringify({ returnId, orderId })
  insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
}

/**
 * Codes of the exceptions of a return shipment whose units are still with the customer. These exceptions are resolved
 * when another shipment of the return collects the units.
 */
const codesOfUnits = ['dispatch_failed', 'parcel_returned'] as const satisfies readonly ShipmentExceptionCode[]

/** Must be called when the units of the return were received, or when the return was closed. */
export function resolveReturnProblems({ trx, merchantId, now }: Work, id: ReturnId): void {
  resolveProblem(trx, { merchantId, kind, data: JSON.stringify({ returnId: id }), now })
  const codes = [...codesOfUnits, 'delivery_failed'] as const
  resolveReturnExceptions(trx, { merchantId, returnId: id, exceptId: null, codes, now })
}

/**
 * Resolves the exceptions of all shipments of a return except the shipment `exceptId`, which now contains the units of
 * the return.
 */
export function resolveEarlierShipments(
  { trx, merchantId, now }: Work,
  { id: returnId }: Return,
  exceptId: ShipmentId,
): void {
  resolveReturnExceptions(trx, { merchantId, returnId, exceptId, codes: codesOfUnits, now })
}
