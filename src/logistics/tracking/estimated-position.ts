import type { Place, Point } from '../../../registry/logistics/place.ts'
import type { ServiceLevel, ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Tracking } from '../../../registry/logistics/tracking.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { TrackedShipment } from '../../store/logistics/shipments/tracking.ts'
import { coarse } from './position-policy.ts'

/**
 * Where a rider may be whose place is not told, or was told too long ago: on the straight line from where he is known to
 * have been to where he is expected, each with its time. It is never shown as his place, and where one of the four is not
 * known there is none (design, logistics 6).
 */
export function estimatedPosition(tracked: TrackedShipment, now: Timestamp): Tracking['estimatedPosition'] {
  if (!isRidden(tracked.serviceLevel)) return null
  const from = lastSeen(tracked)
  const to = nextStop(tracked)
  if (from === undefined || to === undefined) return null
  const [fromMs, toMsAt, nowMs] = [toMs(from.at), toMs(to.at), toMs(now)]
  // One who should have arrived is somewhere else than was thought, and nobody knows where.
  if (nowMs < fromMs || nowMs >= toMsAt) return null
  const share = (nowMs - fromMs) / (toMsAt - fromMs)
  const between = (start: number, end: number) => start + (end - start) * share
  const point = coarse({ lat: between(from.point.lat, to.point.lat), lng: between(from.point.lng, to.point.lng) })
  if (point === undefined) return null
  const isRecent = from.basis === 'last_position' && nowMs - fromMs <= recentMs
  return { ...point, at: now, basis: from.basis, since: from.at, confidence: isRecent ? 'medium' : 'low' }
}

/** In five minutes a rider gets two kilometres far, whichever way he takes. */
const recentMs = 5 * 60_000

/** What goes by hubs and at night is on no line between the two. */
function isRidden(level: ServiceLevel | null): boolean {
  return level === 'on_demand' || level === 'same_day'
}

interface Known {
  readonly point: Point
  readonly at: Timestamp
}

const fetched: readonly ShipmentStatus[] = ['picked_up', 'in_transit']

function lastSeen(tracked: TrackedShipment): (Known & { readonly basis: 'last_position' | 'pickup' }) | undefined {
  const { status, position, pickedUpAt } = tracked
  const atPickup = fetched.includes(status) && pickedUpAt !== null ? knownAt(tracked.pickup, pickedUpAt) : undefined
  if (position !== null && (atPickup === undefined || atPickup.at < position.recordedAt)) {
    return { point: position, at: position.recordedAt, basis: 'last_position' }
  }
  return atPickup && { ...atPickup, basis: 'pickup' }
}

/** At a stop, or on the way back, there is no next one that he is known to be headed for. */
function nextStop({ status, ...tracked }: TrackedShipment): Known | undefined {
  if (fetched.includes(status)) return knownAt(tracked.dropoff, tracked.deliveryEstimate?.p50)
  return status === 'courier_assigned' ? knownAt(tracked.pickup, tracked.pickupEstimate?.p50) : undefined
}

/** A street’s length. A place that is known by its area only is no point. */
const precisionMeters = 200

function knownAt(place: Place, at: Timestamp | undefined): Known | undefined {
  return at === undefined || place.precisionMeters > precisionMeters ? undefined : { point: place.location, at }
}
