import type { Point } from '../../../registry/logistics/place.ts'
import type { ZoneOutline } from '../../store/logistics/places/zones.ts'
import { isInside, type Position } from './gazetteer/polygon.ts'

/** The mean radius of the Earth in metres, for the haversine formula. */
const earthRadiusMeters = 6_371_009

const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the great-circle distance between two points in metres. */
export function straightMeters(from: Point, to: Point): number {
  const acrossLat = Math.sin(toRadians(to.lat - from.lat) / 2)
  const acrossLng = Math.sin(toRadians(to.lng - from.lng) / 2)
  const haversine = acrossLat ** 2 + Math.cos(toRadians(from.lat)) * Math.cos(toRadians(to.lat)) * acrossLng ** 2
  // For two points on opposite sides of the Earth, rounding errors can make the haversine slightly larger than 1, so it
  // is limited to 1.
  return 2 * earthRadiusMeters * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

/**
 * Ratio of road distance to straight-line distance. It is about 1.3 in grid cities; Lagos has few bridges and few
 * crossings of its expressways, so its ratio is higher.
 */
const roadFactor = 1.4

/** Returns the estimated road distance between two points in whole metres. */
export function roadMeters(from: Point, to: Point): number {
  return Math.round(straightMeters(from, to) * roadFactor)
}

/** Returns the distance from a point to a zone in whole metres: 0 inside, at least 1 outside. */
export function metersToZone(point: Point, zone: ZoneOutline): number {
  if (isInside(point, zone.geometry.coordinates)) return 0
  let nearest = Number.POSITIVE_INFINITY
  for (const ring of zone.geometry.coordinates.flat()) {
    for (let index = 1; index < ring.length; index++) {
      nearest = Math.min(nearest, metersToBorder(point, ring[index - 1], ring[index]))
    }
  }
  return Math.max(1, Math.round(nearest))
}

/**
 * Returns the distance from a point to a segment of a zone's border in metres, on a flat projection around the point.
 * For distances of a few kilometres, the error is less than a metre.
 */
function metersToBorder(point: Point, from: Position | undefined, to: Position | undefined): number {
  const [fromX, fromY] = projected(point, from)
  const [toX, toY] = projected(point, to)
  const [alongX, alongY] = [toX - fromX, toY - fromY]
  const squared = alongX ** 2 + alongY ** 2
  const share = squared === 0 ? 0 : -(fromX * alongX + fromY * alongY) / squared
  const clamped = Math.min(1, Math.max(0, share))
  return Math.hypot(fromX + clamped * alongX, fromY + clamped * alongY)
}

const metersPerDegree = toRadians(earthRadiusMeters)

function projected(origin: Point, position: Position | undefined): readonly [x: number, y: number] {
  const [lng = 0, lat = 0] = position ?? []
  const shrunk = Math.cos(toRadians(origin.lat))
  return [(lng - origin.lng) * shrunk * metersPerDegree, (lat - origin.lat) * metersPerDegree]
}
