import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { State } from '../../../registry/values/states.ts'
import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * The columns of delivery_zones whose TypeScript types are narrower than their database types, except
 * `boundary_status`.
 */
export interface ZoneColumns {
  state: State
  serviceLevels: ServiceLevel[]
  baseFareKobo: Kobo
  perKmKobo: Kobo
  perKgKobo: Kobo
  createdAt: Timestamp
  updatedAt: Timestamp
}
