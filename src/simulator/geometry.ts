import type { Point } from '../../registry/logistics/place.ts'

/** Distances and directions on the globe, accurate to a few metres within Nigeria. */

/** The mean radius of the Earth in kilometres (IUGG). */
const earthKm = 6371.0088

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI

/** Returns the great-circle distance between two points in kilometres, by the haversine formula. */
export function distanceKm(from: Point, to: Point): number {
  const north = Math.sin(radians(to.lat - from.lat) / 2)
  const east = Math.sin(radians(to.lng - from.lng) / 2)
  const half = north * north + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * east * east
  return 2 * earthKm * Math.asin(Math.sqrt(Math.min(1, half)))
}

export function pointBetween(from: Point, to: Point, fraction: number): Point {
  return { lat: from.lat + (to.lat - from.lat) * fraction, lng: from.lng + (to.lng - from.lng) * fraction }
}

/** Returns the heading from one point to another, clockwise from north, in whole degrees below 360. */
export function headingDegrees(from: Point, to: Point): number {
  const east = (to.lng - from.lng) * Math.cos(radians((from.lat + to.lat) / 2))
  return (Math.round(degrees(Math.atan2(east, to.lat - from.lat))) + 360) % 360
}

export function pointTowards(from: Point, heading: number, km: number): Point {
  const angle = degrees(km / earthKm)
  return {
    lat: from.lat + angle * Math.cos(radians(heading)),
    lng: from.lng + (angle * Math.sin(radians(heading))) / Math.cos(radians(from.lat)),
  }
}
