import { expect, test } from 'vitest'
import { dropoffExample, pickupExample } from '../../registry/logistics/place.ts'
import type { OutboundRequest } from '../../src/outbound/safe-fetch.ts'
import { useDatabase } from '../support/database.ts'
import { morningMs, newReference, openSimulated } from './simulated.ts'

const opened = useDatabase()

/** Sends requests directly to the server of the simulated carriers, without the service's carrier adapter. */
async function open() {
  const { simulator, send } = await openSimulated(opened().connectionString)
  const ask = async (method: OutboundRequest['method'], path: string, body?: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const outcome = await send({
      url: simulator.url + path,
      method,
      headers: {},
      ...(body === undefined ? {} : { body: text }),
    })
    if (outcome.is !== 'answered') throw new Error(`No response: ${outcome.errorCode}`)
    return { status: outcome.status, body: JSON.parse(outcome.body) }
  }
  return { ask }
}

const stop = ({ name, line1, phone, location, state }: typeof pickupExample | typeof dropoffExample) => ({
  name,
  line1,
  phone,
  location,
  state,
})

const order = () => ({
  reference: newReference(),
  offer: `now.${morningMs}`,
  pickup: stop(pickupExample),
  dropoff: stop(dropoffExample),
  weightGrams: 800,
  vehicle: 'bike',
  pin: null,
  callback: null,
})

test('the simulator’s HTTP API creates, reads and cancels an order as its API contract states', async () => {
  const { ask } = await open()
  const sent = order()
  const created = await ask('POST', '/simulator-swift/orders', sent)
  expect(created).toMatchObject({
    status: 201,
    body: { reference: sent.reference, status: 'accepted', service: 'now' },
  })
  const path = `/simulator-swift/orders/${created.body.number}`
  expect(await ask('GET', path)).toEqual({ status: 200, body: created.body })
  expect(await ask('GET', `/simulator-swift/orders?reference=${sent.reference}`)).toEqual({
    status: 200,
    body: { orders: [created.body] },
  })
  expect(await ask('POST', `${path}/cancel`)).toMatchObject({
    status: 200,
    body: { status: 'order_cancelled', cancellationFeeKobo: 0, refundKobo: created.body.priceKobo },
  })
})

test.for([
  ['GET', '/'],
  ['GET', '/simulator-unknown/orders'],
  ['GET', '/simulator-swift'],
  ['GET', '/simulator-swift/quotes'],
  ['DELETE', '/simulator-swift/orders/SW-1'],
  ['POST', '/simulator-swift/orders/SW-1/pay'],
  ['POST', '/simulator-swift/orders/SW-1/cancel/now'],
  ['GET', '//[/'],
] as const)('the simulator’s HTTP API returns not_found for the request %s %s', async ([method, path]) => {
  const { ask } = await open()
  expect(await ask(method, path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test.for([
  ['nothing', undefined],
  ['no JSON', '{"reference":'],
  ['a list', []],
  ['a field too many', { ...order(), tip: 1 }],
  ['an unassigned phone prefix', { ...order(), dropoff: { ...stop(dropoffExample), phone: '+2340000000000' } }],
  ['a location outside Nigeria', { ...order(), dropoff: { ...stop(dropoffExample), location: { lat: -40, lng: 3 } } }],
  ['an unknown state', { ...order(), pickup: { ...stop(pickupExample), state: 'Accra' } }],
  ['no weight', { ...order(), weightGrams: 0 }],
  ['a weight above every carrier’s maximum', { ...order(), weightGrams: 50_001 }],
  ['a reference with a line break', { ...order(), reference: 'shp\n-1' }],
  ['a NUL', { ...order(), reference: 'shp\u0000-1' }],
  ['a callback URL that is not a URL', { ...order(), callback: { url: 'not an address', secret: 's' } }],
  ['a body of 70 kB', { ...order(), pin: 'x'.repeat(70_000) }],
] as const)('the simulator’s HTTP API rejects an order with %s', async ([, body]) => {
  const { ask } = await open()
  expect(await ask('POST', '/simulator-swift/orders', body)).toMatchObject({
    status: 422,
    body: { code: 'invalid_request' },
  })
})

test.for([
  ['simulator-swift', '?since=2026-11-21T08:00:00Z', 405],
  ['simulator-steady', '?reference=shp_0-1', 405],
  ['simulator-saver', '?reference=shp_0-1', 405],
  ['simulator-saver', '?since=2026-11-21T08:00:00Z', 405],
  ['simulator-steady', '', 422],
  ['simulator-steady', '?since=yesterday', 422],
  ['simulator-steady', '?since=2026-11-21T08:00:00Z&reference=shp_0-1', 422],
] as const)('the simulator’s HTTP API responds to the request %s/orders%s with the status %i', async ([
  company,
  query,
  status,
]) => {
  const { ask } = await open()
  expect((await ask('GET', `/${company}/orders${query}`)).status).toBe(status)
})

test('each page of the order list in the simulator’s HTTP API continues after the last order of the previous page, without omissions', async () => {
  const { simulator, send, clock, carriers, database } = await openSimulated(opened().connectionString)
  expect(carriers['simulator-steady'].capabilities.lookup).toBe('list')
  await database.pool.query(
    `insert into simulated_orders (
      company, number, reference, service, vehicle, price_kobo, pickup_latitude, pickup_longitude, dropoff_latitude,
      dropoff_longitude, has_pin, seed, step_ms, fault, callback_digits, created_at, accepted_at
    )
    select
      'simulator-steady', 'ST-' || number, 'many-' || number, 'direct', 'bike', 0, 6, 3, 6, 3, false, '', 60000, 'none', '000',
      moment, moment
    from generate_series(1, 250) number, lateral (
      select timestamptz '2027-01-01 00:00:00Z' + make_interval(secs => number / 100) as moment
    ) at`,
  )
  clock.advance(Date.UTC(2027, 0, 2) - morningMs)
  const seen: string[] = []
  let after: string | null = ''
  const pages = []
  while (after !== null) {
    const url = `${simulator.url}/simulator-steady/orders?since=2027-01-01T00:00:00Z&after=${after}`
    const outcome = await send({ url, method: 'GET', headers: {}, responseMaxBytes: 100_000 })
    const page: { orders: { reference: string }[]; next: string | null } = JSON.parse(
      outcome.is === 'answered' ? outcome.body : '',
    )
    seen.push(...page.orders.map(({ reference }) => reference))
    pages.push(page.orders.length)
    after = page.next
  }
  expect(pages).toEqual([100, 100, 50])
  expect(new Set(seen).size).toBe(250)
})
