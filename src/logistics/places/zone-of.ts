import type { Point } from '../../../registry/logistics/place.ts'
import type { ZoneOutline } from '../../store/logistics/places/zones.ts'
import { isInside } from './gazetteer/polygon.ts'

/**
 * The zone a point is in. A ray is cast from the point eastwards, and the borders it crosses are counted. Every border
 * belongs to one side only, so a point on the border of two zones that share it is in exactly one; were two outlines to
 * overlap by mistake, the first by id has it, so that the answer is the same every time.
 */
export function zoneOf<Zone extends ZoneOutline>(point: Point, zones: readonly Zone[]): Zone | undefined {
  let first: Zone | undefined
  for (const zone of zones) {
    if ((first === undefined || zone.id < first.id) && isInside(point, zone.geometry.coordinates)) first = zone
  }
  return first
}
