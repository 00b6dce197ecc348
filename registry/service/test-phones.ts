/**
 * Phone numbers that select faults of the simulated carriers. They are valid Nigerian numbers, so they pass validation;
 * no call is ever made to them.
 */

/** Digit of a phone number that selects a behaviour of a simulated carrier. */
interface Digit<Name extends string = string> {
  readonly digit: number
  readonly name: Name
  readonly meaning: string
}

/**
 * Prefix of test recipient phone numbers. The last three digits of such a number select the outcomes of the first three
 * requests to a carrier.
 */
export const dispatchPhonePrefix = '+2348035550'

export const dispatchFaults = [
  { digit: 0, name: 'none', meaning: 'No fault: the parcel is delivered.' },
  { digit: 1, name: 'couriers_busy', meaning: 'The carrier rejects the request with `couriers_busy`.' },
  {
    digit: 2,
    name: 'timeout_after_acceptance',
    meaning: 'The carrier accepts the shipment, but its response arrives after the timeout.',
  },
  {
    digit: 3,
    name: 'timeout_before_acceptance',
    meaning: 'The carrier does not respond and never accepts the shipment.',
  },
  { digit: 4, name: 'server_error', meaning: 'The carrier accepts the shipment, but responds with status 500.' },
  {
    digit: 5,
    name: 'malformed_answer',
    meaning: 'The carrier accepts the shipment, but responds with status 201 and a truncated body.',
  },
  {
    digit: 6,
    name: 'carrier_cancels',
    meaning: 'The carrier accepts the shipment and assigns a rider, then cancels its order before the pickup.',
  },
  { digit: 7, name: 'never_assigned', meaning: 'The carrier accepts the shipment, but never assigns a rider.' },
  {
    digit: 8,
    name: 'delivery_fails',
    meaning: 'The rider reaches the dropoff, but the delivery fails, and the parcel is returned.',
  },
  {
    digit: 9,
    name: 'late_acceptance',
    meaning:
      'The carrier does not respond. Lookups at the carrier find no order until the order appears 90 seconds later.',
  },
] as const satisfies readonly Digit[]

export type DispatchFault = (typeof dispatchFaults)[number]['name']

/**
 * Seconds after which a simulated carrier accepts an order late, if the phone number selects a late acceptance. By
 * then, the service has looked up the order for the last time and has abandoned the dispatch attempt.
 */
export const lateAcceptanceSeconds = 90

/**
 * Prefix of test recipient phone numbers. The last three digits of such a number select the quote results of the
 * carriers Swift, Steady and Saver.
 */
export const quotePhonePrefix = '+2348035551'

export const quoteFaults = [
  { digit: 0, name: 'none', meaning: 'No fault: the carrier makes its offers.' },
  { digit: 1, name: 'timeout', meaning: 'The carrier does not respond.' },
  { digit: 2, name: 'server_error', meaning: 'The carrier responds with status 500.' },
  { digit: 3, name: 'out_of_area', meaning: 'The carrier rejects the request with `out_of_area`.' },
  { digit: 4, name: 'no_offers', meaning: 'The carrier responds without offers.' },
] as const satisfies readonly Digit[]

export type QuoteFault = (typeof quoteFaults)[number]['name']

/**
 * Prefix of test recipient phone numbers. The last digit of such a number selects how the cash on delivery is
 * collected.
 */
export const cashPhonePrefix = '+234803555300'

export const cashOutcomes = [
  { digit: 0, name: 'collected', meaning: 'The rider collects the cash on delivery.' },
  { digit: 1, name: 'short', meaning: 'The rider collects half of the cash on delivery.' },
  { digit: 2, name: 'over', meaning: 'The rider collects 500 naira more than the cash on delivery.' },
  { digit: 3, name: 'nothing', meaning: 'The rider hands over the parcel and collects nothing.' },
  { digit: 4, name: 'unreported', meaning: 'The carrier reports the delivery without the collected amount.' },
] as const satisfies readonly Digit[]

export type CashOutcome = (typeof cashOutcomes)[number]['name']

/**
 * Prefix of test recipient phone numbers. The last digit of such a number selects the outcome of the first request to a
 * carrier. These outcomes are rarer than those of `dispatchFaults`.
 */
export const deliveryPhonePrefix = '+234803555400'

export const deliveryOutcomes = [
  { digit: 1, name: 'lost', meaning: 'The carrier picks up the parcel and loses it.' },
  {
    digit: 2,
    name: 'cancelled_in_transit',
    meaning: 'The carrier picks up the parcel, and then reports that its order is cancelled.',
  },
  {
    digit: 3,
    name: 'price_doubled',
    meaning: 'The carrier accepts the shipment at twice the price of its offer, and delivers the parcel.',
  },
  {
    digit: 4,
    name: 'late_and_binding',
    meaning:
      'The carrier does not respond. For 90 seconds, lookups at the carrier find no order; then the order appears. The carrier rejects the cancellation of this order.',
  },
] as const satisfies readonly Digit[]

export type DeliveryOutcome = (typeof deliveryOutcomes)[number]['name']

/** Behaviour of a simulated carrier for one order. A test phone number in the order selects the behaviour. */
export type SimulatedFault = DispatchFault | DeliveryOutcome

/**
 * Prefix of test sender phone numbers. The last three digits of such a number select the sequence, duplicates and
 * signature of callbacks.
 */
export const callbackPhonePrefix = '+2348035552'

export const callbackFaults = {
  sequence: [
    { digit: 0, name: 'in_order', meaning: 'Callbacks are sent in order.' },
    {
      digit: 1,
      name: 'exchanged',
      meaning: 'Callbacks are sent out of order: the second before the first, the fourth before the third, and so on.',
    },
  ],
  copies: [
    { digit: 0, name: 'once', meaning: 'The carrier sends each callback once.' },
    { digit: 1, name: 'twice', meaning: 'The carrier sends each callback twice.' },
  ],
  signature: [
    { digit: 0, name: 'right', meaning: 'Callbacks have the signature of the carrier.' },
    { digit: 1, name: 'missing', meaning: 'Callbacks have no signature.' },
    { digit: 2, name: 'wrong', meaning: 'Callbacks are signed with a wrong secret.' },
  ],
} as const satisfies Record<string, readonly Digit[]>

export interface CallbackBehaviour {
  readonly sequence: (typeof callbackFaults.sequence)[number]['name']
  readonly copies: (typeof callbackFaults.copies)[number]['name']
  readonly signature: (typeof callbackFaults.signature)[number]['name']
}

/** Number of requests to a carrier whose outcome a phone number can select, with one digit for each request. */
const selectableRequests = 3

/**
 * Returns the fault that a phone number selects for the n-th request to a carrier. Undefined for a number that selects
 * no fault.
 */
export function dispatchFaultOf(recipientPhone: string, request: number): DispatchFault | undefined {
  const digits = digitsBehind(dispatchPhonePrefix, recipientPhone)
  if (digits === undefined) return undefined
  return namedBy(dispatchFaults, request >= 1 && request <= selectableRequests ? digits[request - 1] : undefined)
}

/** `carrierIndex` is the position of the carrier in `testCarrierCodes`. */
export function quoteFaultOf(recipientPhone: string | null, carrierIndex: number): QuoteFault {
  return namedBy(quoteFaults, digitsBehind(quotePhonePrefix, recipientPhone)?.[carrierIndex])
}

export function cashOutcomeOf(recipientPhone: string): CashOutcome {
  const isTest = recipientPhone.startsWith(cashPhonePrefix) && recipientPhone.length === cashPhonePrefix.length + 1
  return namedBy(cashOutcomes, isTest ? recipientPhone.at(-1) : undefined)
}

/**
 * `request` is the number of the request to the carrier, from 1. Undefined if the phone number selects no outcome for
 * this request.
 */
export function deliveryOutcomeOf(recipientPhone: string, request: number): DeliveryOutcome | undefined {
  if (request !== 1) return undefined
  return deliveryOutcomes.find(({ digit }) => recipientPhone === `${deliveryPhonePrefix}${digit}`)?.name
}

/**
 * Returns the three digits of a phone number that select the callback behaviour. Undefined for any other phone number.
 */
export function callbackDigitsOf(senderPhone: string): string | undefined {
  return digitsBehind(callbackPhonePrefix, senderPhone)
}

export function callbackBehaviourOf(digits: string): CallbackBehaviour {
  return {
    sequence: namedBy(callbackFaults.sequence, digits[0]),
    copies: namedBy(callbackFaults.copies, digits[1]),
    signature: namedBy(callbackFaults.signature, digits[2]),
  }
}

function digitsBehind(prefix: string, phone: string | null): string | undefined {
  return phone?.startsWith(prefix) && phone.length === prefix.length + 3 ? phone.slice(prefix.length) : undefined
}

/**
 * Returns the carrier behaviour that a digit selects. An unknown digit selects the first behaviour, which is the
 * default.
 */
function namedBy<Name extends string>(
  entries: readonly [Digit<Name>, ...Digit<Name>[]],
  digit: string | undefined,
): Name {
  return (entries.find((entry) => String(entry.digit) === digit) ?? entries[0]).name
}
