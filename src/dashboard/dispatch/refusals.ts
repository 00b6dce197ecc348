import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'

const getNewOffers = 'The offers have expired or were already used. Get new offers.'

/** Messages for members, by error code. They replace API messages that name fields of a request. */
const messages = {
  pickup_missing: 'The merchant has no pickup address. Add one on the page Settings.',
  order_not_dispatchable:
    'The order cannot be shipped in its current status. If the order is pending, record its payment; if it is on hold, release it.',
  return_not_dispatchable:
    'The return cannot be shipped in its current status: it must be approved, and in no other shipment.',
  order_not_shippable: 'The order does not have a complete shipping address with a name and a phone number.',
  address_imprecise:
    'The shipping address is not precise enough for a rider. Use the API to dispatch the order with the coordinates of the address.',
  no_carrier_available:
    'No carrier accepted the shipment. Get new offers to try again. The page of the shipment shows each dispatch attempt.',
  cod_exceeds_due: 'The cash exceeds the amount that is left to collect for the order. Enter less cash.',
  price_ceiling_too_low: 'Every offer costs more than the chosen offer. Get new offers.',
  quote_not_found: getNewOffers,
  quote_expired: getNewOffers,
  quote_already_used: getNewOffers,
  quote_mismatch: getNewOffers,
  reference_conflict: getNewOffers,
} as const satisfies Partial<Record<ErrorCode, string>>

/** Returns why the offers were not made or the shipment was not dispatched, as a message for members. */
export function dispatchMessage({ code, message, problems }: Refusal): string {
  return isExplained(code) ? messages[code] : (problems?.[0]?.message ?? message)
}

function isExplained(code: ErrorCode): code is keyof typeof messages {
  return Object.hasOwn(messages, code)
}
