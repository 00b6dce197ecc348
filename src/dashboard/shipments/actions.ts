import { isUnfetched, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link, mainLink, outside } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { closingStatusesOf } from './close.ts'

type Shipment = ReplyOf<'getShipment'>

/** Statuses whose shipment has ended without a delivery, so that its units can be dispatched again. */
const again: readonly ShipmentStatus[] = ['failed', 'cancelled', 'returned']

/** Shows the actions of a shipment. The action that the status suggests comes first. */
export function shipmentActions(visit: Visit, shipment: Shipment): Markup {
  const { id, orderId, returnId, status, cancellation } = shipment
  const mayDispatch = may(visit, 'logistics:dispatch')
  const record = orderId === null ? (returnId === null ? undefined : `/returns/${returnId}`) : `/orders/${orderId}`
  const redispatch =
    mayDispatch && again.includes(status) && record !== undefined
      ? mainLink(`${record}/dispatch`, 'Dispatch again')
      : nothing
  const hasException = shipment.exceptions.some(({ resolvedAt }) => resolvedAt === null)
  const cancelPath = `/shipments/${id}/cancel`
  const isCancellable = mayDispatch && cancellation.allowed
  const cancel = isCancellable && !hasException ? link(cancelPath, 'Cancel shipment') : nothing
  // While a shipment has an open exception, its cancellation is shown as the main action, before the packing slip.
  const cancelFirst = isCancellable && hasException ? mainLink(cancelPath, 'Cancel shipment') : nothing
  const isClosable = mayDispatch && closingStatusesOf(status).length > 0
  const close = isClosable ? link(`/shipments/${id}/close`, 'Close shipment') : nothing
  return html`${redispatch}${callRecipient(shipment)}${cancelFirst}${printed(shipment, hasException)}${cancel}${close}`
}

/** After a failed delivery, the first action is to call the recipient. */
function callRecipient({ status, dropoff: { phone } }: Shipment): Markup {
  return status === 'delivery_failed' && phone !== null
    ? html`<a class="main" href="tel:${phone}">Call the recipient</a>`
    : nothing
}

/** The label of the carrier, or the packing slip of the order if the carrier has no label. */
function printed({ orderId, status, labelUrl }: Shipment, hasException: boolean): Markup {
  if (labelUrl?.startsWith('https://') === true) return outside(labelUrl, 'Print label')
  if (orderId === null) return nothing
  const isToPack = status === 'scheduled' || status === 'dispatching' || isUnfetched(status)
  const path = `/orders/slips?id=${orderId}`
  return isToPack && !hasException ? mainLink(path, 'Packing slip') : link(path, 'Packing slip')
}
