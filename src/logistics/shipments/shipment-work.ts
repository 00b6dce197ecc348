import { orderMoveEvents } from '../../commerce/orders/emit-status-change.ts'
import type { Work } from '../../store/core/mutation.ts'

/** Database transaction that changes a shipment and may also change the status of its order. */
export type ShipmentWork = Work<(typeof shipmentEvents)[number]>

/** The webhook events that a change of a shipment can emit. */
export const shipmentEvents = [
  'shipment.status_changed',
  'shipment.exception_raised',
  'payment.recorded',
  ...orderMoveEvents,
] as const
