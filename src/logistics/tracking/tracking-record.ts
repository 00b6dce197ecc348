import { isShipmentOver, pickupBoundStatuses } from '../../../registry/logistics/shipment-states.ts'
import type { Tracking } from '../../../registry/logistics/tracking.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { Capabilities } from '../../partners/carriers/carrier.ts'
import { asRecord } from '../../store/core/json.ts'
import type { TrackedShipment } from '../../store/logistics/shipments/tracking.ts'
import { straightMeters } from '../places/distance.ts'
import { deliveryEtaOf } from '../shipments/delivery-eta.ts'
import { estimatedPosition } from './estimated-position.ts'
import { isStale, isTracked, pollAfterSeconds } from './position-policy.ts'

export function trackingRecord(
  tracked: TrackedShipment,
  capabilities: Pick<Capabilities, 'livePosition'> | undefined,
  now: Timestamp,
): Tracking {
  const { status, serviceLevel, pickup, dropoff } = tracked
  const deliveryEta = deliveryEtaOf(tracked)
  const isOver = isShipmentOver(status)
  const position = isTracked(status) ? tracked.position : null
  const nextStop = pickupBoundStatuses.includes(status) ? pickup.location : dropoff.location
  // The next stop of a rider who returns a parcel is unknown, so the distance to the next stop is null.
  const positionWithAge = position === null ? null : { ...position, ...ageOf(position.recordedAt, now) }
  const isFresh = positionWithAge !== null && !positionWithAge.stale
  const distance = position === null || status === 'returning' ? null : Math.round(straightMeters(position, nextStop))
  return asRecord<Tracking>({
    shipmentId: tracked.id,
    status,
    version: tracked.version,
    positionNumber: tracked.positionNumber,
    asOf: now,
    pollAfterSeconds: pollAfterSeconds(status, serviceLevel),
    // A rider whose position is stale is not tracked live, even if the carrier supports live tracking.
    live: isFresh && capabilities?.livePosition === true,
    position: positionWithAge,
    estimatedPosition: isFresh || !isTracked(status) ? null : estimatedPosition(tracked, now),
    distanceToNextStopMeters: distance,
    eta: isOver || deliveryEta === null ? null : { ...deliveryEta, basis: 'carrier' },
    courier: isTracked(status) ? tracked.courier : null,
    trackingUrl: tracked.trackingUrl,
    events: tracked.events.map((event) => ({
      status: event.status,
      description: event.description,
      at: event.occurredAt,
    })),
  })
}

function ageOf(recordedAt: Timestamp, now: Timestamp): { ageSeconds: number; stale: boolean } {
  const ageSeconds = Math.max(0, Math.round((toMs(now) - toMs(recordedAt)) / 1000))
  return { ageSeconds, stale: isStale(ageSeconds) }
}
