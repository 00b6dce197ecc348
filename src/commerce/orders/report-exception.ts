import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'

/** Reports a new exception of a shipment to the webhook endpoints and to the members. */
export function reportException(
  work: Work<'shipment.exception_raised'>,
  { id: shipmentId, reference, orderId, returnId }: Pick<StoredShipment, 'id' | 'reference' | 'orderId' | 'returnId'>,
  exception: StoredException,
): void {
  const { code, cause = null, carrier = null, attemptNumber = null, amounts = null, at: occurredAt } = exception
  const { trx, merchantId, nowMs, now } = work
  const event = { shipmentId, reference, orderId, returnId, code, carrier, attemptNumber, amounts, occurredAt }
  work.emit('shipment.exception_raised', shipmentId, event)
  const data = JSON.stringify({ shipmentId, orderId, returnId, code, cause })
  insertNotification(trx, {
    merchantId,
    id: newId('ntf', nowMs),
    kind: 'shipment.exception',
    endpointId: null,
    data,
    now,
  })
}
