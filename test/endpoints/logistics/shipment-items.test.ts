import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, useApi } from '../../support/api.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import {
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  pass,
  plainPhone,
  post,
} from '../../support/logistics/parcel-run.ts'
import { orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

interface Placed {
  readonly id: string
  readonly dress: string
  readonly cape: string
  readonly variantIds: readonly string[]
}

async function place(): Promise<Placed> {
  const api = started()
  const [dress, cape] = [await stockVariant(api, shop.merchantId), await stockVariant(api, shop.merchantId)]
  const shippingAddress = { phone: plainPhone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
  const items = [
    { variantId: dress.variantId, quantity: 2 },
    { variantId: cape.variantId, quantity: 1 },
  ]
  const { body } = await api.send('POST', '/api/v1/orders', {
    token: shop.token,
    body: orderBody(dress.variantId, { items, shippingAddress }),
  })
  const payment = { amountKobo: body.totalKobo, method: 'cash', reference: randomCode(12) }
  const paid = await api.send('POST', `/api/v1/orders/${body.id}/payments`, { token: shop.token, body: payment })
  expect(paid.status, paid.text).toBe(201)
  return {
    id: body.id,
    dress: body.items[0].id,
    cape: body.items[1].id,
    variantIds: [dress.variantId, cape.variantId],
  }
}

const swift = inOrder(['simulator-swift'])

const request = (orderId: string, more: object = {}) => ({ orderId, pickup: pickupInputExample, ...more })

const send = (orderId: string, more: object = {}) =>
  post(started(), shop, 'dispatch', request(orderId, { reference: randomCode(12), ...swift, ...more }))

async function sent(orderId: string, more: object = {}): Promise<ReplyBody> {
  const { status, body, text } = await send(orderId, more)
  expect(status, text).toBe(201)
  return body
}

const read = async (id: string) => (await started().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body

const untilDelivered = () => pass(started(), 400, 10)

function expectLeft(reply: Reply, items: object): void {
  expect(reply.body.error.details).toEqual({ items })
}

describe('items of a shipment', () => {
  test('a dispatch without items ships all items of the order that are in no other shipment, one parcel per item', async () => {
    const { id, dress, cape } = await place()
    const first = await sent(id, { items: [{ itemId: dress, quantity: 1 }] })
    expect(first).toMatchObject({ items: [{ itemId: dress, quantity: 1 }], parcels: [{ quantity: 1 }] })
    started().clock.advance(1000)
    const rest = await sent(id)
    expect(rest.items).toEqual([
      { itemId: dress, quantity: 1 },
      { itemId: cape, quantity: 1 },
    ])
    expect(rest.parcels).toHaveLength(2)
    expect((await read(id)).shipments.map(({ items }: ReplyBody) => items)).toEqual([first.items, rest.items])
    expect((await getShipment(started(), shop, rest.id)).body.items).toEqual(rest.items)
  })

  test('the items of a quote become the items of its shipment', async () => {
    const { id, dress, cape } = await place()
    const items = [{ itemId: cape, quantity: 1 }]
    const { body: quote } = await post(started(), shop, 'quote', request(id, { items }))
    expect(quote.items).toEqual(items)
    const useQuote = (more: object = {}) =>
      post(started(), shop, 'dispatch', { reference: randomCode(12), quoteId: quote.id, ...swift, ...more })
    const other = await useQuote({ items: [{ itemId: dress, quantity: 1 }] })
    answers('dispatchShipment', 'quote_mismatch', other)
    expect(other.body.error.details).toEqual({ field: 'items' })
    const { status, body, text } = await useQuote({ items })
    expect([status, body.items], text).toEqual([201, items])
  })

  test('a shipment from a quote without an order has the items that the dispatch names', async () => {
    const { id, cape } = await place()
    const dropoff = { name: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way', area: 'Lekki Phase 1' }
    const wanted = { pickup: pickupInputExample, dropoff, parcels: [parcelExample] }
    const { body: quote } = await post(started(), shop, 'quote', wanted)
    expect(quote.items).toEqual([])
    const named = { reference: randomCode(12), quoteId: quote.id, ...swift }
    const items = [{ itemId: cape, quantity: 1 }]
    answers('dispatchShipment', 'quote_mismatch', await post(started(), shop, 'dispatch', { ...named, items }))
    const { body } = await post(started(), shop, 'dispatch', { ...named, orderId: id, items })
    expect(body.items).toEqual(items)
  })

  test('the items of a schedule become the items of its shipment', async () => {
    const { id, dress } = await place()
    const items = [{ itemId: dress, quantity: 2 }]
    const body = request(id, { reference: randomCode(12), items })
    const planned = await post(started(), shop, 'predictive-schedule', body)
    expect([planned.status, planned.body.items], planned.text).toEqual([201, items])
    expect((await getShipment(started(), shop, planned.body.shipmentId)).body.items).toEqual(items)
  })

  test('the items of a shipment are part of every event of the shipment', async () => {
    const { id, cape } = await place()
    const { id: shipmentId, items } = await sent(id, { items: [{ itemId: cape, quantity: 1 }] })
    const events = await eventsOf(started(), shop.merchantId, 'shipment.status_changed')
    const emitted = events.map(({ data }) => data).filter((data) => data.shipmentId === shipmentId)
    expect(emitted.map((data) => data.items)).toContainEqual(items)
  })

  test.for([
    ['items[0].quantity', { items: [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 0 }] }],
    ['orderId', { orderId: undefined, items: [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 }] }],
    ['parcels', { items: [] }],
    [
      'items[1].itemId',
      {
        items: [
          { itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 },
          { itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 2 },
        ],
      },
    ],
  ] as const)('dispatchShipment returns 400 validation_failed for the invalid field %s', async ([path, more]) => {
    const reply = await send('ord_01jd3f8q6hf5n8v1zr4c7e2m9k', more)
    answers('dispatchShipment', 'validation_failed', reply)
    expect(reply.body.error.errors.map((problem: ReplyBody) => problem.path)).toContain(`body.${path}`)
  })
})

describe('404 item_not_found', () => {
  test('a quote, a dispatch and a schedule return 404 item_not_found for an item of another order', async () => {
    const { id } = await place()
    const items = [{ itemId: (await place()).dress, quantity: 1 }]
    answers('createQuote', 'item_not_found', await post(started(), shop, 'quote', request(id, { items })))
    answers('dispatchShipment', 'item_not_found', await send(id, { items }))
    const schedule = request(id, { reference: randomCode(12), items })
    answers('createPredictiveSchedule', 'item_not_found', await post(started(), shop, 'predictive-schedule', schedule))
  })
})

describe('409 order_items_unavailable', () => {
  test('a quote, a dispatch and a schedule return 409 order_items_unavailable with the available quantities of the items, and store nothing', async () => {
    const { id, dress } = await place()
    await sent(id, { items: [{ itemId: dress, quantity: 1 }] })
    const items = [{ itemId: dress, quantity: 2 }]
    const left = [{ itemId: dress, requested: 2, available: 1 }]
    const quoted = await post(started(), shop, 'quote', request(id, { items }))
    answers('createQuote', 'order_items_unavailable', quoted)
    const dispatched = await send(id, { items })
    answers('dispatchShipment', 'order_items_unavailable', dispatched)
    const schedule = request(id, { reference: randomCode(12), items })
    const planned = await post(started(), shop, 'predictive-schedule', schedule)
    answers('createPredictiveSchedule', 'order_items_unavailable', planned)
    for (const reply of [quoted, dispatched, planned, await send(id, { items, dryRun: true })]) expectLeft(reply, left)
    expect(await select(started(), 'select id from shipments where order_id = $1', [id])).toHaveLength(1)
  })

  test('all but one of concurrent dispatches of the same items return 409 order_items_unavailable', async () => {
    const { id, dress, cape } = await place()
    const items = [
      { itemId: dress, quantity: 2 },
      { itemId: cape, quantity: 1 },
    ]
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => send(id, { items })))
    const refused = all.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(4)
    for (const reply of refused) {
      expectLeft(reply, [
        { itemId: dress, requested: 2, available: 0 },
        { itemId: cape, requested: 1, available: 0 },
      ])
    }
  })

  test('concurrent dispatches of different items do not return 409 order_items_unavailable', async () => {
    const { id, dress, cape } = await place()
    const parts = [[{ itemId: dress, quantity: 1 }], [{ itemId: dress, quantity: 1 }], [{ itemId: cape, quantity: 1 }]]
    const all = await Promise.all(parts.map((items) => send(id, { items })))
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201])
  })

  test('dispatchShipment returns 409 order_items_unavailable for a quote if another shipment has taken units of its items since the quote', async () => {
    const { id, dress } = await place()
    const items = [{ itemId: dress, quantity: 2 }]
    const { body: quote } = await post(started(), shop, 'quote', request(id, { items }))
    await sent(id, { items: [{ itemId: dress, quantity: 1 }] })
    const named = { reference: randomCode(12), quoteId: quote.id, items }
    const left = [{ itemId: dress, requested: 2, available: 1 }]
    expectLeft(await post(started(), shop, 'dispatch', named), left)
    const unnamed = { reference: randomCode(12), quoteId: quote.id }
    expectLeft(await post(started(), shop, 'dispatch', unnamed), left)
    await sent(id)
    const reply = await post(started(), shop, 'dispatch', unnamed)
    answers('dispatchShipment', 'order_already_dispatched', reply)
  })
})

describe('an order in two parcels', () => {
  test('an order in two parcels is partially_fulfilled after the first delivery, fulfilled after the second pickup, and delivered after the second delivery', async () => {
    const { id, dress, variantIds } = await place()
    const stock = () =>
      select(
        started(),
        'select on_hand as "onHand", reserved from inventory where variant_id = any($1) order by variant_id',
        [variantIds],
      )
    await sent(id, { items: [{ itemId: dress, quantity: 2 }] })
    await untilDelivered()
    const half = await read(id)
    expect(half).toMatchObject({ status: 'processing', fulfillmentStatus: 'partially_fulfilled' })
    expect(half.items.map((item: ReplyBody) => item.fulfilledQuantity)).toEqual([2, 0])
    expect(half.allowedTransitions).not.toContain('cancelled')
    expect(await stock()).toEqual(
      expect.arrayContaining([
        { onHand: 998, reserved: 0 },
        { onHand: 1000, reserved: 1 },
      ]),
    )
    const { id: second } = await sent(id)
    await pass(started(), 120, 10)
    expect((await getShipment(started(), shop, second)).body.status).toBe('picked_up')
    expect(await read(id)).toMatchObject({ status: 'shipped', fulfillmentStatus: 'fulfilled' })
    await untilDelivered()
    expect(await read(id)).toMatchObject({ status: 'delivered', fulfillmentStatus: 'fulfilled' })
    expect((await read(id)).items.map((item: ReplyBody) => item.fulfilledQuantity)).toEqual([2, 1])
  })

  test('an order with a parcel for only one of its items does not become delivered', async () => {
    const { id, cape } = await place()
    await sent(id, { items: [{ itemId: cape, quantity: 1 }], parcels: [parcelExample] })
    await untilDelivered()
    expect(await read(id)).toMatchObject({ status: 'processing', fulfillmentStatus: 'partially_fulfilled' })
  })
})

describe('the items of a shipment that ends without delivery', () => {
  test('the items of a cancelled shipment are available for another shipment', async () => {
    const { id, dress, cape } = await place()
    const { id: first } = await sent(id)
    expect((await cancelShipment(started(), shop, first, { maxFeeKobo: 1_000_000 })).status).toBe(200)
    expect((await sent(id)).items).toEqual([
      { itemId: dress, quantity: 2 },
      { itemId: cape, quantity: 1 },
    ])
  })

  test('the items of a shipment that no carrier accepts are available for another shipment', async () => {
    const { id, cape } = await place()
    const items = [{ itemId: cape, quantity: 1 }]
    // The digits of the phone number make each simulated carrier reject its dispatch attempt.
    const dropoff = { name: 'Bisi Ade', phone: '+2348035550111', line1: '12 Admiralty Way', area: 'Lekki Phase 1' }
    const refused = await send(id, { items, dropoff, ...inOrder(['simulator-swift']) })
    answers('dispatchShipment', 'no_carrier_available', refused)
    expect((await sent(id, { items })).items).toEqual(items)
  })

  test('the items of a returned shipment are available for another shipment, even while other items of the order are not sent yet', async () => {
    const { id, dress, cape } = await place()
    const items = [{ itemId: cape, quantity: 1 }]
    const dropoff = { name: 'Bisi Ade', phone: '+2348035550800', line1: '12 Admiralty Way', area: 'Lekki Phase 1' }
    const { id: first } = await sent(id, { items, dropoff })
    await pass(started(), 600, 10)
    expect((await getShipment(started(), shop, first)).body.status).toBe('returned')
    expect(await read(id)).toMatchObject({ status: 'processing', fulfillmentStatus: 'partially_returned' })
    await sent(id, { items: [{ itemId: dress, quantity: 2 }] })
    expect((await sent(id)).items).toEqual(items)
    await untilDelivered()
    expect(await read(id)).toMatchObject({ status: 'delivered', fulfillmentStatus: 'fulfilled' })
  })

  test('a dry run does not reserve the items of a shipment', async () => {
    const { id } = await place()
    const headers = { 'Service-Dry-Run': 'true' }
    const body = request(id, { reference: randomCode(12), ...swift })
    const path = '/api/v1/logistics/dispatch'
    const tried = await started().send('POST', path, { token: shop.token, headers, body })
    expect([tried.status, tried.body.items.length], tried.text).toEqual([201, 2])
    const { body: planned } = await send(id, { dryRun: true })
    expect(planned.items).toEqual(tried.body.items)
    expect((await sent(id)).items).toEqual(tried.body.items)
  })
})

test('a dispatch with an empty list of items requires allowAdditional only while another shipment of the order is active', async () => {
  const { id } = await place()
  const none = { items: [], parcels: [parcelExample] }
  expect(await sent(id, none)).toMatchObject({ items: [] })
  const reply = await send(id, none)
  answers('dispatchShipment', 'order_already_dispatched', reply)
  const quote = await post(started(), shop, 'quote', request(id, none))
  expect(quote.status, quote.text).toBe(200)
  const quoted = { reference: randomCode(12), quoteId: quote.body.id }
  answers('dispatchShipment', 'order_already_dispatched', await post(started(), shop, 'dispatch', quoted))
  const planned = await post(
    started(),
    shop,
    'predictive-schedule',
    request(id, { ...none, reference: randomCode(12) }),
  )
  answers('createPredictiveSchedule', 'order_already_dispatched', planned)
  expect(await sent(id, { ...none, allowAdditional: true })).toMatchObject({ items: [] })
  expect((await sent(id)).items).toHaveLength(2)
})
