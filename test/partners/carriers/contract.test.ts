import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toKobo } from '../../../src/commerce/money.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import type { CreateRequest } from '../../../src/partners/carriers/carrier.ts'
import { openChowdeck } from '../../../src/partners/carriers/chowdeck.ts'
import { openFez } from '../../../src/partners/carriers/fez.ts'
import { openShipbubble } from '../../../src/partners/carriers/shipbubble.ts'
import { portOf } from '../../webhooks/receiver.ts'
import {
  type Bench,
  benches,
  callOnce,
  createRequest,
  look,
  offersFrom,
  okay,
  openSend,
  placeOrder,
  quoteRequest,
  reference,
} from './benches.ts'
import { commonDoubts, commonRefusals } from './documented-errors.ts'

describe.each(benches)('the adapter contract for %s', (_, open: () => Promise<Bench>) => {
  test('a carrier adapter offers prices in whole kobo with price lines that add up', async () => {
    const offers = await offersFrom(await open())
    expect(offers.length).toBeGreaterThan(0)
    for (const { priceKobo, breakdown, service, token } of offers) {
      expect(Number.isSafeInteger(priceKobo)).toBe(true)
      expect(breakdown.reduce((sum, { amountKobo }) => sum + amountKobo, 0)).toBe(priceKobo)
      expect([service, token]).not.toContain('')
    }
  })

  test('a carrier adapter offers only service levels that its carrier has', async () => {
    const bench = await open()
    const levels = bench.carrier.capabilities.serviceLevels
    const offers = await offersFrom(bench)
    expect(offers.every(({ serviceLevel }) => levels.includes(serviceLevel))).toBe(true)
    expect(await offersFrom(bench, quoteRequest({ serviceLevels: [] }))).toEqual([])
  })

  test('a carrier adapter creates an order, tracks it, and reports its pickup', async () => {
    const bench = await open()
    const { carrier, account } = bench
    const order = await placeOrder(bench)
    expect(bench.accepted()).toEqual([order.carrierReference])
    expect(okay(await carrier.get(account, order, bench.patience()))).toMatchObject({ status: 'awaiting_courier' })
    bench.pickUp()
    expect(okay(await carrier.get(account, order, bench.patience()))).toMatchObject({ status: 'picked_up' })
  })

  test.each(
    commonRefusals,
  )('a carrier adapter treats the carrier’s response %s as proof that no order was created', async (_when, fault, ends) => {
    const bench = await open()
    const outcome = await callOnce(bench, {
      call: 'create',
      arrange: () => bench.fail('create', fault),
    })
    expect(outcome).toMatchObject(ends)
    expect(bench.accepted()).toEqual([])
  })

  describe.each([true, false])('an order request (accepted by the carrier: %s)', (isAccepted) => {
    test.each(
      commonDoubts,
    )('after %s, the outcome of an order request is unknown, and a search at the carrier shows whether the carrier has the order', async (_when, answer, cause) => {
      const bench = await open()
      const { carrier, account } = bench
      const request = await createRequest(bench)
      bench.fail('create', { isAccepted, answer })
      const outcome = await carrier.create(account, request, bench.patience())
      expect(outcome).toMatchObject({ is: 'unknown', cause })
      expect(bench.accepted()).toHaveLength(isAccepted ? 1 : 0)
      const seen = okay(await look(bench, request))
      if (isAccepted) expect(seen).toMatchObject({ is: 'found', order: { carrierReference: bench.accepted()[0] } })
      else expect(seen.is).toBe(carrier.capabilities.lookup === 'none' ? 'found' : 'absent')
      // At some carriers, a lookup repeats the create request. At such a carrier, the lookup creates the order if the
      // carrier had not accepted it before.
      expect(bench.accepted()).toHaveLength(isAccepted || carrier.capabilities.lookup === 'none' ? 1 : 0)
    })
  })

  test('after the create request has timed out, a carrier adapter finds an order that the carrier accepted late', async () => {
    const bench = await open()
    const { carrier, account } = bench
    const request = await createRequest(bench)
    bench.fail('create', { isAccepted: true, answer: 'later' })
    const outcome = await carrier.create(account, request, bench.patience())
    expect(outcome).toMatchObject({ is: 'unknown', cause: 'timeout' })
    if (carrier.capabilities.lookup !== 'none') expect(okay(await look(bench, request))).toEqual({ is: 'absent' })
    await bench.release()
    expect(okay(await look(bench, request))).toMatchObject({
      is: 'found',
      order: { carrierReference: bench.accepted()[0] },
    })
    expect(bench.accepted()).toHaveLength(1)
  })

  test.each([
    'quote',
    'get',
  ] as const)('a carrier adapter treats an inconclusive response to %s as an unknown outcome and not as a rejection', async (call) => {
    for (const [, answer] of commonDoubts) {
      const bench = await open()
      const outcome = await callOnce(bench, {
        call,
        // The fake server applies the fault twice, because the HTTP client repeats an idempotent request that fails on
        // a reused connection.
        arrange: () => bench.fail(call, { isAccepted: true, answer }, { isAccepted: true, answer }),
      })
      expect(outcome, JSON.stringify(answer)).toMatchObject({ is: 'unknown' })
    }
  })

  test('a carrier adapter repeats a quote request that fails on a reused connection', async () => {
    const bench = await open()
    await offersFrom(bench)
    bench.fail('quote', { isAccepted: false, answer: 'breaks_off' })
    expect((await offersFrom(bench)).length).toBeGreaterThan(0)
  })

  test('a carrier adapter returns the outcome `unknown` after an inconclusive order search', async () => {
    if ((await open()).carrier.capabilities.lookup === 'none') return
    for (const [, answer] of commonDoubts) {
      const bench = await open()
      const outcome = await callOnce(bench, {
        call: 'find',
        arrange: () => bench.fail('find', { isAccepted: true, answer }, { isAccepted: true, answer }),
      })
      expect(outcome, JSON.stringify(answer)).toMatchObject({ is: 'unknown' })
    }
  })

  test('a carrier adapter cancels an order before the pickup if the carrier supports cancellation, and never after the pickup', async () => {
    const bench = await open()
    const { carrier, account } = bench
    const order = await placeOrder(bench)
    const before = await carrier.cancel(account, order, 'customer_request', bench.patience())
    if (carrier.capabilities.cancelUntil === undefined) {
      expect(before).toMatchObject({ is: 'refused', code: 'not_cancellable' })
    } else {
      expect(before).toMatchObject({ is: 'ok', value: { is: 'cancelled' } })
      // The carrier does not document the state of a deleted order, so the test does not check it.
      if (carrier.capabilities.isCancelUnverified !== true) {
        expect(okay(await carrier.get(account, order, bench.patience()))).toMatchObject({ status: 'cancelled' })
      }
      expect(bench.held()).toEqual([])
    }
    const second = await open()
    const carried = await placeOrder(second)
    second.pickUp()
    const after = await second.carrier.cancel(second.account, carried, 'customer_request', second.patience())
    expect(after).toMatchObject({ is: 'refused', code: 'not_cancellable' })
    expect(okay(await second.carrier.get(second.account, carried, second.patience()))).toMatchObject({
      status: 'picked_up',
    })
  })

  test('a carrier adapter trusts a callback only if its carrier signs callbacks, and reads a repeated callback with the same result', async () => {
    const bench = await open()
    const { carrier, account } = bench
    const order = await placeOrder(bench)
    bench.pickUp()
    const reading = carrier.readCallback(account, bench.callback())
    expect(carrier.readCallback(account, bench.callback())).toEqual(reading)
    const named = { carrierReference: order.carrierReference }
    if (carrier.capabilities.callbacks === 'hints') expect(reading).toEqual({ is: 'hint', orders: [named] })
    else {
      expect(reading).toMatchObject({
        is: 'trusted',
        events: [
          { order: named, tracking: { status: 'picked_up' }, dedupeKey: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ],
      })
    }
  })

  test('if a carrier signs its callbacks, the carrier adapter rejects a callback that is altered, unsigned or signed wrongly', async () => {
    const bench = await open()
    const { carrier, account } = bench
    await placeOrder(bench)
    const { body, headers } = bench.callback()
    const signatures = ['', 'x', '00', 'ab'.repeat(32), 'ab'.repeat(64), undefined]
    const forged = signatures.map((signature) => ({
      body,
      headers: Object.fromEntries(Object.keys(headers).map((name) => [name, signature])),
    }))
    const changed = { body: Buffer.from(`${Buffer.from(body).toString()} `), headers }
    const trailing = { body, headers: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, `${v}zz`])) }
    const expected = carrier.capabilities.callbacks === 'hints' ? 'hint' : 'rejected'
    for (const callback of [...forged, changed, trailing]) {
      expect(carrier.readCallback(account, callback).is).toBe(expected)
    }
  })

  test.each([
    '',
    'null',
    '[]',
    '{',
    '{"event":7}',
    '{"orderNumber":{}}',
    '\u0000',
  ])('a carrier adapter throws no exception for a callback with the body %j', async (text) => {
    const { carrier, account } = await open()
    const reading = carrier.readCallback(account, { body: Buffer.from(text), headers: {} })
    expect(['rejected', 'hint']).toContain(reading.is)
    if (reading.is === 'hint') expect(reading.orders).toEqual([])
  })

  test('a carrier adapter sends its credentials in headers and bodies only, never in a path or a query', async () => {
    const bench = await open()
    await placeOrder(bench)
    const { server } = bench
    const lines = typeof server === 'object' && server !== null && 'requests' in server ? server.requests : []
    const paths = Array.isArray(lines) ? lines.map(({ path, query }) => `${path}?${query}`) : []
    expect(paths.length).toBeGreaterThan(1)
    for (const secret of Object.values(bench.account.credentials)) {
      expect(paths.filter((path) => path.includes(encodeURIComponent(secret)))).toEqual([])
    }
  })

  test('a carrier adapter sends no request after the deadline has passed', async () => {
    const bench = await open()
    const { carrier, account } = bench
    const request = await createRequest(bench)
    expect(await carrier.create(account, request, AbortSignal.abort())).toMatchObject({ is: 'unavailable' })
    expect(bench.accepted()).toEqual([])
  })

  test('a carrier adapter rejects an order without a contact', async () => {
    const bench = await open()
    const request = await createRequest(bench)
    const dropoff = { ...request.dropoff, phone: null }
    const outcome = await bench.carrier.create(bench.account, { ...request, dropoff }, bench.patience())
    expect(outcome).toMatchObject({ is: 'invalid' })
    expect(bench.accepted()).toEqual([])
  })
})

/** A request to create an order for which no quote was requested. */
const unquoted: CreateRequest = {
  ...quoteRequest(),
  reference,
  offer: {
    // The offer token that Shipbubble requires. The other carriers accept any text.
    token: '{"requestToken":"t","serviceCode":"s","courierId":"c","people":""}',
    service: 'any',
    serviceLevel: 'same_day',
    vehicle: 'bike',
    priceKobo: toKobo(200_000),
    breakdown: [],
    pickupMinutes: undefined,
    dropoffMinutes: undefined,
    expiresAt: undefined,
  },
  undeliverable: 'return',
  pin: undefined,
}

describe.each([
  ['chowdeck', openChowdeck],
  ['fez', openFez],
  ['shipbubble', openShipbubble],
] as const)('connection failures of %s', (_, open) => {
  const account = { credentials: { apiKey: 'key-000000', userId: 'u', password: 'p', email: 'shop@example.com' } }

  async function outcomesAt(root: string, send = openSend()) {
    const carrier = open(send, root)
    const { signal } = new AbortController()
    return [
      await carrier.quote(account, quoteRequest(), signal),
      await carrier.create(account, unquoted, signal),
      await carrier.get(account, { carrierReference: 'x', reference }, signal),
    ]
  }

  const nothingBegun = [{ is: 'unavailable' }, { is: 'unavailable' }, { is: 'unavailable' }]

  test('a carrier adapter reports unavailable when the connection is refused', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const root = `http://127.0.0.1:${portOf(server.address())}`
    await new Promise((resolve) => server.close(resolve))
    expect(await outcomesAt(root)).toMatchObject(nothingBegun)
  })

  test('a carrier adapter reports unavailable when the server has no TLS', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('no TLS'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const root = `https://127.0.0.1:${portOf(server.address())}`
    expect(await outcomesAt(root)).toMatchObject(nothingBegun)
  })

  test('a carrier adapter reports unavailable when the host name does not resolve', async () => {
    const outbound = openSafeFetch({ allowsLoopback: true }, { lookup: async () => [] })
    onTestFinished(() => outbound.close())
    expect(await outcomesAt('https://carrier.example', outbound.fetch)).toMatchObject(nothingBegun)
  })
})
