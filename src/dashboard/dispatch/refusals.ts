import { type ErrorCode, errors, isErrorCode } from '../../../registry/errors/index.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'

export const getNewOffers = 'The offers have expired or were already used. Get new offers.'

/** Reasons for which the dashboard refuses to dispatch an order, without calling the API. */
const ownReasons = {
  no_offer_chosen: 'No offer was chosen.',
  not_started: 'The dispatch was not started, because the dispatches before it took too long. Get new offers.',
} as const

export type Reason = ErrorCode | keyof typeof ownReasons

/** Messages for members, by error code. They replace API messages that name fields of a request. */
const messages = {
  pickup_missing: 'The shop has no pickup address. Add one on the page “Settings”.',
  order_not_dispatchable:
    'The order cannot be shipped in its current status. If the order is pending, record its payment; if it is on hold, release it.',
  return_not_dispatchable:
    'The return cannot be shipped in its current status. It must be approved, and be in no other shipment.',
  order_not_shippable: 'The order does not have a complete shipping address with a name and a phone number.',
  address_imprecise:
    'The shipping address is not precise enough for a rider. Use the API to dispatch the order with the coordinates of the address.',
  no_carrier_available:
    'No carrier accepted the shipment. Get new offers to try again. The page of the shipment shows each dispatch attempt.',
  cod_exceeds_due: 'The cash exceeds the amount that is left to collect for the order. Enter less cash.',
  price_ceiling_too_low: 'Every offer now costs more than the offer that you chose. Get new offers.',
  quote_not_found: getNewOffers,
  quote_expired: getNewOffers,
  quote_already_used: getNewOffers,
  quote_mismatch: getNewOffers,
  reference_conflict: getNewOffers,
  nothing_to_ship: 'Every unit of the order was handed over, is in a shipment, or is refunded.',
  order_already_dispatched: 'Every unit of the order is in a shipment already.',
  order_items_unavailable:
    'Units of the order are in another shipment already. Get new offers for the remaining units.',
  contact_incomplete: 'The name or the phone number of the recipient or of the pickup address is missing.',
  customer_anonymised: 'The personal data of the customer was deleted, so the order cannot be shipped.',
  outside_coverage: 'The shipping address is at sea or outside Nigeria.',
  carrier_wallet_insufficient: 'The account of the shop has insufficient funds with every requested carrier.',
} as const satisfies Partial<Record<ErrorCode, string>>

export function dispatchMessage({ code, message, problems }: Refusal): string {
  return isExplained(code) ? messages[code] : (problems?.[0]?.message ?? message)
}

/** Returns the message for a reason in the query of the URL. Undefined for an unknown reason. */
export function reasonMessage(reason: string): string | undefined {
  if (isOwnReason(reason)) return ownReasons[reason]
  if (!isErrorCode(reason)) return undefined
  return isExplained(reason) ? messages[reason] : errors[reason].meaning
}

function isOwnReason(reason: string): reason is keyof typeof ownReasons {
  return Object.hasOwn(ownReasons, reason)
}

function isExplained(code: ErrorCode): code is keyof typeof messages {
  return Object.hasOwn(messages, code)
}
