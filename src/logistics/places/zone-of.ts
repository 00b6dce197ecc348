import type { Point } from '../../../registry/logistics/place.ts'
import type { ZoneOutline } from '../../store/logistics/places/zones.ts'
import { isInside } from './gazetteer/polygon.ts'

/**
 * A point on a shared border is in exactly one of the two zones. If outlines overlap by mistake, the zone with the
 * lowest id is returned, so that the result is always the same.
 */
export function zoneOf<Zone extends ZoneOutline>(point: Point, zones: readonly Zone[]): Zone | undefined {
  let first: Zone | undefined
  for (const zone of zones) {
    if ((first === undefined || zone.id < first.id) && isInside(point, zone.geometry.coordinates)) first = zone
  }
  return first
}
