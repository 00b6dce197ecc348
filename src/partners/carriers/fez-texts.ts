import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { StatusTexts } from './classify-response.ts'

const unpaid = 'pending payment'

const statuses: Readonly<Record<string, ShipmentStatus>> = {
  'pending pick up': 'awaiting_courier',
  // The wallet is not funded: it stands still until it is.
  [unpaid]: 'awaiting_courier',
  'assigned to a rider': 'courier_assigned',
  // The rider came in vain: somebody has to come once more.
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

/** Families of words of which each names another hub. */
const families: readonly (readonly [beginning: string, status: ShipmentStatus])[] = [
  ['rejected at ', 'delivery_failed'],
  ['in return to ', 'returning'],
  ['returned to ', 'returning'],
]

const assigned = 'assigned to a rider'

/**
 * Riders are assigned twice in its network: to fetch a parcel, and to bring it from the last hub. Which one is meant shows
 * in what was told before.
 */
export function fezStatus(word: string, earlier: readonly string[] = []): ShipmentStatus | undefined {
  const key = plain(word)
  if (key === assigned && earlier.some(isHeldByFez)) return 'in_transit'
  if (Object.hasOwn(statuses, key)) return statuses[key]
  return families.find(([beginning]) => key.startsWith(beginning))?.[1]
}

/** Whether it waits for the merchant’s wallet to be funded. */
export function isUnpaidAtFez(word: string): boolean {
  return plain(word) === unpaid
}

function isHeldByFez(word: string): boolean {
  const status = Object.hasOwn(statuses, plain(word)) ? statuses[plain(word)] : undefined
  return status === 'picked_up' || status === 'in_transit'
}

/** `Picked-Up` and `picked up` are one word. */
function plain(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
}

/** Its errors have sentences and no codes. */
export const fezTexts: StatusTexts = [
  [/insufficient|wallet|fund your|low balance/i, 'wallet_insufficient'],
  [/suspend|deactivat|blocked|not (active|verified)|unauthori[sz]ed|invalid (token|secret)/i, 'account_blocked'],
  [
    /not (serviceable|covered)|do(es)? not (serve|deliver)|no (service|coverage)|out of (area|coverage)/i,
    'out_of_area',
  ],
  [/order.*(not found|does ?n[o’']t exist)/i, 'not_found'],
]
