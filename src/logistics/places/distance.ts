import type { Point } from '../../../registry/logistics/place.ts'
import type { ZoneOutline } from '../../store/logistics/places/zones.ts'
import { isInside, type Position } from './gazetteer/polygon.ts'

/** The mean radius of the Earth: what haversine takes it to be. */
const earthRadiusMeters = 6_371_009

const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** The shortest way over the ground between two points. */
export function straightMeters(from: Point, to: Point): number {
  const acrossLat = Math.sin(toRadians(to.lat - from.lat) / 2)
  const acrossLng = Math.sin(toRadians(to.lng - from.lng) / 2)
  const haversine = acrossLat ** 2 + Math.cos(toRadians(from.lat)) * Math.cos(toRadians(to.lat)) * acrossLng ** 2
  // Rounding can carry it a hair beyond 1 for points on opposite sides of the Earth.
  return 2 * earthRadiusMeters * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

/**
 * Roads are longer than the straight line. Cities on a grid need about 1.3 times as much; Lagos has few bridges and
 * few ways across its expressways, so a little more.
 */
const roadFactor = 1.4

/** How far a rider drives, near enough to price and to time by. */
export function roadMeters(from: Point, to: Point): number {
  return Math.round(straightMeters(from, to) * roadFactor)
}

/** How far a point is from a zone; 0 inside it, and at least 1 outside. */
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

/** On a flat map around the point: over the few kilometres that matter the Earth’s curve is less than a metre. */
function metersToBorder(point: Point, from: Position | undefined, to: Position | undefined): number {
  const [fromX, fromY] = onMap(point, from)
  const [toX, toY] = onMap(point, to)
  const [alongX, alongY] = [toX - fromX, toY - fromY]
  const squared = alongX ** 2 + alongY ** 2
  const share = squared === 0 ? 0 : -(fromX * alongX + fromY * alongY) / squared
  const clamped = Math.min(1, Math.max(0, share))
  return Math.hypot(fromX + clamped * alongX, fromY + clamped * alongY)
}

const metersPerDegree = toRadians(earthRadiusMeters)

function onMap(origin: Point, position: Position | undefined): readonly [x: number, y: number] {
  const [lng = 0, lat = 0] = position ?? []
  const shrunk = Math.cos(toRadians(origin.lat))
  return [(lng - origin.lng) * shrunk * metersPerDegree, (lat - origin.lat) * metersPerDegree]
}
