import { beforeAll, describe, expect, test } from 'vitest'
import { eventFeedDays } from '../../../registry/values/limits.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type TestApi, useApi, vault } from '../../support/api.ts'
import { refunding } from '../../support/commerce/refund.ts'
import { select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, operator, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/events'
const msPerDay = 86_400_000

function list(shop: Shop, query = ''): Promise<Reply> {
  return started().send('GET', `${path}?${query}`, { token: shop.token })
}

async function shown(shop: Shop, query = ''): Promise<{ id: string; event: string }[]> {
  const reply = await list(shop, query)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

async function stored(api: TestApi, { merchantId }: Shop): Promise<string[]> {
  const rows = await select(api, 'select body from webhook_events where merchant_id = $1 order by id desc', [
    merchantId,
  ])
  return rows.map(({ body }) => body)
}

/** Creates events of several kinds, one second apart, while no webhook endpoint is subscribed. */
async function createEvents(api: TestApi, shop: Shop) {
  const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 5, threshold: 4 })
  const { id } = await storeShipment(api, shop, { status: 'scheduled', attempts: [] })
  const cancel = { token: shop.token, body: { reason: 'customer_request' } }
  await api.send('POST', `/api/v1/logistics/shipments/${id}/cancel`, cancel)
  const send = async (to: string, body: object) => {
    api.clock.advance(1000)
    const reply = await api.send('POST', to, { token: shop.token, body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body
  }
  const order = await send('/api/v1/orders', orderBody(variantId, { customerNote: '"Bálogun" \u2028 \\ 👗' }))
  const payment = { amountKobo: order.totalKobo, method: 'cash', reference: order.id }
  await send(`/api/v1/orders/${order.id}/payments`, payment)
  api.clock.advance(1000)
  const refund = await refunding(api, shop, order.id).refund(1000)
  return { orderId: order.id, variantId, refundId: refund.body.id }
}

describe('200 responses of listEvents', () => {
  let shop: Shop
  let startMs: number
  let ids: Awaited<ReturnType<typeof createEvents>>
  beforeAll(async () => {
    const api = started()
    shop = await openShop(api.context)
    startMs = api.clock.nowMs()
    ids = await createEvents(api, shop)
  })

  test('listEvents returns events newest first, byte for byte as stored', async () => {
    const reply = await list(shop)
    const bodies = await stored(started(), shop)
    expect(reply.text).toBe(`{"data":[${bodies.join(',')}],"pagination":{"cursor":null,"limit":25,"hasMore":false}}`)
    const kinds = reply.body.data.map(({ event }: { event: string }) => event)
    // Events of one transaction have the same time, so their order in the list is undefined.
    expect(kinds[0]).toBe('order.refunded')
    expect(kinds.toSorted()).toEqual([
      ...['inventory.low_stock', 'order.created', 'order.refunded', 'order.status_changed', 'payment.recorded'],
      'shipment.status_changed',
    ])
  })

  const kinds = 'order.refunded,order.status_changed,order.created'
  const at = (ms: number) => new Date(startMs + ms).toISOString()
  test.for([
    ['one kind', (): string => 'event=order.refunded', ['order.refunded']],
    ['several kinds', (): string => 'event=order.refunded,order.created', ['order.refunded', 'order.created']],
    ['the order', (): string => `resourceId=${ids.orderId}`, ['order.status_changed', 'order.created']],
    ['the refund', (): string => `resourceId=${ids.refundId}`, ['order.refunded']],
    ['the variant', (): string => `resourceId=${ids.variantId}`, ['inventory.low_stock']],
    ['a kind of the order', (): string => `resourceId=${ids.orderId}&event=order.created`, ['order.created']],
    ['a record without events', (): string => 'resourceId=ord_01jd3f8q6hf5n8v1zr4c7e2m9k', []],
    [
      'createdFrom, inclusive',
      (): string => `createdFrom=${at(2000)}&event=${kinds}`,
      ['order.refunded', 'order.status_changed'],
    ],
    [
      'createdTo, exclusive',
      () => `createdTo=${at(3000)}&event=order.status_changed,order.refunded`,
      ['order.status_changed'],
    ],
    ['a range without events', (): string => `createdFrom=${at(2001)}&createdTo=${at(3000)}`, []],
    ['a range before the earliest id', (): string => 'createdTo=1950-01-01T00:00:00Z', []],
    [
      'a range up to the latest timestamp',
      (): string => `createdFrom=${at(3000)}&createdTo=9999-12-31T23:59:59Z`,
      ['order.refunded'],
    ],
  ] as const)('listEvents filters by %s', async ([, query, kinds]) => {
    expect((await shown(shop, query())).map(({ event }) => event)).toEqual(kinds)
  })
})

test('listEvents returns each event once over all pages, even while new events are added', async () => {
  const api = started()
  const shop = await openShop(api.context)
  for (let count = 0; count < 5; count++) await placeOrder(api, shop, { isPaid: false })
  const all = (await shown(shop)).map(({ id }) => id)
  const seen: string[] = []
  let cursor = ''
  for (;;) {
    const reply = await list(shop, `limit=2${cursor}`)
    seen.push(...reply.body.data.map(({ id }: { id: string }) => id))
    if (!reply.body.pagination.hasMore) break
    cursor = `&cursor=${reply.body.pagination.cursor}`
    api.clock.advance(1)
    await placeOrder(api, shop, { isPaid: false })
  }
  expect(seen).toEqual(all)
  expect(all.toSorted().toReversed()).toEqual(all)
})

test('listEvents never returns a sample event', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const context = { ...api.context, vault, policy: { allowsLoopback: true } }
  const request = { url: 'http://127.0.0.1:9/', kinds: ['order.created'] } as const
  const endpoint = await createWebhookEndpoint(context, operator, shop.tenant, request)
  if (endpoint.is !== 'created') throw new Error(endpoint.is)
  const sample = { endpointId: endpoint.id, kind: 'order.created' } as const
  expect(await sendTestEvent(context, operator, shop.tenant, sample)).toMatchObject({ is: 'queued' })
  expect(await stored(api, shop)).toHaveLength(1)
  expect(await shown(shop)).toEqual([])
  expect(await shown(shop, `resourceId=${endpoint.id}`)).toEqual([])
})

test('listEvents returns an event for exactly 30 days, even if its row still exists', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { isPaid: false })
  const createdFrom = new Date(api.clock.nowMs()).toISOString()
  const queries = ['', `resourceId=${order.id}`, `createdFrom=${createdFrom}`, 'createdFrom=2020-01-01T00:00:00Z']
  api.clock.advance(eventFeedDays * msPerDay)
  for (const query of queries) expect(await shown(shop, query), query).toHaveLength(1)
  api.clock.advance(1)
  for (const query of queries) expect(await shown(shop, query), query).toEqual([])
  expect(await stored(api, shop)).toHaveLength(1)
})

describe('400 invalid_time_range', () => {
  test('listEvents returns 400 invalid_time_range when the range ends before it begins', async () => {
    const shop = await openShop(started().context)
    const query = 'createdFrom=2026-11-21T00:00:00Z&createdTo=2026-11-20T00:00:00Z'
    answers('listEvents', 'invalid_time_range', await list(shop, query))
  })
})

describe('400 validation_failed', () => {
  test.for([
    'event=order.paid',
    'event=',
    'event=order.created;order.refunded',
    'resourceId=abc',
    'createdFrom=today',
  ])('listEvents returns 400 validation_failed for ?%s', async (query) => {
    const shop = await openShop(started().context)
    answers('listEvents', 'validation_failed', await list(shop, query))
  })
})
