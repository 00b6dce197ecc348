import { Point } from '../../../registry/logistics/place.ts'
import { isShipmentOver, type ServiceLevel, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'

/**
 * Statuses in which the position of the rider is shown. Before the rider's assignment and after the delivery the
 * position is private.
 */
export const trackedStatuses: readonly ShipmentStatus[] = [
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
  'delivery_failed',
  'returning',
]

export function isTracked(status: ShipmentStatus): boolean {
  return trackedStatuses.includes(status)
}

/**
 * Poll interval in seconds while the rider is at a stop, because the next status follows within minutes. The interval
 * also applies during a dispatch or cancellation request to a carrier, which takes seconds.
 */
const nearSeconds = 10

/** Poll interval in seconds while the rider moves: the interval at which positions arrive. */
const movingSeconds = 20

/** Poll interval in seconds until a rider is assigned, which takes minutes. */
const waitingSeconds = 60

/**
 * Poll interval in seconds for shipments with the service level `next_day` or `standard`, whose parcels are scanned
 * only a few times a day.
 */
const parcelSeconds = 120

/** Returns how many seconds a client or this service should wait until the next poll; 0 for a final status. */
export function pollAfterSeconds(status: ShipmentStatus, serviceLevel: ServiceLevel | null): number {
  if (isShipmentOver(status)) return 0
  const seconds = secondsIn(status)
  const isParcel = serviceLevel === 'next_day' || serviceLevel === 'standard'
  // Parcels have a longer poll interval, except during a dispatch or cancellation request, which takes only seconds for
  // parcels too.
  return isParcel && status !== 'dispatching' && status !== 'cancelling' ? parcelSeconds : seconds
}

function secondsIn(status: ShipmentStatus): number {
  switch (status) {
    case 'dispatching':
    case 'cancelling':
    case 'at_pickup':
    case 'at_dropoff':
      return nearSeconds
    case 'courier_assigned':
    case 'picked_up':
    case 'in_transit':
      return movingSeconds
    case 'scheduled':
    case 'awaiting_courier':
    case 'delivery_failed':
    case 'returning':
      return waitingSeconds
    case 'delivered':
    case 'returned':
    case 'cancelled':
    case 'failed':
    case 'lost':
      return 0
  }
}

/**
 * Whether a rider position is stale: older than three update intervals, because one position may be lost, but not two
 * in a row.
 */
export function isStale(ageSeconds: number): boolean {
  return ageSeconds > 3 * movingSeconds
}

/**
 * Rounds a point to four decimals, about eleven metres. Undefined outside Nigeria, such as for the coordinates 0, 0 of
 * a phone without a GPS fix.
 */
export function coarse(point: Point): Point | undefined {
  const rounded = Point.safeParse({ lat: toFourDecimals(point.lat), lng: toFourDecimals(point.lng) })
  return rounded.success ? rounded.data : undefined
}

function toFourDecimals(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}
