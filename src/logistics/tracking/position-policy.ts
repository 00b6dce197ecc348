import { Point } from '../../../registry/logistics/place.ts'
import { isShipmentOver, type ServiceLevel, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'

/** When it may be seen where a rider is, how exactly, and how often that is worth asking. */

/** A rider who is not named yet, or has handed the parcel over, is nobody’s business. */
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

/** At a door the next thing happens within minutes; while a carrier is asked or called off, within seconds. */
const nearSeconds = 10

/** As often as riders’ places come in. */
const movingSeconds = 20

/** Until a rider is found, or the parcel is sent again, minutes go by. */
const waitingSeconds = 60

/** What goes from hub to hub is scanned a few times a day. */
const parcelSeconds = 120

/** How long to wait before it is worth asking again, for a merchant and for this service alike; 0 once it is over. */
export function pollAfterSeconds(status: ShipmentStatus, serviceLevel: ServiceLevel | null): number {
  if (isShipmentOver(status)) return 0
  const seconds = secondsIn(status)
  const isParcel = serviceLevel === 'next_day' || serviceLevel === 'standard'
  // While a carrier is being asked it is no matter how slowly it then carries.
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

/** After three of its times a place is taken for an old one: one may be lost, two in a row are no accident. */
export function isStale(ageSeconds: number): boolean {
  return ageSeconds > 3 * movingSeconds
}

/** Four decimals are eleven metres. Undefined for what is no place in Nigeria, such as the zeroes of a phone without a fix. */
export function coarse(point: Point): Point | undefined {
  const rounded = Point.safeParse({ lat: toFourDecimals(point.lat), lng: toFourDecimals(point.lng) })
  return rounded.success ? rounded.data : undefined
}

function toFourDecimals(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}
