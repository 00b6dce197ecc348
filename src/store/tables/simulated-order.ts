import type { Vehicle } from '../../../registry/logistics/shipment-states.ts'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import type { DispatchFault } from '../../../registry/service/test-phones.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/** What the columns of a simulated carrier's order mean; its prices are another company's and stay plain numbers. */
export interface SimulatedOrderColumns {
  company: TestCarrierCode
  vehicle: Vehicle
  fault: DispatchFault
  next_callback_at: Timestamp | null
  created_at: Timestamp
  accepted_at: Timestamp
  cancelled_at: Timestamp | null
}
