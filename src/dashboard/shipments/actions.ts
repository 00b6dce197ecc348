import { type Markup, nothing } from '../../markup/markup.ts'
import type { RecordActions } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { link, mainLink, outside } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { closingStatusesOf } from './close.ts'
import { type NextStep, nextStepOf, type ShownShipment } from './next-step.ts'

type Shipment = ReplyOf<'getShipment'>

export type ShipmentActions = RecordActions & Pick<NextStep, 'text' | 'isAtRest'>

/** The main action is the next step of the shipment. */
export function shipmentActions(visit: Visit, shown: Omit<ShownShipment, 'print' | 'cancel'>): ShipmentActions {
  const { shipment } = shown
  const { id, status, cancellation } = shipment
  const mayDispatch = may(visit, 'logistics:dispatch')
  const cancelPath = `/shipments/${id}/cancel`
  const isCancellable = mayDispatch && cancellation.allowed
  const print = printLink(shipment, true)
  const cancel = isCancellable ? mainLink(cancelPath, 'Cancel shipment') : undefined
  const next = nextStepOf(visit, { ...shown, print, cancel })
  const isClosable = mayDispatch && closingStatusesOf(status).length > 0
  return {
    ...next,
    more: [
      next.main === print ? nothing : (printLink(shipment, false) ?? nothing),
      isCancellable && next.main !== cancel ? link(cancelPath, 'Cancel shipment') : nothing,
      isClosable ? link(`/shipments/${id}/close`, 'Close shipment') : nothing,
    ],
  }
}

/** Returns the link to the label of the carrier, or to the packing slip of the order if the carrier has no label. */
function printLink({ orderId, labelUrl }: Shipment, isMain: boolean): Markup | undefined {
  const label = 'Print the packing slip'
  if (labelUrl?.startsWith('https://') === true) return outside(labelUrl, 'Print label', isMain)
  if (orderId === null) return undefined
  const path = `/orders/slips?id=${orderId}`
  return isMain ? mainLink(path, label) : link(path, label)
}
