import { describe, expect, test } from 'vitest'
import { stoppedClock, systemClock } from '../../../src/base/clock.ts'
import { openCaller } from '../../../src/partners/carriers/call.ts'
import { openFezCaller } from '../../../src/partners/carriers/fez-session.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  createRequest,
  offersFrom,
  okay,
  openFezBench,
  openSend,
  placeOrder,
  quoteRequest,
  reference,
} from './benches.ts'
import { lagosText } from './contract-server.ts'

test('the Fez adapter offers same-day delivery within a state, and between states the service level that follows from Fez’s delivery estimate', async () => {
  const bench = await openFezBench()
  const { dropoff, parcels } = quoteRequest()
  expect(await offersFrom(bench)).toMatchObject([{ serviceLevel: 'same_day', priceKobo: 268_750 }])
  const [parcel] = parcels
  const heavy = parcel === undefined ? [] : [{ ...parcel, weightGrams: 1_001, quantity: 3 }]
  const far = quoteRequest({ dropoff: { ...dropoff, state: 'FCT' }, parcels: heavy })
  expect(await offersFrom(bench, far)).toMatchObject([{ serviceLevel: 'next_day', priceKobo: 435_075 }])
  expect(bench.server.requests.findLast(({ line }) => line.endsWith('/cost'))).toMatchObject({
    line: 'POST /v1/order/cost',
    headers: { authorization: 'Bearer token-1', 'secret-key': 'fez-secret-key' },
    body: { state: 'FCT', pickUpState: 'Lagos', weight: 4 },
  })
})

test('for a delivery to another state, the Fez adapter derives the service level from Fez’s estimate, requested once per route', async () => {
  const bench = await openFezBench()
  bench.server.day.eta = '2 - 5 day(s)'
  const { dropoff } = quoteRequest()
  const far = quoteRequest({ dropoff: { ...dropoff, state: 'FCT' } })
  const offer = { serviceLevel: 'standard', dropoffMinutes: { p50: 5_040, p90: 7_200 } }
  expect(await offersFrom(bench, far)).toMatchObject([offer])
  expect(await offersFrom(bench, far)).toMatchObject([offer])
  expect(bench.server.asked('estimate')).toBe(1)
  expect(await offersFrom(bench, { ...far, serviceLevels: ['next_day'] })).toEqual([])
})

test('if Fez’s delivery estimate between two states fails, the Fez adapter offers the service level standard instead of next_day', async () => {
  const bench = await openFezBench()
  const { dropoff } = quoteRequest()
  const far = quoteRequest({ dropoff: { ...dropoff, state: 'FCT' } })
  bench.server.fail('estimate', { isAccepted: false, answer: [500, { status: 'Error', description: 'Sorry' }] })
  expect(await offersFrom(bench, far)).toMatchObject([{ serviceLevel: 'standard', priceKobo: 435_075 }])
  bench.server.fail('estimate', { isAccepted: false, answer: [500, { status: 'Error', description: 'Sorry' }] })
  expect(await offersFrom(bench)).toMatchObject([{ serviceLevel: 'same_day', dropoffMinutes: undefined }])
})

test('the Fez adapter finds an order by its waybill number, and does not conclude from a failed search that there is no order', async () => {
  const bench = await openFezBench()
  const request = await createRequest(bench)
  const sought = { request, requestedAt: request.pickupAt }
  const find = () => bench.carrier.find?.(bench.account, sought, bench.patience())
  expect(await find()).toMatchObject({ is: 'refused', code: 'not_found' })
  await bench.carrier.create(bench.account, request, bench.patience())
  expect(await find()).toMatchObject({ is: 'ok', value: { is: 'found', order: { carrierReference: 'JHAZ27012310' } } })
  bench.fail('find', { isAccepted: false, answer: [200, { status: 'Success', orders: { data: [{ orderNo: 'X' }] } }] })
  expect(await find()).toMatchObject({ is: 'unknown' })
})

test('the Fez adapter deletes an order by its number', async () => {
  const bench = await openFezBench()
  const order = await placeOrder(bench)
  const outcome = await bench.carrier.cancel(bench.account, order, 'other', bench.patience())
  expect(okay(outcome)).toEqual({ is: 'cancelled', feeKobo: undefined, refundKobo: undefined })
  expect(bench.server.requests.at(-1)).toMatchObject({ line: 'DELETE /v1/order', body: { orderNo: 'JHAZ27012310' } })
})

const gone = { status: 'Error', description: 'Order not found' }

test.each([
  404, 400, 200,
])('if Fez responds to a cancellation with %i “Order not found” but still tracks the order, the cancellation counts as rejected', async (status) => {
  const bench = await openFezBench()
  const order = await placeOrder(bench)
  bench.fail('cancel', { isAccepted: false, answer: [status, gone] })
  const outcome = await bench.carrier.cancel(bench.account, order, 'other', bench.patience())
  expect(outcome).toMatchObject({ is: 'refused', code: 'not_cancellable' })
  expect(bench.server.requests.at(-1)?.line).toBe('GET /v1/order/track/JHAZ27012310')
})

test.each([
  404, 400, 200,
])('the Fez adapter reports an order as not found when its cancellation returns %i “Order not found” and Fez no longer tracks the order', async (status) => {
  const bench = await openFezBench()
  const order = await placeOrder(bench)
  const cancel = () => bench.carrier.cancel(bench.account, order, 'other', bench.patience())
  await cancel()
  bench.fail('cancel', { isAccepted: false, answer: [status, gone] })
  expect(await cancel()).toMatchObject({ is: 'refused', code: 'not_found' })
})

test('the Fez adapter does not conclude that an order is missing while Fez’s tracking does not respond', async () => {
  const bench = await openFezBench()
  const order = await placeOrder(bench)
  bench.fail('cancel', { isAccepted: false, answer: [404, gone] })
  bench.fail('get', { isAccepted: false, answer: [502, '<html>Bad gateway</html>'] })
  const outcome = await bench.carrier.cancel(bench.account, order, 'other', bench.patience())
  expect(outcome).toMatchObject({ is: 'unknown', cause: 'server_error' })
})

test('the Fez adapter sends an order with all its data as an array with one element, and a repeated request contains the same data', async () => {
  const bench = await openFezBench()
  const request = await createRequest(bench, { pin: '4821' })
  expect(okay(await bench.carrier.create(bench.account, request, bench.patience()))).toMatchObject({
    carrierReference: 'JHAZ27012310',
    priceKobo: undefined,
  })
  expect(bench.server.requests.at(-1)?.body).toEqual([
    {
      recipientAddress: '12 Admiralty Way, Flat 4B, near Ebeano Supermarket, Lekki Phase 1, Eti-Osa, Lagos, Nigeria',
      recipientState: 'Lagos',
      recipientName: 'Adaeze Okafor',
      recipientPhone: '08029876543',
      recipientEmail: 'adaeze.okafor@example.com',
      uniqueID: reference,
      waybillNumber: reference,
      BatchID: reference,
      CustToken: '4821',
      itemDescription: 'Ankara maxi dress',
      additionalDetails: 'Opposite Ebeano Supermarket. Call when you are at the gate',
      valueOfItem: 32_500,
      weight: 1,
      pickUpState: 'Lagos',
      pickUpAddress: '7 Adeola Odeku Street, Victoria Island, Eti-Osa, Lagos, Nigeria',
      thirdparty: 'true',
      senderName: 'Ankara House',
      senderAddress: '7 Adeola Odeku Street, Victoria Island, Eti-Osa, Lagos, Nigeria',
      senderPhone: '08031234567',
    },
  ])
})

test.each([
  200, 400, 409, 500,
])('the Fez adapter returns the existing order when Fez reports a repeated order request as a duplicate with status %i', async (duplicateStatus) => {
  const bench = await openFezBench()
  Object.assign(bench.server.day, { duplicateStatus })
  const request = await createRequest(bench)
  const create = () => bench.carrier.create(bench.account, request, bench.patience())
  const first = okay(await create())
  expect(okay(await create())).toEqual(first)
  expect(bench.accepted()).toEqual([first.carrierReference])
})

test.each([
  { 'another-reference': 'JHAZ1' },
  { [reference]: null },
  { [reference]: {} },
  [],
  [reference],
])('the Fez adapter ignores a report of a duplicate order that names no order for the service’s reference: %j', async (duplicateUniqueIds) => {
  const bench = await openFezBench()
  const body = { status: 'Error', description: 'Duplicate', duplicateUniqueIds }
  bench.fail('create', { isAccepted: false, answer: [400, body] })
  const outcome = await bench.carrier.create(bench.account, await createRequest(bench), bench.patience())
  expect(outcome).toMatchObject({ is: 'invalid', message: 'Duplicate' })
})

test('when Fez rejects a repeated order request, the Fez adapter does not conclude that Fez also rejected the first request', async () => {
  const bench = await openFezBench()
  const request = await createRequest(bench)
  bench.fail('create', { isAccepted: true, answer: 'breaks_off' })
  const create = () => bench.carrier.create(bench.account, request, bench.patience())
  expect(await create()).toMatchObject({ is: 'unknown', cause: 'reset' })
  Object.assign(bench.server.day, { isWalletEmpty: true })
  expect(await create()).toMatchObject({ is: 'refused', code: 'wallet_insufficient' })
  expect(bench.accepted()).toHaveLength(1)
})

test('the Fez adapter shares one login among all requests, even concurrent ones, until its token expires', async () => {
  const clock = stoppedClock(systemClock.nowMs())
  const bench = await openFezBench(clock)
  Object.assign(bench.server.day, { expireToken: lagosText(clock.nowMs() + 600_000) })
  await Promise.all([offersFrom(bench), offersFrom(bench), offersFrom(bench)])
  expect(bench.server.asked('login')).toBe(1)
  // A login token must stay valid until the request that uses it has ended. Therefore the adapter renews the token
  // before it expires.
  clock.advance(530_000)
  await offersFrom(bench)
  expect(bench.server.asked('login')).toBe(1)
  clock.advance(11_000)
  await offersFrom(bench)
  expect(bench.server.asked('login')).toBe(2)
})

describe('a Fez login in progress', () => {
  async function entering() {
    const bench = await openFezBench()
    const request = await createRequest(bench)
    bench.server.endTokens()
    bench.server.fail('login', { isAccepted: true, answer: 'later' })
    const early = new AbortController()
    const quoted = bench.carrier.quote(bench.account, quoteRequest(), early.signal)
    await waitFor(() => expect(bench.server.asked('login')).toBe(2))
    const late = AbortSignal.timeout(120_000)
    return { bench, request, early, quoted, late }
  }

  test('each caller waits for a Fez login in progress until the caller’s own deadline, and no caller cancels the login', async () => {
    const { bench, request, early, quoted, late } = await entering()
    const created = bench.carrier.create(bench.account, request, late)
    early.abort()
    expect(await quoted).toMatchObject({ is: 'unavailable' })
    await bench.server.release()
    expect(await created).toMatchObject({ is: 'ok' })
    expect(bench.server.asked('login')).toBe(2)
  })

  test('a Fez login in progress does not delay a caller beyond the caller’s own deadline', async () => {
    const { bench, early, quoted, late } = await entering()
    const joined = bench.carrier.quote(bench.account, quoteRequest(), AbortSignal.timeout(50))
    expect(await joined).toMatchObject({ is: 'unavailable' })
    expect(early.signal.aborted || late.aborted).toBe(false)
    await bench.server.release()
    expect(await quoted).toMatchObject({ is: 'ok' })
  })

  test('when a shared Fez login times out, a new login starts for the callers that still wait', async () => {
    const bench = await openFezBench()
    const ask = openFezCaller(openCaller(openSend(), bench.server.url), systemClock, 400)
    bench.server.fail('login', { isAccepted: true, answer: 'never' })
    const cost = { method: 'POST', path: '/order/cost', body: { state: 'Lagos', pickUpState: 'Lagos' } } as const
    const asked = () => ask(bench.account, cost, AbortSignal.timeout(120_000))
    expect(await Promise.all([asked(), asked(), asked()])).toMatchObject([
      { is: 'unavailable' },
      { is: 'answered' },
      { is: 'answered' },
    ])
    expect(bench.server.asked('login')).toBe(2)
  })
})

test('the Fez adapter reuses a login token with an unreadable expiry for ten minutes', async () => {
  const clock = stoppedClock(systemClock.nowMs())
  const bench = await openFezBench(clock)
  Object.assign(bench.server.day, { expireToken: 'not a date' })
  await offersFrom(bench)
  await offersFrom(bench)
  expect(bench.server.asked('login')).toBe(1)
  clock.advance(600_001)
  await offersFrom(bench)
  expect(bench.server.asked('login')).toBe(2)
})

test('after a login token expired early, the Fez adapter logs in again and repeats the order request, and Fez creates only one order', async () => {
  const bench = await openFezBench()
  const request = await createRequest(bench)
  bench.server.endTokens()
  expect(okay(await bench.carrier.create(bench.account, request, bench.patience()))).toMatchObject({
    carrierReference: bench.accepted()[0],
  })
  expect(bench.accepted()).toHaveLength(1)
  expect([bench.server.asked('login'), bench.server.asked('create')]).toEqual([2, 2])
})

test.each([
  [409, { status: 'Error', description: 'Conflict' }, true],
  [502, '<html>Bad gateway</html>', undefined],
] as const)('the Fez adapter returns unavailable after the login response %i, and only a status other than 4xx is counted as a failure of Fez', async (status, body, isNeutral) => {
  const bench = await openFezBench()
  bench.server.fail('login', { isAccepted: false, answer: [status, body] })
  const outcome = await bench.carrier.get(bench.account, { carrierReference: 'J1', reference }, bench.patience())
  expect(outcome).toMatchObject({ is: 'unavailable' })
  expect(Reflect.get(outcome, 'isNeutral')).toBe(isNeutral)
})

test('the Fez adapter does not use the login token of one account for another account', async () => {
  const bench = await openFezBench()
  await offersFrom(bench)
  const stranger = { credentials: { ...bench.account.credentials, password: 'another' } }
  const outcome = await bench.carrier.quote(stranger, quoteRequest(), bench.patience())
  expect(outcome).toMatchObject({ is: 'refused', code: 'account_blocked' })
  expect(bench.server.asked('cost')).toBe(1)
})

test('the Fez adapter reads the time of a status as Lagos time, and maps the assignment of a rider after the pickup to in_transit', async () => {
  const bench = await openFezBench()
  const order = await placeOrder(bench)
  const get = async () => okay(await bench.carrier.get(bench.account, order, bench.patience()))
  bench.server.move('Assigned To A Rider', '2026-11-21 09:00:00')
  expect(await get()).toMatchObject({ status: 'courier_assigned', at: '2026-11-21T08:00:00.000Z' })
  bench.server.move('Picked-Up', '2026-11-21 10:00:00')
  bench.server.move('Assigned To A Rider', '2026-11-21 15:30:00')
  expect(await get()).toMatchObject({ status: 'in_transit', at: '2026-11-21T14:30:00.000Z' })
  bench.server.move('Abducted')
  expect(await get()).toMatchObject({ status: undefined, carrierStatus: 'Abducted' })
})

test('the Fez adapter does not trust an unsigned callback, trusts a validly signed callback and rejects an invalid signature', async () => {
  const bench = await openFezBench()
  const { carrier, account, server } = bench
  const { carrierReference } = await placeOrder(bench)
  expect(carrier.readCallback(account, server.callback('Delivered'))).toEqual({
    is: 'hint',
    orders: [{ carrierReference }],
  })
  const signed = server.signedCallback('Delivered', '1763713500')
  expect(carrier.readCallback(account, signed)).toMatchObject({
    is: 'trusted',
    events: [{ order: { carrierReference }, tracking: { status: 'delivered', carrierStatus: 'Delivered' } }],
  })
  const later = { ...signed, headers: { ...signed.headers, 'x-fez-timestamp': '1763713501' } }
  expect(carrier.readCallback(account, later)).toEqual({ is: 'rejected' })
  const { secretKey: _, ...credentials } = account.credentials
  expect(carrier.readCallback({ credentials }, signed).is).toBe('hint')
})
