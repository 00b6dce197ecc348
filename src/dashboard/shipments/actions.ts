import { isUnfetched, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { RecordActions } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link, mainLink, outside } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { closingStatusesOf } from './close.ts'

type Shipment = ReplyOf<'getShipment'>

/** Statuses whose shipment has ended without a delivery, so that its units can be dispatched again. */
const again: readonly ShipmentStatus[] = ['failed', 'cancelled', 'returned']

/** Returns the actions of a shipment. The main action is the one that its status suggests. */
export function shipmentActions(visit: Visit, shipment: Shipment): RecordActions {
  const { id, status, cancellation } = shipment
  const mayDispatch = may(visit, 'logistics:dispatch')
  const cancelPath = `/shipments/${id}/cancel`
  const isCancellable = mayDispatch && cancellation.allowed
  // An open exception is solved before the parcel is packed.
  const hasException = shipment.exceptions.some(({ resolvedAt }) => resolvedAt === null)
  const cancelsFirst = isCancellable && hasException
  const record = recordOf(shipment)
  const isToPack = status === 'scheduled' || status === 'dispatching' || isUnfetched(status)
  const print = printLink(shipment, isToPack && !hasException)
  const main =
    (mayDispatch && again.includes(status) && record !== undefined
      ? mainLink(`${record.path}/dispatch`, 'Dispatch again')
      : undefined) ??
    callRecipient(shipment) ??
    (cancelsFirst ? mainLink(cancelPath, 'Cancel shipment') : undefined) ??
    (isToPack && !hasException ? print : undefined) ??
    (record === undefined ? mainLink('/shipments', 'All shipments') : mainLink(record.path, record.label))
  const isClosable = mayDispatch && closingStatusesOf(status).length > 0
  return {
    main,
    more: [
      print === undefined || print === main ? nothing : print,
      isCancellable && !cancelsFirst ? link(cancelPath, 'Cancel shipment') : nothing,
      isClosable ? link(`/shipments/${id}/close`, 'Close shipment') : nothing,
    ],
  }
}

/** Returns the page of the order or of the return that the shipment carries. */
function recordOf({ orderId, returnId }: Shipment) {
  if (orderId !== null) return { path: `/orders/${orderId}`, label: 'Open the order' }
  return returnId === null ? undefined : { path: `/returns/${returnId}`, label: 'Open the return' }
}

/** After a failed delivery, the next step is a call. */
function callRecipient({ status, dropoff: { phone } }: Shipment): Markup | undefined {
  return status === 'delivery_failed' && phone !== null
    ? html`<a class="main" href="tel:${phone}">Call the recipient</a>`
    : undefined
}

/** Returns the link to the label of the carrier, or to the packing slip of the order if the carrier has no label. */
function printLink({ orderId, labelUrl }: Shipment, isMain: boolean): Markup | undefined {
  const label = 'Print the packing slip'
  if (labelUrl?.startsWith('https://') === true) return outside(labelUrl, 'Print label', isMain)
  if (orderId === null) return undefined
  const path = `/orders/slips?id=${orderId}`
  return isMain ? mainLink(path, label) : link(path, label)
}
