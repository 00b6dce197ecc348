import type { shipmentEvents } from '../../../registry/kit/event.ts'
import type { Work } from '../../store/core/mutation.ts'

export type ShipmentWork = Work<(typeof shipmentEvents)[number]>
