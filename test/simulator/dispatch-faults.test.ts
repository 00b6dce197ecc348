import { expect, test } from 'vitest'
import { dispatchFaults, dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import type { Carrier, CreateRequest } from '../../src/partners/carriers/carrier.ts'
import { useDatabase } from '../support/database.ts'
import {
  abortWhen,
  countOrders,
  granted,
  impatient,
  morningMs,
  newReference,
  noAccount,
  openSimulated,
  orderFor,
  patient,
  type Simulated,
  statusOf,
  stepMsOf,
  wish,
} from './simulated.ts'

const opened = useDatabase()
const codes = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const

async function open(digits: string, code: (typeof codes)[number] = 'simulator-swift', attempt = 1) {
  const simulated = await openSimulated(opened().connectionString)
  const carrier = simulated.carriers[code]
  const order = await orderFor(carrier, wish({ recipientPhone: dispatchPhonePrefix + digits }), newReference(attempt))
  return { ...simulated, carrier, order, create: () => carrier.create(noAccount, order, patient()) }
}

/** Searches the carrier for the order of an attempt whose response was lost. */
async function found(carrier: Carrier, request: CreateRequest) {
  return granted(
    (await carrier.find?.(noAccount, { request, requestedAt: toTimestamp(morningMs) }, patient())) ?? missing,
  )
}

const missing = { is: 'unavailable', message: 'It finds nothing.', retryAfterSeconds: undefined } as const

function exists({ database }: Pick<Simulated, 'database'>, { reference }: CreateRequest) {
  return async () => (await countOrders(database, reference)) > 0
}

test.for(codes)('simulated fault 0: the carrier %s delivers the parcel', async (code) => {
  const { carrier, order, create } = await open('000', code)
  expect(granted(await create())).toEqual({
    carrierReference: expect.stringMatching(/^S[WTA]-[0-9A-Z]{10}$/),
    priceKobo: order.offer.priceKobo,
    trackingUrl: undefined,
    labelUrl: undefined,
    status: 'awaiting_courier',
  })
  expect(carrier.code).toBe(code)
})

test.for(codes)('simulated fault 1: the carrier %s rejects the request, and creates no order', async (code) => {
  const { database, order, create } = await open('100', code)
  expect(await create()).toMatchObject({ is: 'refused', code: 'couriers_busy' })
  expect(await countOrders(database, order.reference)).toBe(0)
})

test('simulated fault 2: the carrier creates an order but does not respond, and a search by reference finds the order', async () => {
  const { carrier, order, ...simulated } = await open('200')
  const outcome = await abortWhen((signal) => carrier.create(noAccount, order, signal), exists(simulated, order))
  expect(outcome).toMatchObject({ is: 'unknown', cause: 'timeout' })
  expect(await found(carrier, order)).toMatchObject({ is: 'found', order: { priceKobo: order.offer.priceKobo } })
})

test('simulated fault 2: the carrier Steady creates an order without a response, and its list contains the order only 15 seconds later', async () => {
  const { carrier, order, clock, ...simulated } = await open('200', 'simulator-steady')
  const outcome = await abortWhen((signal) => carrier.create(noAccount, order, signal), exists(simulated, order))
  expect(outcome).toMatchObject({ is: 'unknown', cause: 'timeout' })
  expect(await found(carrier, order)).toEqual({ is: 'absent' })
  clock.advance(15_000)
  expect(await found(carrier, order)).toMatchObject({ is: 'found', order: { status: 'awaiting_courier' } })
})

test('simulated fault 3: the carrier does not respond and never creates an order', async () => {
  const { carrier, order, database, clock } = await open('300')
  expect(await carrier.create(noAccount, order, impatient())).toMatchObject({ is: 'unknown', cause: 'timeout' })
  clock.advance(3_600_000)
  expect(await found(carrier, order)).toEqual({ is: 'absent' })
  expect(await countOrders(database, order.reference)).toBe(0)
})

test.for([
  ['4', 'server_error'],
  ['5', 'bad_response'],
] as const)('simulated fault %s: the carrier creates an order, but the adapter reads its response as %s', async ([
  digit,
  cause,
]) => {
  const { carrier, order, create } = await open(`${digit}00`)
  expect(await create()).toMatchObject({ is: 'unknown', cause })
  expect(await found(carrier, order)).toMatchObject({ is: 'found' })
})

test.for(
  codes,
)('simulated fault 6: the carrier %s assigns a rider, then cancels the order before pickup', async (code) => {
  const { carrier, order, clock, create } = await open('600', code)
  const name = { ...granted(await create()), reference: order.reference }
  clock.advance(stepMsOf(carrier))
  expect(await statusOf(carrier, name)).toBe('courier_assigned')
  clock.advance(stepMsOf(carrier))
  expect(await statusOf(carrier, name)).toBe('cancelled')
  clock.advance(3_600_000)
  expect(await statusOf(carrier, name)).toBe('cancelled')
})

test('simulated fault 7: the carrier never assigns a rider', async () => {
  const { carrier, order, clock, create } = await open('700')
  const name = { ...granted(await create()), reference: order.reference }
  clock.advance(24 * 3_600_000)
  expect(granted(await carrier.get(noAccount, name, patient()))).toMatchObject({
    status: 'awaiting_courier',
    courier: undefined,
    position: undefined,
  })
})

test('simulated fault 8: the carrier fails the delivery at the door and returns the parcel', async () => {
  const { carrier, order, clock, create } = await open('800')
  const name = { ...granted(await create()), reference: order.reference }
  const seen = new Set<string | undefined>()
  for (let step = 0; step <= 10; step++) {
    seen.add(await statusOf(carrier, name))
    clock.advance(stepMsOf(carrier))
  }
  expect([...seen].slice(4)).toEqual(['in_transit', 'at_dropoff', 'delivery_failed', 'returning', 'returned'])
})

test('simulated fault 9: in the first 90 seconds after the creation of an order, searches at the carrier do not find the order', async () => {
  const { carrier, order, clock, ...simulated } = await open('900')
  const outcome = await abortWhen((signal) => carrier.create(noAccount, order, signal), exists(simulated, order))
  expect(outcome).toMatchObject({ is: 'unknown', cause: 'timeout' })
  clock.advance(89_999)
  expect(await found(carrier, order)).toEqual({ is: 'absent' })
  clock.advance(1)
  const late = await found(carrier, order)
  expect(late).toMatchObject({ is: 'found', order: { status: 'awaiting_courier' } })
  const name = { carrierReference: late.is === 'found' ? late.order.carrierReference : '', reference: order.reference }
  clock.advance(30_000)
  expect(await statusOf(carrier, name)).toBe('courier_assigned')
})

test('simulated fault 9: a new order cannot be read or cancelled for 90 seconds, and is not created a second time', async () => {
  const { carrier, order, clock, database, create } = await open('900')
  await abortWhen((signal) => carrier.create(noAccount, order, signal), exists({ database }, order))
  expect(await carrier.create(noAccount, order, impatient())).toMatchObject({ is: 'unknown', cause: 'timeout' })
  const { rows } = await database.pool.query('select number from simulated_orders where reference = $1', [
    order.reference,
  ])
  const name = { carrierReference: String(rows[0].number), reference: order.reference }
  expect(await carrier.get(noAccount, name, patient())).toMatchObject({ is: 'refused', code: 'not_found' })
  expect(await carrier.cancel(noAccount, name, 'duplicate', patient())).toMatchObject({
    is: 'refused',
    code: 'not_found',
  })
  clock.advance(90_000)
  expect(granted(await create()).carrierReference).toBe(name.carrierReference)
  expect(granted(await carrier.cancel(noAccount, name, 'duplicate', patient()))).toMatchObject({ feeKobo: 0 })
})

test('each of the last three digits of a test number selects the fault of one of the first three dispatch attempts, and later attempts have no fault', async () => {
  const { carriers } = await openSimulated(opened().connectionString)
  const carrier = carriers['simulator-saver']
  const outcomes = []
  for (const attempt of [1, 2, 3, 4]) {
    const request = wish({ recipientPhone: `${dispatchPhonePrefix}141` })
    const order = await orderFor(carrier, request, newReference(attempt))
    outcomes.push((await carrier.create(noAccount, order, patient())).is)
  }
  expect(outcomes).toEqual(['refused', 'unknown', 'refused', 'ok'])
})

test('the simulated carrier Swift responds to a repeated request with the first order, even if the response to the first request was lost', async () => {
  const { database, order, create } = await open('400')
  expect((await create()).is).toBe('unknown')
  const outcomes = await Promise.all([create(), create(), create()])
  const references = outcomes.map((outcome) => granted(outcome).carrierReference)
  expect(new Set(references).size).toBe(1)
  expect(await countOrders(database, order.reference)).toBe(1)
})

test('the simulated carrier Swift creates one order for concurrent equal requests', async () => {
  const { database, order, create } = await open('000')
  const outcomes = await Promise.all(Array.from({ length: 8 }, create))
  expect(new Set(outcomes.map((outcome) => granted(outcome).carrierReference)).size).toBe(1)
  expect(await countOrders(database, order.reference)).toBe(1)
})

test('the simulated carriers Steady and Saver create a second order for a repeated request', async () => {
  for (const code of ['simulator-steady', 'simulator-saver'] as const) {
    const { database, order, create } = await open('000', code)
    granted(await create())
    granted(await create())
    expect(await countOrders(database, order.reference)).toBe(2)
  }
})

test('the simulated carrier Saver supports no search for an order', async () => {
  const { carriers } = await openSimulated(opened().connectionString)
  expect(carriers['simulator-saver'].find).toBeUndefined()
  expect(carriers['simulator-saver'].capabilities).toMatchObject({ lookup: 'none', onUnknown: 'wait' })
})

test('a request to a simulated carrier that is down returns unavailable', async () => {
  const { carrier, order, simulator } = await open('000')
  await simulator.close()
  expect(await carrier.create(noAccount, order, patient())).toMatchObject({ is: 'unavailable' })
})

test('each digit from 0 to 9 in a test phone number selects exactly one simulated dispatch fault', () => {
  expect(dispatchFaults.map(({ digit }) => digit)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
