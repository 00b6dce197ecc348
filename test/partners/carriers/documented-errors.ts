import type { Outcome, RefusalCode } from '../../../src/partners/carriers/carrier.ts'
import type { CarrierCallName } from './benches.ts'
import type { ChowdeckServer } from './chowdeck-server.ts'
import type { Answered, Fault } from './contract-server.ts'
import type { FezServer } from './fez-server.ts'
import type { ShipbubbleServer } from './shipbubble-server.ts'

/** Every error that a carrier documents or is known to return, with the expected outcome. */

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

/** Rejected before processing. */
function turnedAway(...answer: Answered): Fault {
  return { isAccepted: false, answer }
}

const failed = (message: string) => ({ status: 'failed', message })

export const chowdeckErrors: readonly DocumentedError<ChowdeckServer>[] = [
  {
    call: 'quote',
    when: 'the distance is too large, told with a 500',
    arrange: ({ day }) => Object.assign(day, { isTooFar: true }),
    ends: refused('out_of_area'),
  },
  {
    call: 'quote',
    when: 'the key is wrong',
    arrange: (server) => server.fail('fee', turnedAway(401, failed('Unauthenticated'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'quote',
    when: 'a field is wrong',
    arrange: (server) => server.fail('fee', turnedAway(422, failed('source_address is required'))),
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
    arrange: (server) => server.fail('create', turnedAway(400, failed('destination_contact.phone is not valid'))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the account is forbidden to',
    arrange: (server) => server.fail('create', turnedAway(403, failed('Forbidden'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'it declines with a 200',
    arrange: (server) => server.fail('create', turnedAway(200, failed('Something did not work'))),
    ends: refused('refused'),
  },
  {
    call: 'create',
    when: 'it has the reference already, perhaps',
    arrange: (server) => server.fail('create', turnedAway(409, failed('Reference exists'))),
    ends: { is: 'unknown', cause: 'bad_response' },
  },
  {
    call: 'get',
    when: 'it has no such delivery',
    arrange: ({ deliveries }) => deliveries.splice(0),
    ends: refused('not_found'),
  },
  {
    call: 'cancel',
    when: 'a rider has it',
    arrange: ({ deliveries }) => deliveries.map((each) => Object.assign(each, { status: 'picked' })),
    ends: refused('not_cancellable'),
  },
  {
    call: 'cancel',
    when: 'it has no such delivery',
    arrange: ({ deliveries }) => deliveries.splice(0),
    ends: refused('not_found'),
  },
]

const wrong = (description: string) => ({ status: 'Error', description })

export const fezErrors: readonly DocumentedError<FezServer>[] = [
  {
    call: 'quote',
    when: 'the login is wrong',
    arrange: (server) => server.fail('login', turnedAway(400, wrong('Invalid login details'))),
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
    when: 'the login does not answer',
    arrange: (server) => server.fail('login', { isAccepted: true, answer: 'never' }),
    ends: unavailable,
  },
  {
    call: 'quote',
    when: 'the login breaks',
    arrange: (server) => server.fail('login', turnedAway(500, wrong('Server error'))),
    ends: unavailable,
  },
  {
    call: 'quote',
    when: 'the login says nothing that is documented',
    arrange: (server) => server.fail('login', turnedAway(200, { status: 'Success' })),
    ends: unavailable,
  },
  {
    call: 'quote',
    when: 'it does not serve the state',
    arrange: ({ day }) => Object.assign(day, { isOutOfArea: true }),
    ends: refused('out_of_area'),
  },
  {
    call: 'quote',
    when: 'a field is wrong',
    arrange: (server) => server.fail('cost', turnedAway(422, wrong('The selected state is invalid'))),
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
    when: 'a field is wrong, told with a 200',
    arrange: (server) => server.fail('create', turnedAway(200, wrong('recipientAddress is required'))),
    ends: refused('refused'),
  },
  {
    call: 'create',
    when: 'a field is wrong',
    arrange: (server) => server.fail('create', turnedAway(422, wrong('recipientPhone is not valid'))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'the token has ended, and no login gives another',
    arrange: (server) => {
      server.endTokens()
      server.fail('login', turnedAway(500, wrong('Server error')))
    },
    ends: unavailable,
  },
  {
    call: 'create',
    when: 'the token is refused twice',
    arrange: (server) => server.fail('create', ...[1, 2].map(() => turnedAway(401, wrong('Unauthorized')))),
    ends: refused('account_blocked'),
  },
  {
    call: 'get',
    when: 'it has no such order',
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
    arrange: (server) => server.fail('rates', turnedAway(401, failed('Unauthorized'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'the key is no more, told as an invalid token',
    arrange: (server) => server.fail('create', turnedAway(401, failed('Invalid token'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'something about the account is wrong that nobody documented',
    arrange: (server) => server.fail('create', turnedAway(400, failed('Please contact support'))),
    ends: refused('refused'),
  },
  {
    call: 'quote',
    when: 'an address is none',
    arrange: (server) =>
      server.fail('validate', turnedAway(422, { ...failed('Validation failed'), errors: ['address not found'] })),
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
    when: 'a courier behind it is down',
    arrange: (server) => server.fail('rates', turnedAway(503, failed('Third party unavailable'))),
    ends: unavailable,
  },
  {
    call: 'create',
    when: 'a courier behind it is down',
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
    when: 'the account’s papers are missing',
    arrange: ({ day }) => Object.assign(day, { isUnverified: true }),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'the rate’s token has expired',
    arrange: ({ day }) => Object.assign(day, { isTokenExpired: true }),
    ends: refused('quote_expired'),
  },
  {
    call: 'create',
    when: 'the account is forbidden to',
    arrange: (server) => server.fail('create', turnedAway(403, failed('Forbidden'))),
    ends: refused('account_blocked'),
  },
  {
    call: 'create',
    when: 'a field is wrong',
    // Regardless of the requested courier.
    arrange: (server) => server.fail('create', ...[1, 2].map(() => turnedAway(422, failed('courier_id is required')))),
    ends: invalid,
  },
  {
    call: 'create',
    when: 'something in it is not found',
    arrange: (server) => server.fail('create', turnedAway(404, failed('Courier not found'))),
    ends: refused('not_found'),
  },
  {
    call: 'get',
    when: 'it lists no such order',
    arrange: ({ orders }) => orders.splice(0),
    ends: refused('not_found'),
  },
  {
    call: 'cancel',
    when: 'a rider has it',
    arrange: ({ orders }) => orders.map((each) => Object.assign(each, { status: 'in_transit' })),
    ends: refused('not_cancellable'),
  },
  {
    call: 'cancel',
    when: 'it has no such order',
    arrange: ({ orders }) => orders.splice(0),
    ends: refused('not_found'),
  },
]

/** Errors of any request to any carrier which prove that nothing was created. */
export const commonRefusals: readonly (readonly [when: string, fault: Fault, ends: ExpectedOutcome])[] = [
  ['is closed to whoever keeps its door', turnedAway(403, '<html>Forbidden</html>'), refused('account_blocked')],
  ['wants fewer requests', turnedAway(429, failed('Too many requests')), unavailable],
  ['wants fewer requests and says so on a page', turnedAway(429, '<html>Slow down</html>'), unavailable],
]

/** Errors of any request to any carrier which may hide an acceptance. */
export const commonDoubts: readonly (readonly [
  when: string,
  answer: Fault['answer'],
  cause: NonNullable<ExpectedOutcome['cause']>,
])[] = [
  ['never answers', 'never', 'timeout'],
  ['breaks off', 'breaks_off', 'reset'],
  ['answers half of it', 'half', 'bad_response'],
  ['answers 502 with a page', [502, '<html>Bad gateway</html>'], 'server_error'],
  ['answers 503 with a page', [503, '<html>Unavailable</html>'], 'server_error'],
  ['answers 504 in JSON', [504, { status: 'failed', message: 'Gateway timeout' }], 'server_error'],
  ['answers 408', [408, { status: 'failed', message: 'Request timeout' }], 'bad_response'],
  ['answers 404 with a page', [404, '<html>Not here</html>'], 'bad_response'],
  ['answers 302', [302, { status: 'success' }], 'bad_response'],
  ['answers with nothing', [200, ''], 'bad_response'],
  ['answers with a page', [200, '<html>Welcome</html>'], 'bad_response'],
  ['answers with a list', [200, []], 'bad_response'],
  ['answers without a verdict', [200, { data: {} }], 'bad_response'],
  ['answers with a verdict nobody documented', [200, { status: 'queued', data: {} }], 'bad_response'],
  ['answers without what is documented', [200, { status: 'success', data: { ok: true } }], 'bad_response'],
]
