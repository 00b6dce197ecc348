import type { shipmentEvents } from '../../../registry/kit/event.ts'
import type { Work } from '../../store/core/mutation.ts'

/** Database transaction that changes a shipment and may also change the status of its order. */
export type ShipmentWork = Work<(typeof shipmentEvents)[number]>
