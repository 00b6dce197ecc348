import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { StatusTexts } from './classify-response.ts'

/**
 * Chowdeck has two vocabularies. Its callbacks have categories, which say what just happened; its delivery records have
 * statuses. They share a word with two meanings: the category ORDER_AWAITING_PICKUP says that the rider has arrived, the
 * status awaiting_pickup only that the parcel is ready.
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
  // Nobody carries it: the dispatch goes on to the next carrier.
  REJECTED: 'cancelled',
  CANCELLED: 'cancelled',
  // Of an SDK, and not of the documents.
  ACCEPTED: 'awaiting_courier',
  PICKED: 'picked_up',
  ARRIVED: 'at_dropoff',
  COMPLETED: 'delivered',
}

const prefix = /^ORDER_/

/** What a callback's category means, with `ORDER_` before it or not, in whatever case. */
export function chowdeckCategory(word: string): ShipmentStatus | undefined {
  const key = plain(word).replace(prefix, '')
  return meaning(categories, key) ?? meaning(statuses, key)
}

/** What a record's status means. A category in its place keeps its own meaning. */
export function chowdeckStatus(word: string, hasRider = false): ShipmentStatus | undefined {
  const key = plain(word)
  const status = prefix.test(key) ? undefined : meaning(statuses, key)
  // No status says that a rider was found; the rider's name in the record does.
  if (status === 'awaiting_courier' && hasRider) return 'courier_assigned'
  return status ?? chowdeckCategory(word)
}

function meaning(words: Readonly<Record<string, ShipmentStatus>>, key: string): ShipmentStatus | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}

function plain(word: string): string {
  return word
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
}

/** It has no list of error codes, so its sentences are read. Where none fits, the status of HTTP decides. */
export const chowdeckTexts: StatusTexts = [
  [/insufficient|wallet|low balance/i, 'wallet_insufficient'],
  [/(fee|quote|price).*(expired|not found|invalid|no longer|used)/i, 'quote_expired'],
  [/no (rider|courier)|(rider|courier)s? (is|are)? ?(busy|unavailable|not available)/i, 'couriers_busy'],
  [
    /distance|out of (range|area)|not (serviceable|covered|available in)|coverage|do(es)? not (serve|deliver)/i,
    'out_of_area',
  ],
]
