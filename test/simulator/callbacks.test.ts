import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { callbackPhonePrefix, dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import type { Carrier, CarrierEvent } from '../../src/partners/carriers/carrier.ts'
import { useDatabase } from '../support/database.ts'
import { portOf } from '../webhooks/receiver.ts'
import { granted, noAccount, openSimulated, ordered, patient, wish } from './simulated.ts'

const opened = useDatabase()

interface Call {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | undefined>>
}

/**
 * Starts a receiver of carrier callbacks. The receiver stores each callback, and responds with the status that the test
 * has set.
 */
async function openListener() {
  const listener = { url: '', calls: [] as Call[], status: 200, onCall: async () => {} }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part))
    listener.calls.push({ body: Buffer.concat(parts), headers: single(request.headers) })
    await listener.onCall()
    response.writeHead(listener.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  listener.url = `http://127.0.0.1:${portOf(server.address())}/callbacks`
  return listener
}

function single(headers: IncomingHttpHeaders): Call['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

async function open(options: Parameters<typeof openSimulated>[1] = {}) {
  const listener = await openListener()
  const account = { credentials: { callbackUrl: listener.url, callbackSecret: 'a secret of the account' } }
  return { listener, account, ...(await openSimulated(opened().connectionString, options)) }
}

const stepMs = 30_000

async function eventsOf(
  carrier: Carrier,
  { listener, account }: Pick<Awaited<ReturnType<typeof open>>, 'listener' | 'account'>,
) {
  const readings = listener.calls.map((call) => carrier.readCallback(account, call))
  return readings.flatMap((reading): readonly CarrierEvent[] => (reading.is === 'trusted' ? reading.events : []))
}

const usual = [
  'awaiting_courier',
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
  'delivered',
]

test('a simulated carrier sends one signed callback per delivery step, when the step occurs', async () => {
  const simulated = await open()
  const { carriers, simulator, clock, account, listener } = simulated
  const name = await ordered(carriers['simulator-swift'], wish(), account)
  const counts = []
  for (let step = 0; step <= 7; step++) {
    await simulator.tick()
    await simulator.tick()
    counts.push(listener.calls.length)
    clock.advance(stepMs)
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 5, 6, 7])
  const events = await eventsOf(carriers['simulator-swift'], simulated)
  expect(events.map(({ tracking }) => tracking.status)).toEqual(usual)
  expect(events.every(({ order }) => order.reference === name.reference)).toBe(true)
  expect(events[1]?.tracking.courier?.name).toBeTruthy()
  expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(7)
})

test('a simulated carrier sends overdue callbacks in order, each with the data of the delivery step that the callback reports', async () => {
  const simulated = await open()
  await ordered(simulated.carriers['simulator-swift'], wish(), simulated.account)
  simulated.clock.advance(24 * 3_600_000)
  await simulated.simulator.tick()
  const events = await eventsOf(simulated.carriers['simulator-swift'], simulated)
  expect(events.map(({ tracking }) => tracking.status)).toEqual(usual)
  expect(events[4]?.tracking.position).toBeDefined()
})

test('a simulated carrier sends nothing for an order without a callback URL', async () => {
  const { carriers, simulator, database, listener } = await open()
  const { reference } = await ordered(carriers['simulator-swift'])
  await simulator.tick()
  expect(listener.calls).toEqual([])
  const { rows } = await database.pool.query('select next_callback_at from simulated_orders where reference = $1', [
    reference,
  ])
  expect(rows).toEqual([{ next_callback_at: null }])
})

test('the simulated carrier Steady sends unsigned callbacks, which its adapter does not trust', async () => {
  const { carriers, simulator, account, listener } = await open()
  const name = await ordered(carriers['simulator-steady'], wish(), account)
  await simulator.tick()
  const readings = listener.calls.map((call) => carriers['simulator-steady'].readCallback(account, call))
  expect(readings).toEqual([{ is: 'hint', orders: [name] }])
  expect(listener.calls[0]?.headers['simulator-signature']).toBeUndefined()
})

test('a simulated carrier retries a callback until it is delivered, with increasing delays', async () => {
  const { carriers, simulator, account, listener, clock } = await open()
  listener.status = 503
  await ordered(carriers['simulator-swift'], wish({ recipientPhone: `${dispatchPhonePrefix}700` }), account)
  const counts = []
  for (const pauseMs of [0, 9_999, 1, 19_999, 1]) {
    clock.advance(pauseMs)
    await simulator.tick()
    counts.push(listener.calls.length)
  }
  expect(counts).toEqual([1, 1, 2, 2, 3])
  listener.status = 204
  clock.advance(40_000)
  await simulator.tick()
  clock.advance(3_600_000)
  await simulator.tick()
  expect(listener.calls).toHaveLength(4)
  expect(new Set(listener.calls.map(({ body }) => body.toString())).size).toBe(1)
})

test('a simulated carrier abandons a callback after five failed attempts, and then sends the callback of the next delivery step', async () => {
  const { carriers, simulator, account, listener, clock } = await open()
  listener.status = 500
  await ordered(carriers['simulator-saver'], wish(), account)
  for (let tries = 0; tries < 5; tries++) {
    await simulator.tick()
    clock.advance(80_000)
  }
  expect(listener.calls.map(({ body }) => JSON.parse(body.toString()).order.status)).toEqual([
    ...Array.from({ length: 5 }, () => 'accepted'),
    'rider_found',
  ])
})

test('a simulated carrier sends the callback of a cancellation at once', async () => {
  const simulated = await open()
  const { carriers, simulator, account } = simulated
  const carrier = carriers['simulator-swift']
  const name = await ordered(carrier, wish({ recipientPhone: `${dispatchPhonePrefix}700` }), account)
  await simulator.tick()
  granted(await carrier.cancel(account, name, 'too_slow', patient()))
  await simulator.tick()
  const events = await eventsOf(carrier, simulated)
  expect(events.map(({ tracking }) => tracking.status)).toEqual(['awaiting_courier', 'cancelled'])
})

test('if an order is cancelled while a simulated carrier sends a callback, the carrier also sends the callback of the cancellation', async () => {
  const simulated = await open()
  const { carriers, simulator, account, listener } = simulated
  const carrier = carriers['simulator-swift']
  const name = await ordered(carrier, wish({ recipientPhone: `${dispatchPhonePrefix}700` }), account)
  listener.onCall = async () => {
    listener.onCall = async () => {}
    granted(await carrier.cancel(account, name, 'too_slow', patient()))
  }
  await simulator.tick()
  await simulator.tick()
  const events = await eventsOf(carrier, simulated)
  expect(events.map(({ tracking }) => tracking.status)).toEqual(['awaiting_courier', 'cancelled'])
})

test('if another process has claimed an order, a simulated carrier skips the order and sends the order’s callbacks in a later run', async () => {
  const { carriers, simulator, account, listener, database } = await open()
  await ordered(carriers['simulator-swift'], wish(), account)
  const other = await database.pool.connect()
  await other.query('begin; select 1 from simulated_orders for update')
  await simulator.tick()
  expect(listener.calls).toEqual([])
  await other.query('rollback')
  other.release()
  await simulator.tick()
  expect(listener.calls).toHaveLength(1)
})

test('if the sender’s phone number selects swapped callbacks, a simulated carrier sends the second callback of each pair before the first', async () => {
  const simulated = await open()
  await ordered(
    simulated.carriers['simulator-swift'],
    wish({ senderPhone: `${callbackPhonePrefix}100` }),
    simulated.account,
  )
  for (let step = 0; step <= 7; step++) {
    await simulated.simulator.tick()
    simulated.clock.advance(stepMs)
  }
  const events = await eventsOf(simulated.carriers['simulator-swift'], simulated)
  expect(events.map(({ tracking }) => tracking.status)).toEqual([1, 0, 3, 2, 5, 4, 6].map((index) => usual[index]))
})

test('a simulated carrier that swaps callbacks sends the callback of an order’s cancellation before the callback of its acceptance', async () => {
  const simulated = await open({ callbackDigits: '100' })
  const carrier = simulated.carriers['simulator-swift']
  const name = await ordered(carrier, wish({ recipientPhone: `${dispatchPhonePrefix}700` }), simulated.account)
  await simulated.simulator.tick()
  expect(simulated.listener.calls).toEqual([])
  granted(await carrier.cancel(simulated.account, name, 'other', patient()))
  await simulated.simulator.tick()
  const events = await eventsOf(carrier, simulated)
  expect(events.map(({ tracking }) => tracking.status)).toEqual(['cancelled', 'awaiting_courier'])
})

test('the sender’s phone number can make a simulated carrier send each callback twice with the same bytes', async () => {
  const simulated = await open()
  await ordered(
    simulated.carriers['simulator-saver'],
    wish({ senderPhone: `${callbackPhonePrefix}010` }),
    simulated.account,
  )
  await simulated.simulator.tick()
  const events = await eventsOf(simulated.carriers['simulator-saver'], simulated)
  expect(events).toHaveLength(2)
  expect(events[1]?.dedupeKey).toBe(events[0]?.dedupeKey)
})

test.for([
  ['001', undefined],
  ['002', /^[0-9a-f]{64}$/],
] as const)('if the sender’s phone number ends in %s, the signature of a simulated carrier’s callbacks is missing or wrong', async ([
  digits,
  signature,
]) => {
  const { carriers, simulator, account, listener } = await open()
  const carrier = carriers['simulator-swift']
  await ordered(carrier, wish({ senderPhone: callbackPhonePrefix + digits }), account)
  await simulator.tick()
  const [call] = listener.calls
  if (call === undefined) throw new Error('The callback is missing.')
  if (signature === undefined) expect(call.headers['simulator-signature']).toBeUndefined()
  else expect(call.headers['simulator-signature']).toMatch(signature)
  expect(carrier.readCallback(account, call)).toEqual({ is: 'rejected' })
})

test('a simulated carrier applies the configured callback fault to an order unless the sender’s phone number is a test number for callbacks', async () => {
  const { carriers, simulator, account, listener } = await open({ callbackDigits: '011' })
  await ordered(carriers['simulator-swift'], wish(), account)
  await simulator.tick()
  expect(listener.calls.map(({ headers }) => headers['simulator-signature'])).toEqual([undefined, undefined])
  await ordered(carriers['simulator-swift'], wish({ senderPhone: `${callbackPhonePrefix}000` }), account)
  await simulator.tick()
  expect(listener.calls).toHaveLength(3)
  expect(listener.calls[2]?.headers['simulator-signature']).toBeDefined()
})

test('a simulated carrier’s adapter rejects a callback that is altered, signed for another account, or without a configured secret', async () => {
  const { carriers, simulator, account, listener } = await open()
  const carrier = carriers['simulator-swift']
  await ordered(carrier, wish(), account)
  await simulator.tick()
  const [call] = listener.calls
  if (call === undefined) throw new Error('The callback is missing.')
  expect(carrier.readCallback(account, call).is).toBe('trusted')
  const altered = Buffer.from(call.body.toString().replace('accepted', 'handed_over'))
  expect(carrier.readCallback(account, { ...call, body: altered })).toEqual({ is: 'rejected' })
  const stranger = { credentials: { callbackSecret: 'another' } }
  expect(carrier.readCallback(stranger, call)).toEqual({ is: 'rejected' })
  expect(carrier.readCallback(noAccount, call)).toEqual({ is: 'rejected' })
  expect(carriers['simulator-saver'].readCallback(account, call)).toEqual({ is: 'trusted', events: [] })
})

test.for([
  '',
  'null',
  '{',
  '{"company":"simulator-steady"}',
  '\u0000',
])('a simulated carrier’s adapter reads no event from the invalid callback %j', async (text) => {
  const { carriers, account } = await open()
  const call = { body: Buffer.from(text), headers: { 'simulator-signature': 'zz' } }
  expect(carriers['simulator-swift'].readCallback(account, call)).toEqual({ is: 'rejected' })
  expect(carriers['simulator-steady'].readCallback(account, call)).toEqual({ is: 'hint', orders: [] })
})

test('two servers that advance the simulation concurrently send each callback of a simulated carrier once', async () => {
  const first = await open()
  const second = await openSimulated(opened().connectionString, { clock: first.clock })
  for (let count = 0; count < 12; count++) await ordered(first.carriers['simulator-swift'], wish(), first.account)
  first.clock.advance(stepMs)
  await Promise.all([first.simulator.tick(), second.simulator.tick(), first.simulator.tick(), second.simulator.tick()])
  const events = await eventsOf(first.carriers['simulator-swift'], first)
  expect(events).toHaveLength(24)
  expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(24)
})
