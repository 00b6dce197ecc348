import type { Place } from '../../../registry/logistics/place.ts'
import { type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { onDemandPrecisionMeters } from '../../../registry/values/limits.ts'

/** A rider on demand sets out at once, so a place must be known to a few kilometres; coordinates and plus codes are. */

interface Ends {
  readonly pickup: Pick<Place, 'precisionMeters'>
  readonly dropoff: Pick<Place, 'precisionMeters'>
}

export interface ImprecisePlace {
  readonly place: 'pickup' | 'dropoff'
  readonly precisionMeters: number
}

/** The place that a rider on demand would not find. */
export function imprecisePlaceOf(ends: Ends): ImprecisePlace | undefined {
  const names = ['pickup', 'dropoff'] as const
  const place = names.find((name) => ends[name].precisionMeters > onDemandPrecisionMeters)
  return place && { place, precisionMeters: ends[place].precisionMeters }
}

/** The service levels that carriers are asked for; null asks for all. */
export function reachableLevels(ends: Ends, wanted: readonly ServiceLevel[] | null): readonly ServiceLevel[] {
  const levels = wanted ?? serviceLevels
  return imprecisePlaceOf(ends) === undefined ? levels : levels.filter((level) => level !== 'on_demand')
}
