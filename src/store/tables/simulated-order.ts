import type { Vehicle } from '../../../registry/logistics/shipment-states.ts'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import type { DispatchFault } from '../../../registry/service/test-phones.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * The columns of simulated_orders whose TypeScript types are narrower than their database types. Prices of a simulated
 * carrier do not have the type `Kobo`.
 */
export interface SimulatedOrderColumns {
  company: TestCarrierCode
  vehicle: Vehicle
  fault: DispatchFault
  nextCallbackAt: Timestamp | null
  createdAt: Timestamp
  acceptedAt: Timestamp
  cancelledAt: Timestamp | null
}
