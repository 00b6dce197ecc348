import type { Place, PlaceInput } from '../../../registry/logistics/place.ts'
import type { State } from '../../../registry/values/states.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { cachedZones } from './cached-zones.ts'
import { roadMeters } from './distance.ts'
import { type PlaceOutcome, resolvePlace } from './resolve-place.ts'

/** Finds the location and the currently active zone of an address. */
export async function findPlace(
  { database, clock }: Pick<LogisticsContext, 'database' | 'clock'>,
  defaultState: State,
  input: PlaceInput,
): Promise<PlaceOutcome> {
  return resolvePlace(input, { zones: await cachedZones(database, clock.nowMs()), defaultState })
}

export function routeMeters(from: Place, to: Place): number {
  return Math.round(roadMeters(from.location, to.location))
}
