/**
 * The telephone numbers that make the simulated carriers misbehave. They are valid numbers of Nigeria’s plan, so that they
 * pass wherever a telephone number is asked for; nobody is called by them.
 */

/** One digit of a number, and what it stands for. */
interface Digit<Name extends string = string> {
  readonly digit: number
  readonly name: Name
  readonly meaning: string
}

/** The recipient’s number. Its last three digits are for the first, second and third attempt of the shipment. */
export const dispatchPhonePrefix = '+2348035550'

export const dispatchFaults = [
  { digit: 0, name: 'none', meaning: 'Nothing special: the parcel is carried.' },
  { digit: 1, name: 'couriers_busy', meaning: 'Refused for sure, with `couriers_busy`. Nothing is begun.' },
  {
    digit: 2,
    name: 'timeout_after_acceptance',
    meaning: 'Accepted, but the answer does not come while anybody waits for it.',
  },
  { digit: 3, name: 'timeout_before_acceptance', meaning: 'No answer, and never accepted.' },
  { digit: 4, name: 'server_error', meaning: 'Accepted, and answered with 500.' },
  { digit: 5, name: 'malformed_answer', meaning: 'Accepted, and answered with 201 and half a body.' },
  {
    digit: 6,
    name: 'carrier_cancels',
    meaning: 'Accepted; a rider is found, then the carrier cancels before the pickup.',
  },
  { digit: 7, name: 'never_assigned', meaning: 'Accepted, and no rider is ever found.' },
  {
    digit: 8,
    name: 'delivery_fails',
    meaning: 'Carried to the door, where the delivery fails; the parcel comes back.',
  },
  {
    digit: 9,
    name: 'late_acceptance',
    meaning: 'No answer, and look-ups find nothing; the order turns up 90 seconds later.',
  },
] as const satisfies readonly Digit[]

export type DispatchFault = (typeof dispatchFaults)[number]['name']

/** Later than every careful look for a lost answer, so that the attempt was given up already (design, logistics 3.4). */
export const lateAcceptanceSeconds = 90

/** The recipient’s number again. Its last three digits are for the quotes of Swift, Steady and Saver. */
export const quotePhonePrefix = '+2348035551'

export const quoteFaults = [
  { digit: 0, name: 'none', meaning: 'A quote as usual.' },
  { digit: 1, name: 'timeout', meaning: 'No answer.' },
  { digit: 2, name: 'server_error', meaning: 'Answered with 500.' },
  { digit: 3, name: 'out_of_area', meaning: 'Refused, with `out_of_area`.' },
  { digit: 4, name: 'no_offers', meaning: 'Answered with no offers.' },
] as const satisfies readonly Digit[]

export type QuoteFault = (typeof quoteFaults)[number]['name']

/** The sender’s number. Its last three digits are for the order of callbacks, their number and their signature. */
export const callbackPhonePrefix = '+2348035552'

export const callbackFaults = {
  sequence: [
    { digit: 0, name: 'in_order', meaning: 'As things happen.' },
    { digit: 1, name: 'exchanged', meaning: 'Each second callback is sent before the one it follows.' },
  ],
  copies: [
    { digit: 0, name: 'once', meaning: 'Each once.' },
    { digit: 1, name: 'twice', meaning: 'Each twice in a row.' },
  ],
  signature: [
    { digit: 0, name: 'right', meaning: 'Signed as the company signs.' },
    { digit: 1, name: 'missing', meaning: 'Without a signature.' },
    { digit: 2, name: 'wrong', meaning: 'Signed with another secret.' },
  ],
} as const satisfies Record<string, readonly Digit[]>

export interface CallbackManner {
  readonly sequence: (typeof callbackFaults.sequence)[number]['name']
  readonly copies: (typeof callbackFaults.copies)[number]['name']
  readonly signature: (typeof callbackFaults.signature)[number]['name']
}

/** How many attempts have a digit of their own. */
const attemptsSteered = 3

/** What a number asks for at an attempt, counted from 1; undefined for a number that asks for nothing. */
export function dispatchFaultOf(recipientPhone: string, attempt: number): DispatchFault | undefined {
  const digits = digitsBehind(dispatchPhonePrefix, recipientPhone)
  if (digits === undefined) return undefined
  return namedBy(dispatchFaults, attempt >= 1 && attempt <= attemptsSteered ? digits[attempt - 1] : undefined)
}

/** The place of a company’s digit is its place in the list of companies. */
export function quoteFaultOf(recipientPhone: string | null, companyIndex: number): QuoteFault {
  return namedBy(quoteFaults, digitsBehind(quotePhonePrefix, recipientPhone)?.[companyIndex])
}

/** The three digits by which an order’s callbacks go wrong; undefined for a number that asks for nothing. */
export function callbackDigitsOf(senderPhone: string): string | undefined {
  return digitsBehind(callbackPhonePrefix, senderPhone)
}

export function callbackMannerOf(digits: string): CallbackManner {
  return {
    sequence: namedBy(callbackFaults.sequence, digits[0]),
    copies: namedBy(callbackFaults.copies, digits[1]),
    signature: namedBy(callbackFaults.signature, digits[2]),
  }
}

function digitsBehind(prefix: string, phone: string | null): string | undefined {
  return phone?.startsWith(prefix) && phone.length === prefix.length + 3 ? phone.slice(prefix.length) : undefined
}

/** A digit that stands for nothing is like the first one, which is for what usually happens. */
function namedBy<Name extends string>(
  entries: readonly [Digit<Name>, ...Digit<Name>[]],
  digit: string | undefined,
): Name {
  return (entries.find((entry) => String(entry.digit) === digit) ?? entries[0]).name
}
