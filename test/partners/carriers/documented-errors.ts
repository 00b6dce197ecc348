import type { Outcome, RefusalCode } from '../../../src/partners/carriers/carrier.ts'
import type { CarrierCallName } from './benches.ts'
import type { ChowdeckServer } from './chowdeck-server.ts'
import type { Answered, Fault } from './contract-server.ts'
import type { FezServer } from './fez-server.ts'
import type { ShipbubbleServer } from './shipbubble-server.ts'

/**
 * Every error that a carrier documents or is known to return, with the outcome that the carrier's adapter must return.
 */

export interface DocumentedError<Server> {
  readonly call: CarrierCallName
  readonly when: string
  arrange(server: Server): unknown
  readonly ends: ExpectedOutcome
}

export interface ExpectedOutcome {
  readonly is: Exclude<Outcome<never>['is'], 'ok'> | 'ok'
  readonly code?: RefusalCode
  readonly isOfSubCarrier?: true
  readonly cause?: 'timeout' | 'reset' | 'bad_response' | 'server_error'
}

const refused = (code: RefusalCode): ExpectedOutcome => ({ is: 'refused', code })
const invalid: ExpectedOutcome = { is: 'invalid' }
const unavailable: ExpectedOutcome = { is: 'unavailable' }

/** Returns a fault: the carrier sends the given response and does not process the request. */
function rejectedBy(...answer: Answered): Fault {
  return { isAccepted: false, answer }
}

const failed = (message: string) => ({ status: 'failed', message })

export const chowdeckErrors: readonly DocumentedError<ChowdeckServer>[] = [
  {
    call: 'quote',
    when: 'the distance is too large (HTTP 500)',
    arrange: ({ day }) => Object.assign(day, { isTooFar: true }),
    ends: refused('out_of_area'),
  },
  {
    call: 'quote',
    when: 'the key is wrong',
    arrange: (server) => server.fail('fee', rejectedBy(401, failed('Unauthenticated'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'quote',
    when: 'a field is wrong',
    arrange: (server) => server.fail('fee', rejectedBy(422, failed('source_address is required'))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the fee has expired',
    arrange: ({ day }) => Object.assign(day, { isFeeExpired: true }),
    ends: refused('quote_expired'),
  },
  {
    call: 'create',
    when: 'the wallet is empty',
    arrange: ({ day }) => Object.assign(day, { isWalletEmpty: true }),
    ends: refused('wallet_insufficient'),
  },
  {
    call: 'create',
    when: 'no rider is near',
    arrange: ({ day }) => Object.assign(day, { isBusy: true }),
    ends: refused('couriers_busy'),
  },
  {
    call: 'create',
    when: 'a field is wrong',
    arrange: (server) => server.fail('create', rejectedBy(400, failed('destination_contact.phone is not valid'))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the account lacks the permission',
    arrange: (server) => server.fail('create', rejectedBy(403, failed('Forbidden'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'the carrier rejects the order with a 200',
    arrange: (server) => server.fail('create', rejectedBy(200, failed('Something did not work'))),
    ends: refused('refused'),
  },
  {
    call: 'create',
    when: 'the reference may exist already (HTTP 409)',
    arrange: (server) => server.fail('create', rejectedBy(409, failed('Reference exists'))),
    ends: { is: 'unknown', cause: 'bad_response' },
  },
  {
    call: 'get',
    when: 'the delivery does not exist',
    arrange: ({ deliveries }) => deliveries.splice(0),
    ends: refused('not_found'),
  },
  {
    call: 'cancel',
    when: 'a rider has picked up the parcel',
    arrange: ({ deliveries }) => deliveries.map((each) => Object.assign(each, { status: 'picked' })),
    ends: refused('not_cancellable'),
  },
  {
    call: 'cancel',
    when: 'the delivery does not exist',
    arrange: ({ deliveries }) => deliveries.splice(0),
    ends: refused('not_found'),
  },
]

const wrong = (description: string) => ({ status: 'Error', description })

export const fezErrors: readonly DocumentedError<FezServer>[] = [
  {
    call: 'quote',
    when: 'the login is wrong',
    arrange: (server) => server.fail('login', rejectedBy(400, wrong('Invalid login details'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'quote',
    when: 'the account is suspended',
    arrange: ({ day }) => Object.assign(day, { isSuspended: true }),
    ends: refused('account_blocked'),
  },
  {
    call: 'quote',
    when: 'the login times out',
    arrange: (server) => server.fail('login', { isAccepted: true, answer: 'never' }),
    ends: unavailable,
  },
  {
    call: 'quote',
    when: 'the login returns 500',
    arrange: (server) => server.fail('login', rejectedBy(500, wrong('Server error'))),
    ends: unavailable,
  },
  {
    call: 'quote',
    when: 'the login returns an undocumented body',
    arrange: (server) => server.fail('login', rejectedBy(200, { status: 'Success' })),
    ends: unavailable,
  },
  {
    call: 'quote',
    when: 'the carrier does not serve the state',
    arrange: ({ day }) => Object.assign(day, { isOutOfArea: true }),
    ends: refused('out_of_area'),
  },
  {
    call: 'quote',
    when: 'a field is wrong',
    arrange: (server) => server.fail('cost', rejectedBy(422, wrong('The selected state is invalid'))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the wallet is empty',
    arrange: ({ day }) => Object.assign(day, { isWalletEmpty: true }),
    ends: refused('wallet_insufficient'),
  },
  {
    call: 'create',
    when: 'a field is wrong (HTTP 200)',
    arrange: (server) => server.fail('create', rejectedBy(200, wrong('recipientAddress is required'))),
    ends: refused('refused'),
  },
  {
    call: 'create',
    when: 'a field is wrong',
    arrange: (server) => server.fail('create', rejectedBy(422, wrong('recipientPhone is not valid'))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the token has expired, and the login returns 500',
    arrange: (server) => {
      server.endTokens()
      server.fail('login', rejectedBy(500, wrong('Server error')))
    },
    ends: unavailable,
  },
  {
    call: 'create',
    when: 'the token is refused twice',
    arrange: (server) => server.fail('create', ...[1, 2].map(() => rejectedBy(401, wrong('Unauthorized')))),
    ends: refused('account_blocked'),
  },
  {
    call: 'get',
    when: 'the order does not exist',
    arrange: ({ orders }) => orders.splice(0),
    ends: refused('not_found'),
  },
  {
    call: 'cancel',
    when: 'a rider is on the way',
    arrange: (server) => server.move('Assigned To A Rider'),
    ends: refused('not_cancellable'),
  },
]

export const shipbubbleErrors: readonly DocumentedError<ShipbubbleServer>[] = [
  {
    call: 'quote',
    when: 'the key is wrong',
    arrange: (server) => server.fail('rates', rejectedBy(401, failed('Unauthorized'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'the key was revoked (“Invalid token”)',
    arrange: (server) => server.fail('create', rejectedBy(401, failed('Invalid token'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'the account has an undocumented problem',
    arrange: (server) => server.fail('create', rejectedBy(400, failed('Please contact support'))),
    ends: refused('refused'),
  },
  {
    call: 'quote',
    when: 'an address is not found',
    arrange: (server) =>
      server.fail('validate', rejectedBy(422, { ...failed('Validation failed'), errors: ['address not found'] })),
    ends: invalid,
  },
  {
    call: 'quote',
    when: 'no courier covers the route',
    arrange: ({ day }) => Object.assign(day, { isOutOfArea: true }),
    ends: refused('out_of_area'),
  },
  {
    call: 'quote',
    when: 'a sub-carrier is down',
    arrange: (server) => server.fail('rates', rejectedBy(503, failed('Third party unavailable'))),
    ends: unavailable,
  },
  {
    call: 'create',
    when: 'a sub-carrier is down',
    arrange: ({ day }) => Object.assign(day, { isCourierDown: true }),
    ends: { ...unavailable, isOfSubCarrier: true },
  },
  {
    call: 'create',
    when: 'the wallet is empty',
    arrange: ({ day }) => Object.assign(day, { isWalletEmpty: true }),
    ends: refused('wallet_insufficient'),
  },
  {
    call: 'create',
    when: 'the account is not verified',
    arrange: ({ day }) => Object.assign(day, { isUnverified: true }),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'the token of the rate has expired',
    arrange: ({ day }) => Object.assign(day, { isTokenExpired: true }),
    ends: refused('quote_expired'),
  },
  {
    call: 'create',
    when: 'the account lacks the permission',
    arrange: (server) => server.fail('create', rejectedBy(403, failed('Forbidden'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'a field is wrong',
    // The carrier rejects the create request for every courier that the request may name.
    arrange: (server) => server.fail('create', ...[1, 2].map(() => rejectedBy(422, failed('courier_id is required')))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the courier is not found',
    arrange: (server) => server.fail('create', rejectedBy(404, failed('Courier not found'))),
    ends: refused('not_found'),
  },
  {
    call: 'get',
    when: 'the list does not contain the order',
    arrange: ({ orders }) => orders.splice(0),
    ends: refused('not_found'),
  },
  {
    call: 'cancel',
    when: 'a rider has picked up the parcel',
    arrange: ({ orders }) => orders.map((each) => Object.assign(each, { status: 'in_transit' })),
    ends: refused('not_cancellable'),
  },
  {
    call: 'cancel',
    when: 'the order does not exist',
    arrange: ({ orders }) => orders.splice(0),
    ends: refused('not_found'),
  },
]

/** Errors that any carrier may return to any request, and that prove that the carrier created nothing. */
export const commonRefusals: readonly (readonly [when: string, fault: Fault, ends: ExpectedOutcome])[] = [
  ['a 403 HTML page', rejectedBy(403, '<html>Forbidden</html>'), refused('account_blocked')],
  ['a 429', rejectedBy(429, failed('Too many requests')), unavailable],
  ['a 429 HTML page', rejectedBy(429, '<html>Slow down</html>'), unavailable],
]

/** Errors that any carrier may return to any request, and after which the carrier may still have accepted the order. */
export const commonDoubts: readonly (readonly [
  when: string,
  answer: Fault['answer'],
  cause: NonNullable<ExpectedOutcome['cause']>,
])[] = [
  ['a timeout', 'never', 'timeout'],
  ['a reset connection', 'breaks_off', 'reset'],
  ['half a body', 'half', 'bad_response'],
  ['a 502 HTML page', [502, '<html>Bad gateway</html>'], 'server_error'],
  ['a 503 HTML page', [503, '<html>Unavailable</html>'], 'server_error'],
  ['a 504 in JSON', [504, { status: 'failed', message: 'Gateway timeout' }], 'server_error'],
  ['a 408', [408, { status: 'failed', message: 'Request timeout' }], 'bad_response'],
  ['a 404 HTML page', [404, '<html>Not here</html>'], 'bad_response'],
  ['a 302', [302, { status: 'success' }], 'bad_response'],
  ['a 200 without a body', [200, ''], 'bad_response'],
  ['a 200 HTML page', [200, '<html>Welcome</html>'], 'bad_response'],
  ['a 200 with an array', [200, []], 'bad_response'],
  ['a 200 without a status', [200, { data: {} }], 'bad_response'],
  ['a 200 with an undocumented status', [200, { status: 'queued', data: {} }], 'bad_response'],
  ['a 200 without the documented fields', [200, { status: 'success', data: { ok: true } }], 'bad_response'],
]
