import type { Point } from '../../../../registry/logistics/place.ts'
import { fctAreas } from '../../../../registry/values/gazetteer/areas-fct.ts'
import { lagosAreas } from '../../../../registry/values/gazetteer/areas-lagos.ts'
import { fctLgas, lagosLgas } from '../../../../registry/values/gazetteer/lgas.ts'
import type { AreasOfZones, WideRow } from '../../../../registry/values/gazetteer/rows.ts'
import { keyOf, partsOf } from '../../../../registry/values/gazetteer/spelling.ts'
import type { State } from '../../../../registry/values/states.ts'

/** An area or local government area that an address names. */
export interface Spot {
  readonly name: string
  readonly source: 'area' | 'lga'
  readonly point: Point
  /** The delivery zone that contains the area. Null if the area covers several zones. */
  readonly zoneId: string | null
  readonly precisionMeters: number
}

/**
 * Precision in metres of an area and of a local government area: half of the usual diameter. An area usually has a
 * diameter of three kilometres, a local government area one of ten kilometres.
 */
const areaPrecisionMeters = 1_500
const lgaPrecisionMeters = 5_000

function spotsOf(areas: AreasOfZones, wide: readonly WideRow[]): ReadonlyMap<string, Spot> {
  const spots = new Map<string, Spot>()
  for (const [name, lat, lng, zoneId, ...otherNames] of wide) {
    const spot: Spot = { name, source: 'lga', point: { lat, lng }, zoneId, precisionMeters: lgaPrecisionMeters }
    for (const each of [name, ...otherNames]) spots.set(`lga ${keyOf(each)}`, spot)
  }
  for (const [zoneId, rows] of Object.entries(areas)) {
    for (const [name, lat, lng, ...otherNames] of rows) {
      const spot: Spot = { name, source: 'area', point: { lat, lng }, zoneId, precisionMeters: areaPrecisionMeters }
      for (const each of [name, ...otherNames]) spots.set(`area ${keyOf(each)}`, spot)
    }
  }
  return spots
}

/**
 * The areas that the gazetteer contains, by state. For some states it contains no areas but only the centre of the
 * state.
 */
export const spots: ReadonlyMap<State, ReadonlyMap<string, Spot>> = new Map<State, ReadonlyMap<string, Spot>>([
  ['Lagos', spotsOf(lagosAreas, lagosLgas)],
  ['FCT', spotsOf(fctAreas, fctLgas)],
])

export type SpotOutcome =
  | { readonly is: 'found'; readonly spot: Spot }
  /** The gazetteer has the named area only in a state other than that of the address. */
  | { readonly is: 'in_other_state'; readonly state: State }
  | { readonly is: 'unknown' }

/**
 * Finds the area that an address names or, failing that, the local government area. The area field of an address may
 * contain either.
 */
export function findSpot(
  state: State,
  named: { readonly area?: string | null | undefined; readonly lga?: string | null | undefined },
): SpotOutcome {
  const here = spotIn(state, named)
  if (here !== undefined) return { is: 'found', spot: here }
  const otherState = [...spots.keys()].find((other) => other !== state && spotIn(other, named) !== undefined)
  // If the gazetteer has no areas of this state, the state may have an area with the name in the address. The address
  // then does not contradict its state.
  return otherState === undefined || !spots.has(state) ? { is: 'unknown' } : { is: 'in_other_state', state: otherState }
}

function spotIn(state: State, named: Parameters<typeof findSpot>[1]): Spot | undefined {
  const known = spots.get(state)
  for (const key of keysIn(named.area)) {
    const spot = known?.get(`area ${key}`) ?? known?.get(`lga ${key}`)
    if (spot !== undefined) return spot
  }
  for (const key of keysIn(named.lga)) {
    const spot = known?.get(`lga ${key}`)
    if (spot !== undefined) return spot
  }
  return undefined
}

/** Returns the keys by which a text is looked up in the gazetteer, first for the whole text and then for its parts. */
function keysIn(text: string | null | undefined): readonly string[] {
  return [
    ...new Set(
      partsOf(text)
        .map(keyOf)
        .filter((key) => key !== ''),
    ),
  ]
}
