import type { Work } from '../../store/core/mutation.ts'

/** Work on a shipment, which may also move its order. */
export type ShipmentWork = Work<(typeof shipmentEvents)[number]>

/** The events of a change of a shipment. */
export const shipmentEvents = ['shipment.status_changed', 'shipment.exception_raised', 'order.status_changed'] as const
