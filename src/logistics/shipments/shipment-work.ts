import type { Work } from '../../store/core/mutation.ts'

/** Work on a shipment, which may also change the status of its order. */
export type ShipmentWork = Work<(typeof shipmentEvents)[number]>

/** The events that a change of a shipment can emit. */
export const shipmentEvents = ['shipment.status_changed', 'shipment.exception_raised', 'order.status_changed'] as const
