import type { Place } from '../../../registry/logistics/place.ts'
import { type ServiceLevel, serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { onDemandPrecisionMeters } from '../../../registry/values/limits.ts'

/**
 * Checks whether the coordinates of the pickup and the dropoff are precise enough for on-demand delivery. In an
 * on-demand delivery, a rider leaves at once.
 */

interface Ends {
  readonly pickup: Pick<Place, 'precisionMeters'>
  readonly dropoff: Pick<Place, 'precisionMeters'>
}

export interface ImprecisePlace {
  readonly place: 'pickup' | 'dropoff'
  readonly precisionMeters: number
}

/** Undefined if both places are precise enough. */
export function imprecisePlaceOf(ends: Ends): ImprecisePlace | undefined {
  const names = ['pickup', 'dropoff'] as const
  const place = names.find((name) => ends[name].precisionMeters > onDemandPrecisionMeters)
  return place && { place, precisionMeters: ends[place].precisionMeters }
}

/**
 * Returns the requested service levels (null: all levels), without the on-demand level if the pickup or the dropoff is
 * too imprecise for it.
 */
export function reachableLevels(ends: Ends, requested: readonly ServiceLevel[] | null): readonly ServiceLevel[] {
  const levels = requested ?? serviceLevels
  return imprecisePlaceOf(ends) === undefined ? levels : levels.filter((level) => level !== 'on_demand')
}
