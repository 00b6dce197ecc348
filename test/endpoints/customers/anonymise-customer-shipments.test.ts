import { describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customersPath, orderOf } from '../../support/commerce/customer.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { asSuperuser, contentsOf, select } from '../../support/database-contents.ts'
import { dumpOf } from '../../support/database-dump.ts'
import { openTestShop, pass, post } from '../../support/logistics/parcel-run.ts'
import { type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

/** Anonymising a customer also covers shipments: the recipient’s address and the texts of carriers. */

const started = useApi()

const person = { name: 'Zuwena Ityavyar', email: 'zuwena.ityavyar@example.com', phone: '+2348039876543' }
const traces = [/zuwena/i, /ityavyar/i, /8039876543/, /wurukum/i, /6\.4474/]

const address = {
  line1: '9 Wurukum Close',
  line2: 'Behind Wurukum mill',
  landmark: 'Wurukum roundabout',
  area: 'Lekki Phase 1',
  city: 'Lekki',
  state: 'Lagos',
  instructions: `Ask for ${person.name}.`,
  latitude: 6.44743,
  longitude: 3.4723,
}

interface Delivered {
  readonly api: TestApi
  readonly shop: Shop
  readonly customer: ReplyBody
  readonly orderId: string
  readonly shipment: ReplyBody
  anonymise(): Promise<Reply>
}

/**
 * Creates an order and two quotes for it. Dispatches the order, cancels the shipment, dispatches the order again and
 * delivers it. The second shipment contains every kind of carrier text.
 */
async function openDelivered(): Promise<Delivered> {
  const api = started()
  const shop = await openTestShop(api)
  const customer = await createdCustomer(api, shop, person)
  const { variantId } = await stockVariant(api, shop.merchantId)
  const body = orderBody(variantId, { customer: undefined, customerId: customer.id, shippingAddress: address })
  const { body: order } = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
  const orderId = order.id
  const sent = { orderId, pickup: pickupInputExample }
  const quote = async () => expect((await post(api, shop, 'quote', sent)).status).toBe(200)
  await quote()
  await quote()
  const metadata = { who: person.name }
  // The test uses the carrier Swift, which accepts a cancellation and delivers within minutes.
  const carriers = ['simulator-swift']
  const chosen = { metadata, carriers, confirmOrder: true }
  const dispatch = (reference: string) => post(api, shop, 'dispatch', { ...sent, reference, ...chosen })
  const first = (await dispatch(`first-${orderId}`)).body
  const note = `${person.name} is away.`
  const cancel = { reason: 'customer_request', note, maxFeeKobo: 10_000_000 }
  expect((await post(api, shop, `shipments/${first.id}/cancel`, cancel)).status).toBe(200)
  const { body: shipment } = await dispatch(`second-${orderId}`)
  await pass(api, 1800, 30)
  await storeCarrierTexts(api, shop, shipment)
  const { body: now } = await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })
  if (now.status !== 'delivered') await moveOrderTo(api, shop, orderId, 'delivered')
  const path = `${customersPath}/${customer.id}/anonymise`
  const anonymise = () => api.send('POST', path, { token: shop.token })
  return { api, shop, customer, orderId, shipment, anonymise }
}

/**
 * Stores status messages, links and proofs in the shipment. Real carriers send such texts, but the simulated carriers
 * do not.
 */
async function storeCarrierTexts(api: TestApi, { merchantId }: Shop, { id }: { readonly id: string }): Promise<void> {
  const text = `the number ${person.phone} of ${person.name} is wrong`
  await select(api, 'update dispatch_attempts set outcome_message = $2 where shipment_id = $1', [id, text])
  await select(
    api,
    `update shipments
     set label_url = 'https://example.com/' || $2, tracking_url = 'https://example.com/' || $2, status_message = $2,
       proof = proof || '{"pin": "482100"}',
       exceptions = jsonb_build_array(jsonb_build_object('code', 'duplicate_dispatch', 'message', $2::text, 'at', '2026-11-21T08:30:00.000Z')),
       captured_proof = '[{"type": "photo", "url": "https://example.com/zuwena", "capturedAt": "2026-11-21T08:30:00.000Z"}]'
     where id = $1`,
    [id, text],
  )
  await select(
    api,
    `insert into shipment_events (
       merchant_id, shipment_id, number, source, description, is_applied, occurred_at, received_at
     ) values ($1, $2, 999, 'service', 'Fez does not have it: ' || $3::text, true, now(), now())`,
    [merchantId, id, text],
  )
}

/** Stores a carrier callback with the recipient's data, processed unless `settled` is false. */
async function keepCallback(api: TestApi, { merchantId }: Shop, id: string, content: object, settled = true) {
  await select(
    api,
    `insert into carrier_callbacks (
       merchant_id, id, carrier, dedupe_hash, body, parsed_body, is_trusted, source_ip, request_id, received_at, next_attempt_at,
       processed_at, outcome
     )
     select $1::text, $2::text, carrier, sha256(convert_to($2::text, 'UTF8')), convert_to($3::text, 'UTF8'), $4::jsonb, true, '127.0.0.1', 'req', now(),
       case when not $6::boolean then now() end, case when $6 then now() end, case when $6 then 'applied' end
     from shipments where id = $5`,
    [merchantId, id, `To ${person.name}`, JSON.stringify([content]), Reflect.get(content, 'shipmentId'), settled],
  )
}

async function bodiesOf(api: TestApi, { merchantId }: Shop): Promise<Record<string, string>> {
  const text = "select id, convert_from(body, 'UTF8') as body from carrier_callbacks where merchant_id = $1"
  const rows = await select(api, text, [merchantId])
  return Object.fromEntries(rows.map(({ id, body }) => [id, body]))
}

test('anonymiseCustomer removes the recipient and the address of shipments from every row of every table', async () => {
  const { api, shop, shipment, anonymise } = await openDelivered()
  const { carrierReference } = shipment
  await keepCallback(api, shop, 'ccb_signed', { shipmentId: shipment.id, order: { carrierReference } })
  const { reference } = (
    await select(api, 'select reference from dispatch_attempts where shipment_id = $1', [shipment.id])
  )[0]
  await keepCallback(api, shop, 'ccb_hint', { shipmentId: shipment.id, reference })
  const before = await dumpOf(api)
  for (const trace of [...traces, /shipment_positions/]) expect(before).toMatch(trace)
  const reply = await anonymise()
  expect(reply.status, reply.text).toBe(200)
  // The simulated carriers keep their own records, as real carriers do, so these records are not checked.
  const left = (await dumpOf(api)).split('\n').filter((row) => !row.startsWith('public.simulated_orders '))
  for (const trace of traces) expect(left.filter((row) => trace.test(row))).toEqual([])
  expect(left.filter((row) => row.startsWith('public.shipment_positions ') && row.includes(shipment.id))).toEqual([])
})

test('anonymiseCustomer keeps the carrier, times, price and zone of a shipment', async () => {
  const { api, shop, shipment, anonymise } = await openDelivered()
  const read = async () =>
    (await api.send('GET', `/api/v1/logistics/shipments/${shipment.id}`, { token: shop.token })).body
  const before = await read()
  expect(before.status).toBe('delivered')
  expect(before.trackingUrl).toContain(person.name)
  expect(before.proof.pin).toBe('482100')
  await anonymise()
  const after = await read()
  expect(after).toMatchObject({
    status: 'delivered',
    reference: before.reference,
    carrier: before.carrier,
    priceKobo: before.priceKobo,
    deliveredAt: before.deliveredAt,
    version: before.version + 1,
    metadata: {},
    trackingUrl: null,
    labelUrl: null,
    proof: { ...before.proof, pin: null, captured: [expect.objectContaining({ type: 'photo', url: null })] },
    dropoff: {
      name: null,
      phone: null,
      line1: 'Removed',
      state: 'Lagos',
      zoneId: before.dropoff.zoneId,
      location: { lat: 6.4, lng: 3.5 },
    },
  })
  expect(after.timeline.map(({ status }: ReplyBody) => status)).toEqual(
    before.timeline.map(({ status }: ReplyBody) => status),
  )
  expect(after.timeline[0].description).toBe('Fez does not have it')
  const ours = (body: ReplyBody) => body.timeline.slice(1).map(({ description }: ReplyBody) => description)
  expect(ours(after)).toEqual(ours(before))
})

test('anonymiseCustomer keeps the bodies of carrier callbacks about other customers and of callbacks that are not yet applied', async () => {
  const { api, shop, shipment, anonymise } = await openDelivered()
  const { id: shipmentId, carrierReference } = shipment
  await keepCallback(api, shop, 'ccb_theirs', { shipmentId, order: { carrierReference } })
  await keepCallback(api, shop, 'ccb_waits', { shipmentId, order: { carrierReference } }, false)
  await keepCallback(api, shop, 'ccb_other', { shipmentId, order: { carrierReference: 'another' } })
  await anonymise()
  const kept = `To ${person.name}`
  expect(await bodiesOf(api, shop)).toEqual({ ccb_theirs: '', ccb_waits: kept, ccb_other: kept })
})

test('if a quote was made before its customer was anonymised, a dispatch with the quote returns 409 customer_anonymised and stores nothing', async () => {
  const { api, shop, orderId, anonymise } = await openDelivered()
  await anonymise()
  const before = await contentsOf(api)
  // Every item of the order has been sent, so a request for another shipment needs allowAdditional.
  const sent = { orderId, pickup: pickupInputExample, parcels: [parcelExample] }
  answers('createQuote', 'customer_anonymised', await post(api, shop, 'quote', sent))
  const named = { ...sent, dropoff: { name: person.name, phone: person.phone, line1: '9 Wurukum Close', lga: 'Ikeja' } }
  for (const more of [{}, { allowAdditional: true }]) {
    const reply = await post(api, shop, 'dispatch', { ...named, ...more, reference: 'again' })
    answers('dispatchShipment', 'customer_anonymised', reply)
    const scheduled = await post(api, shop, 'predictive-schedule', { ...named, ...more, reference: 'once-more' })
    answers('createPredictiveSchedule', 'customer_anonymised', scheduled)
  }
  expect(await contentsOf(api)).toEqual(before)
})

describe('409 customer_has_open_orders', () => {
  async function withShipment(options: ShipmentOptions) {
    const api = started()
    const shop = await openShop(api.context)
    const customer = await createdCustomer(api, shop, person)
    const order = await orderOf(api, shop, customer.id, 'delivered')
    const { id } = await storeShipment(api, shop, { ...options, orderId: order.id })
    const path = `${customersPath}/${customer.id}/anonymise`
    return { api, order, id, anonymise: () => api.send('POST', path, { token: shop.token }) }
  }

  test.for([
    'scheduled',
    'awaiting_courier',
    'in_transit',
    'returning',
    'cancelling',
  ] as const)('anonymiseCustomer returns 409 customer_has_open_orders while a shipment of a delivered order is %s', async (status) => {
    const { api, order, anonymise } = await withShipment({ status })
    const before = await contentsOf(api)
    const reply = await anonymise()
    answers('anonymiseCustomer', 'customer_has_open_orders', reply)
    expect(reply.body.error.details).toEqual({ orderIds: [order.id], count: 1 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for([
    'delivered',
    'returned',
    'cancelled',
    'failed',
    'lost',
  ] as const)('anonymiseCustomer does not return 409 customer_has_open_orders when the shipment is %s', async (status) => {
    const { anonymise } = await withShipment({ status, attempts: [{ state: 'completed' }] })
    expect((await anonymise()).status).toBe(200)
  })

  test('anonymiseCustomer returns 409 customer_has_open_orders while the service still looks up an abandoned dispatch attempt at the carrier', async () => {
    const { api, id, anonymise } = await withShipment({
      status: 'failed',
      attempts: [{ state: 'abandoned', nextCheckAt: toTimestamp(Date.UTC(2026, 10, 21, 9)) }],
    })
    answers('anonymiseCustomer', 'customer_has_open_orders', await anonymise())
    await select(api, 'update dispatch_attempts set next_check_at = null where shipment_id = $1', [id])
    expect((await anonymise()).status).toBe(200)
  })
})

test.each([
  "update shipment_events set description = 'Another.'",
  "update shipment_events set description = ''",
  "update shipment_events set description = left(description, 3), status = 'lost'",
  'delete from shipment_events',
  'truncate shipment_events',
])('the database rejects every change of the shipment timeline except its redaction, even by a superuser: %s', async (change) => {
  const api = started()
  const shop = await openShop(api.context)
  await storeCarrierTexts(api, shop, await storeShipment(api, shop))
  await asSuperuser(api, async (client) => {
    await expect(client.query(change)).rejects.toThrow(/shipment_events is append-only/)
  })
})

/** Creates an approved return, and functions that quote and dispatch the return. */
async function openReturn({ api, shop, orderId }: Delivered) {
  const { token } = shop
  const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token, body })
  const { body: order } = await api.send('GET', `/api/v1/orders/${orderId}`, { token })
  const items = [{ itemId: order.items[0].id, quantity: 1 }]
  const { body } = await send(`/orders/${orderId}/returns`, { items, reason: 'wrong_size' })
  await send(`/returns/${body.id}/transition`, { to: 'approved' })
  const sent = { returnId: body.id, dropoff: pickupInputExample }
  const dispatch = (more: object = {}) => {
    const reference = `return-${body.id}`
    return post(api, shop, 'dispatch', { ...sent, reference, carriers: ['simulator-swift'], ...more })
  }
  return { id: body.id, quote: () => post(api, shop, 'quote', sent), dispatch }
}

test('anonymiseCustomer returns 409 customer_has_open_orders until the return shipment has ended, and then removes the address of that shipment', async () => {
  const delivered = await openDelivered()
  const { api, shop, anonymise } = delivered
  const { quote, dispatch } = await openReturn(delivered)
  expect((await quote()).status).toBe(200)
  const { body: shipment } = await dispatch({ metadata: { who: person.name } })
  const { carrierReference } = shipment
  await keepCallback(api, shop, 'ccb_return', { shipmentId: shipment.id, order: { carrierReference } })
  const refused = await anonymise()
  answers('anonymiseCustomer', 'customer_has_open_orders', refused)
  await pass(api, 1800, 30)
  expect((await anonymise()).status).toBe(200)
  const own = (row: string) => row.includes(shop.merchantId) && !row.startsWith('public.simulated_orders ')
  const left = (await dumpOf(api)).split('\n').filter(own)
  for (const trace of traces) expect(left.filter((row) => trace.test(row))).toEqual([])
})

test('for an approved return of an anonymised customer, createQuote and dispatchShipment return 409 customer_anonymised', async () => {
  const delivered = await openDelivered()
  const { quote, dispatch } = await openReturn(delivered)
  const { body: quoted } = await quote()
  expect((await delivered.anonymise()).status).toBe(200)
  answers('createQuote', 'customer_anonymised', await quote())
  answers('dispatchShipment', 'customer_anonymised', await dispatch())
  const contact = { name: 'Bisi Ade', phone: '+2348029876543', line1: '12 Admiralty Way', area: 'Lekki Phase 1' }
  const ofQuote = { pickup: contact, dropoff: pickupInputExample, carriers: undefined, quoteId: quoted.id }
  answers('dispatchShipment', 'customer_anonymised', await dispatch(ofQuote))
})
