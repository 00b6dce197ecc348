import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { StatusTexts } from './classify-response.ts'

const unpaid = 'pending payment'

const statuses: Readonly<Record<string, ShipmentStatus>> = {
  'pending pick up': 'awaiting_courier',
  // This Fez status means that the merchant's wallet is not funded. The order waits until the wallet is funded.
  [unpaid]: 'awaiting_courier',
  'assigned to a rider': 'courier_assigned',
  // The Fez status “failed pick up” means that a rider came but did not collect the parcel, so a rider must come again.
  'failed pick up': 'awaiting_courier',
  'picked up': 'picked_up',
  'enroute to first mile hub': 'in_transit',
  dispatched: 'in_transit',
  'enroute to last mile hub': 'in_transit',
  'accepted at inventory facility': 'in_transit',
  'accepted at last mile hub': 'in_transit',
  'pending recipient pick up': 'in_transit',
  exported: 'in_transit',
  delivered: 'delivered',
  returned: 'returned',
}

/** Beginnings of the Fez statuses that end with the name of a hub. */
const statusPrefixes: readonly (readonly [beginning: string, status: ShipmentStatus])[] = [
  ['rejected at ', 'delivery_failed'],
  ['in return to ', 'returning'],
  ['returned to ', 'returning'],
]

const assigned = 'assigned to a rider'

/**
 * Maps a Fez status to a shipment status. Fez assigns riders twice: to collect a parcel, and to deliver it from the
 * last hub. The earlier statuses show which of the two is meant.
 */
export function fezStatus(word: string, earlier: readonly string[] = []): ShipmentStatus | undefined {
  const key = normalised(word)
  if (key === assigned && earlier.some(isHeldByFez)) return 'in_transit'
  if (Object.hasOwn(statuses, key)) return statuses[key]
  return statusPrefixes.find(([beginning]) => key.startsWith(beginning))?.[1]
}

/** Reports whether the order waits for the merchant's wallet to be funded. */
export function isUnpaidAtFez(word: string): boolean {
  return normalised(word) === unpaid
}

function isHeldByFez(word: string): boolean {
  const status = Object.hasOwn(statuses, normalised(word)) ? statuses[normalised(word)] : undefined
  return status === 'picked_up' || status === 'in_transit'
}

/** Normalises a Fez status: `Picked-Up` and `picked up` are equal. */
function normalised(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
}

/** Patterns of Fez's error messages, because Fez sends no error codes. */
export const fezTexts: StatusTexts = [
  [/insufficient|wallet|fund your|low balance/i, 'wallet_insufficient'],
  [/suspend|deactivat|blocked|not (active|verified)|unauthori[sz]ed|invalid (token|secret)/i, 'account_blocked'],
  [
    /not (serviceable|covered)|do(es)? not (serve|deliver)|no (service|coverage)|out of (area|coverage)/i,
    'out_of_area',
  ],
  [/order.*(not found|does ?n[o’']t exist)/i, 'not_found'],
]
