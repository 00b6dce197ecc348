import type { Point } from '../../../../registry/logistics/place.ts'
import type { State } from '../../../../registry/values/vocabulary.ts'
import { fctAreas } from './areas-fct.ts'
import { lagosAreas } from './areas-lagos.ts'
import { fctLgas, lagosLgas } from './lgas.ts'
import type { AreasOfZones, WideRow } from './rows.ts'
import { keyOf } from './spelling.ts'

/** A part of a state that addresses name. */
export interface Spot {
  readonly name: string
  readonly source: 'area' | 'lga'
  readonly point: Point
  /** Null where it is in several zones. */
  readonly zoneId: string | null
  readonly precisionMeters: number
}

/** An area is about three kilometres across, a local government area of a city ten (design, logistics 7.10). */
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

/** Where parts of a state are known by name; of the other states only their middles are. */
export const spots: ReadonlyMap<State, ReadonlyMap<string, Spot>> = new Map<State, ReadonlyMap<string, Spot>>([
  ['Lagos', spotsOf(lagosAreas, lagosLgas)],
  ['FCT', spotsOf(fctAreas, fctLgas)],
])

export type Sought =
  | { readonly is: 'found'; readonly spot: Spot }
  /** It is a part of this other state. */
  | { readonly is: 'elsewhere'; readonly state: State }
  | { readonly is: 'unknown' }

/** What the area, or else the local government area, of an address means. The area may also say the latter. */
export function findSpot(
  state: State,
  named: { readonly area?: string | null | undefined; readonly lga?: string | null | undefined },
): Sought {
  const here = spotIn(state, named)
  if (here !== undefined) return { is: 'found', spot: here }
  const elsewhere = [...spots.keys()].find((other) => other !== state && spotIn(other, named) !== undefined)
  // A state whose parts are not known may well have one of the same name.
  return elsewhere === undefined || !spots.has(state) ? { is: 'unknown' } : { is: 'elsewhere', state: elsewhere }
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

/** The whole text, then its parts: people write “Chevron, Lekki” for an area. */
function keysIn(text: string | null | undefined): readonly string[] {
  if (text === null || text === undefined) return []
  return [...new Set([text, ...text.split(/[,;(]/)].map(keyOf).filter((key) => key !== ''))]
}
