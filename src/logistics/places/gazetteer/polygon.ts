import type { Point } from '../../../../registry/logistics/place.ts'

/** Holes and further polygons need no case of their own: each of their borders turns inside to outside and back. */
export function isInside(point: Point, polygons: readonly Rings[]): boolean {
  let crossings = 0
  for (const rings of polygons) {
    for (const ring of rings) crossings += crossingsOf(point, ring)
  }
  return crossings % 2 === 1
}

/** A position is longitude, latitude, as GeoJSON has it. */
export type Position = readonly number[]
export type Ring = readonly Position[]
export type Rings = readonly Ring[]

function crossingsOf(point: Point, ring: Ring): number {
  let crossings = 0
  for (let index = 1; index < ring.length; index++) {
    if (isCrossed(point, ring[index - 1], ring[index])) crossings++
  }
  return crossings
}

/**
 * Whether the ray crosses a border. The lower end belongs to it and the upper does not, so that a ray through a corner
 * crosses one of the two borders that meet there. It is computed from the lower end up whichever way the ring goes round:
 * two zones that share a border get the very same number, and no point falls between them by rounding.
 */
function isCrossed({ lat, lng }: Point, from: Position | undefined, to: Position | undefined): boolean {
  const [fromLng = 0, fromLat = 0] = from ?? []
  const [toLng = 0, toLat = 0] = to ?? []
  if (fromLat > lat === toLat > lat) return false
  const isUpwards = fromLat < toLat
  const [lowLng, lowLat] = isUpwards ? [fromLng, fromLat] : [toLng, toLat]
  const [highLng, highLat] = isUpwards ? [toLng, toLat] : [fromLng, fromLat]
  return lng < lowLng + ((lat - lowLat) / (highLat - lowLat)) * (highLng - lowLng)
}
