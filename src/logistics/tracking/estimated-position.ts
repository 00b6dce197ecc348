import type { Place, Point } from '../../../registry/logistics/place.ts'
import type { ServiceLevel, ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Tracking } from '../../../registry/logistics/tracking.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { TrackedShipment } from '../../store/logistics/shipments/tracking.ts'
import { coarse } from './position-policy.ts'

/**
 * The estimate is on the straight line from the last known point to the next stop, in proportion to the elapsed time.
 * The API returns the estimate and the reported position in different fields. Null when a point or its time is unknown.
 */
export function estimatedPosition(tracked: TrackedShipment, now: Timestamp): Tracking['estimatedPosition'] {
  if (!isDirect(tracked.serviceLevel)) return null
  const from = lastKnownPoint(tracked)
  const to = nextStop(tracked)
  if (from === undefined || to === undefined) return null
  const [fromMs, toMsAt, nowMs] = [toMs(from.at), toMs(to.at), toMs(now)]
  // The position cannot be estimated before the time of the last known point, or after the expected arrival.
  if (nowMs < fromMs || nowMs >= toMsAt) return null
  const share = (nowMs - fromMs) / (toMsAt - fromMs)
  const between = (start: number, end: number) => start + (end - start) * share
  const point = coarse({ lat: between(from.point.lat, to.point.lat), lng: between(from.point.lng, to.point.lng) })
  if (point === undefined) return null
  const isRecent = from.basis === 'last_position' && nowMs - fromMs <= recentMs
  return { ...point, at: now, basis: from.basis, since: from.at, confidence: isRecent ? 'medium' : 'low' }
}

/**
 * Maximum age of the last known position for an estimate with medium confidence. A rider travels about two kilometres
 * in these five minutes.
 */
const recentMs = 5 * 60_000

/**
 * Whether the rider of this service level rides straight from the pickup to the dropoff. Parcels of other service
 * levels pass through hubs, so a position on a straight line would be wrong for them.
 */
function isDirect(level: ServiceLevel | null): boolean {
  return level === 'on_demand' || level === 'same_day'
}

interface KnownPoint {
  readonly point: Point
  readonly at: Timestamp
}

const pickedUpStatuses: readonly ShipmentStatus[] = ['picked_up', 'in_transit']

function lastKnownPoint(
  tracked: TrackedShipment,
): (KnownPoint & { readonly basis: 'last_position' | 'pickup' }) | undefined {
  const { status, position, pickedUpAt } = tracked
  const atPickup =
    pickedUpStatuses.includes(status) && pickedUpAt !== null ? pointAt(tracked.pickup, pickedUpAt) : undefined
  if (position !== null && (atPickup === undefined || atPickup.at < position.recordedAt)) {
    return { point: position, at: position.recordedAt, basis: 'last_position' }
  }
  return atPickup && { ...atPickup, basis: 'pickup' }
}

/**
 * Undefined while the rider is at a stop or returns the parcel, or if the stop has no exact location or no estimate.
 */
function nextStop({ status, ...tracked }: TrackedShipment): KnownPoint | undefined {
  if (pickedUpStatuses.includes(status)) return pointAt(tracked.dropoff, tracked.deliveryEstimate?.p50)
  return status === 'courier_assigned' ? pointAt(tracked.pickup, tracked.pickupEstimate?.p50) : undefined
}

/**
 * Maximum imprecision of a stop in metres, the length of a street. A place that is known only by its area has no usable
 * point.
 */
const precisionMeters = 200

function pointAt(place: Place, at: Timestamp | undefined): KnownPoint | undefined {
  return at === undefined || place.precisionMeters > precisionMeters ? undefined : { point: place.location, at }
}
