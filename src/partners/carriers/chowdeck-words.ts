import type { ShipmentStatus } from '../../../registry/shipment-states.ts'
import type { Wording } from './judge.ts'

/** The categories of its callbacks, which are the only vocabulary it documents, and the one word of its cancel answer. */
const statuses: Readonly<Record<string, ShipmentStatus>> = {
  CREATED: 'awaiting_courier',
  ASSIGNED: 'courier_assigned',
  AWAITING_PICKUP: 'at_pickup',
  PICKED_UP: 'picked_up',
  ARRIVED_AT_CUSTOMER_LOCATION: 'at_dropoff',
  COMPLETE: 'delivered',
  CANCELLED: 'cancelled',
}

/** It is assumed that a delivery’s state is one of these words, in whatever case, with `ORDER_` before it or not. */
export function chowdeckStatus(word: string): ShipmentStatus | undefined {
  const key = word
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^ORDER_/, '')
  return Object.hasOwn(statuses, key) ? statuses[key] : undefined
}

/** It has no list of error codes, so its sentences are read. Where none fits, the status of HTTP decides. */
export const chowdeckWording: Wording = [
  [/insufficient|wallet|low balance/i, 'wallet_insufficient'],
  [/(fee|quote|price).*(expired|not found|invalid|no longer|used)/i, 'quote_expired'],
  [/no (rider|courier)|(rider|courier)s? (is|are)? ?(busy|unavailable|not available)/i, 'couriers_busy'],
  [
    /distance|out of (range|area)|not (serviceable|covered|available in)|coverage|do(es)? not (serve|deliver)/i,
    'out_of_area',
  ],
]
