import type { Place, PlaceInput } from '../../../registry/logistics/place.ts'
import type { State } from '../../../registry/values/vocabulary.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { roadMeters } from './distance.ts'
import { knownZones } from './known-zones.ts'
import { type PlaceOutcome, resolvePlace } from './resolve-place.ts'

/** A place as the zones of now understand it. */
export async function findPlace(
  { database, clock }: Pick<LogisticsContext, 'database' | 'clock'>,
  defaultState: State,
  input: PlaceInput,
): Promise<PlaceOutcome> {
  return resolvePlace(input, { zones: await knownZones(database, clock.nowMs()), defaultState })
}

export function wayMeters(from: Place, to: Place): number {
  return Math.round(roadMeters(from.location, to.location))
}
