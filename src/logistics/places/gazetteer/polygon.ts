import type { Point } from '../../../../registry/logistics/place.ts'

/**
 * Whether a point is inside any of the polygons, by the even-odd rule: a ray eastwards from the point crosses an odd
 * number of borders. The rule handles holes and several polygons without extra cases.
 */
export function isInside(point: Point, polygons: readonly Rings[]): boolean {
  let crossings = 0
  for (const rings of polygons) {
    for (const ring of rings) crossings += crossingsOf(point, ring)
  }
  return crossings % 2 === 1
}

/** A position in GeoJSON order: longitude, latitude. */
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
 * Whether the ray from a point crosses a segment of a polygon's border. The lower end belongs to the segment and the
 * upper end does not, so that a ray through a corner crosses exactly one of the two segments. The crossing is always
 * computed from the lower end, regardless of the direction of the outline. Zones with a shared border therefore get the
 * same result, and rounding leaves no gap between them.
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
