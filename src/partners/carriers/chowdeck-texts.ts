import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { StatusTexts } from './classify-response.ts'

/**
 * Chowdeck has two vocabularies: callbacks have categories, which name an event, and delivery records have statuses.
 * One term has two meanings: the category ORDER_AWAITING_PICKUP means that the rider has arrived, but the status
 * awaiting_pickup only means that the parcel is ready.
 */

const categories: Readonly<Record<string, ShipmentStatus>> = {
  CREATED: 'awaiting_courier',
  ASSIGNED: 'courier_assigned',
  AWAITING_PICKUP: 'at_pickup',
  PICKED_UP: 'picked_up',
  ARRIVED_AT_CUSTOMER_LOCATION: 'at_dropoff',
  COMPLETE: 'delivered',
  CANCELLED: 'cancelled',
}

const statuses: Readonly<Record<string, ShipmentStatus>> = {
  RECEIVED: 'awaiting_courier',
  PREPARING: 'awaiting_courier',
  AWAITING_PICKUP: 'awaiting_courier',
  IN_TRANSIT: 'in_transit',
  SUCCESS: 'delivered',
  // The status REJECTED means that Chowdeck has rejected the delivery, so dispatch fails over to the next carrier.
  REJECTED: 'cancelled',
  CANCELLED: 'cancelled',
  // Chowdeck's statuses from ACCEPTED to the end of this list occur in an SDK of Chowdeck but not in its documentation.
  ACCEPTED: 'awaiting_courier',
  PICKED: 'picked_up',
  ARRIVED: 'at_dropoff',
  COMPLETED: 'delivered',
}

const prefix = /^ORDER_/

/**
 * Maps the category of a Chowdeck callback to a shipment status. The prefix `ORDER_` is optional, and case is ignored.
 */
export function chowdeckCategory(word: string): ShipmentStatus | undefined {
  const key = normalised(word).replace(prefix, '')
  return statusFor(categories, key) ?? statusFor(statuses, key)
}

/** If a delivery record contains a category in place of a status, maps the category. */
export function chowdeckStatus(word: string, hasRider = false): ShipmentStatus | undefined {
  const key = normalised(word)
  const status = prefix.test(key) ? undefined : statusFor(statuses, key)
  // No Chowdeck status reports the assignment of a rider, but the delivery record contains the rider's name once a
  // rider is assigned.
  if (status === 'awaiting_courier' && hasRider) return 'courier_assigned'
  return status ?? chowdeckCategory(word)
}

function statusFor(words: Readonly<Record<string, ShipmentStatus>>, key: string): ShipmentStatus | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}

function normalised(word: string): string {
  return word
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
}

/**
 * Chowdeck has no error codes, so its error messages are matched against patterns. If no pattern matches, the HTTP
 * status decides.
 */
export const chowdeckTexts: StatusTexts = [
  [/insufficient|wallet|low balance/i, 'wallet_insufficient'],
  [/(fee|quote|price).*(expired|not found|invalid|no longer|used)/i, 'quote_expired'],
  [/no (rider|courier)|(rider|courier)s? (is|are)? ?(busy|unavailable|not available)/i, 'couriers_busy'],
  [
    /distance|out of (range|area)|not (serviceable|covered|available in)|coverage|do(es)? not (serve|deliver)/i,
    'out_of_area',
  ],
]
