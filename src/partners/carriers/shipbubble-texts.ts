import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { StatusTexts } from './classify-response.ts'

const statuses: Readonly<Record<string, ShipmentStatus>> = {
  pending: 'awaiting_courier',
  confirmed: 'awaiting_courier',
  picked_up: 'picked_up',
  in_transit: 'in_transit',
  completed: 'delivered',
  cancelled: 'cancelled',
}

export function shipbubbleStatus(word: string): ShipmentStatus | undefined {
  const key = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return Object.hasOwn(statuses, key) ? statuses[key] : undefined
}

/**
 * Patterns of Shipbubble's error messages. A response with the HTTP status 400 can concern the merchant's Shipbubble
 * account, the verification of the account, or its wallet. Only the message says which of them.
 */
export const shipbubbleTexts: StatusTexts = [
  [/wallet|insufficient|low balance|fund your/i, 'wallet_insufficient'],
  [/kyc|suspend|deactivat|blocked|verify your (account|business)|not (active|verified)/i, 'account_blocked'],
  [
    /(token|rates?|quote).*(expired|invalid|not found|no longer)|(expired|invalid).*(token|rates?|quote)/i,
    'quote_expired',
  ],
  [/no (rate|courier|carrier)s?|not (serviceable|covered)|out of (area|coverage)/i, 'out_of_area'],
]
