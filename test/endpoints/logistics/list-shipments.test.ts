import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/logistics/shipments'

let shop: Shop
let orderId: string
let startMs: number

const since = toTimestamp(Date.UTC(2026, 10, 21, 8, 30))

/** Stores five shipments an hour apart. The third has an open exception, the fourth a resolved one. */
beforeAll(async () => {
  const api = started()
  shop = await openShop(api.context)
  startMs = api.clock.nowMs()
  orderId = (await placeOrder(api, shop)).id
  const shipments: readonly ShipmentOptions[] = [
    { reference: 'one', status: 'delivered', orderId },
    { reference: 'two', status: 'failed', carrier: null, priceKobo: null },
    { reference: 'three', status: 'awaiting_courier', exceptions: [{ code: 'courier_late', at: since }] },
    {
      reference: 'four',
      status: 'returned',
      exceptions: [{ code: 'parcel_returned', at: since, resolvedAt: since }],
    },
    { reference: 'five', status: 'in_transit', carrier: 'fez' },
  ]
  for (const shipment of shipments) {
    await storeShipment(api, shop, shipment)
    api.clock.advance(3_600_000)
  }
})

const list = async (query: string): Promise<ReplyBody> =>
  (await started().send('GET', `${path}?${query}`, { token: shop.token })).body
const references = (body: ReplyBody) => body.data.map(({ reference }: { reference: string }) => reference)
const at = (hours: number) => new Date(startMs + hours * 3_600_000).toISOString()

describe('200 responses of listShipments', () => {
  test('listShipments returns the main fields of each shipment, newest first', async () => {
    const { data } = await list('')
    expect(references({ data })).toEqual(['five', 'four', 'three', 'two', 'one'])
    expect(data[2]).toEqual({
      id: expect.stringMatching(/^shp_/),
      reference: 'three',
      orderId: null,
      returnId: null,
      status: 'awaiting_courier',
      carrier: { code: 'simulator-swift', name: 'Simulator Swift' },
      carrierReference: null,
      trackingUrl: null,
      currency: 'NGN',
      priceKobo: 250_000,
      codAmountKobo: null,
      codCollectedKobo: null,
      codCollectedAt: null,
      attemptCount: 1,
      recipient: { name: 'Adaeze Okafor', area: 'Lekki Phase 1', lga: 'Eti-Osa', state: 'Lagos' },
      openExceptions: ['courier_late'],
      createdAt: at(2),
      updatedAt: at(2),
      deliveredAt: null,
    })
    expect(data[3]).toMatchObject({ carrier: null, priceKobo: null })
  })

  test.for<[string, () => string, string[]]>([
    ['one status', () => 'status=failed', ['two']],
    ['several statuses', () => 'status=delivered,in_transit,failed', ['five', 'two', 'one']],
    ['order', () => `orderId=${orderId}`, ['one']],
    ['an order without shipments', () => `orderId=${newOrderId(0)}`, []],
    ['reference', () => 'reference=four', ['four']],
    ['carrier', () => 'carrier=fez', ['five']],
    ['any open exception', () => 'exception=any', ['three']],
    ['the type of an open exception', () => 'exception=courier_late,parcel_lost', ['three']],
    ['the type of a resolved exception', () => 'exception=parcel_returned', []],
    ['time', () => `createdFrom=${at(1)}&createdTo=${at(3)}`, ['three', 'two']],
    ['a part of the reference', () => 'q=HRE', ['three']],
    ['two letters of the reference', () => 'q=iv', ['five']],
    ['the name of the customer', () => 'q=Ọkafor&status=delivered,failed', ['two', 'one']],
    ['a phone number of the customer in local notation', () => 'q=0802%20987%206543&exception=any', ['three']],
    ['the time of the delivery', () => `deliveredFrom=${encodeURIComponent(since)}`, ['one']],
    ['a later time of the delivery', () => `deliveredFrom=${at(1)}`, []],
    ['carrier and status', () => 'carrier=simulator-swift&status=delivered,in_transit', ['one']],
  ])('listShipments filters by %s', async ([, query, expected]) => {
    expect(references(await list(query()))).toEqual(expected)
  })

  test.for([
    'limit=2',
    'limit=1&carrier=simulator-swift',
    'limit=1&status=delivered,returned,failed',
  ])('the pages of listShipments with ?%s contain each shipment once', async (query) => {
    const whole = references(await list(query.replace(/limit=\d/, 'limit=100')))
    const seen: string[] = []
    let page = await list(query)
    for (;;) {
      seen.push(...references(page))
      if (!page.pagination.hasMore) break
      page = await list(`limit=1&cursor=${page.pagination.cursor}`)
    }
    expect(seen).toEqual(whole)
    expect(seen.length).toBeGreaterThan(2)
  })
})

test.for([
  'status=lost,gone',
  'exception=late',
  'orderId=7',
  'reference=two%20words',
  'limit=0',
])('listShipments returns 400 validation_failed for ?%s', async (query) => {
  const reply = await started().send('GET', `${path}?${query}`, { token: shop.token })
  answers('listShipments', 'validation_failed', reply)
})

test('listShipments returns 400 invalid_time_range when the end of the range equals its start', async () => {
  const query = `createdFrom=${at(1)}&createdTo=${at(1)}`
  answers('listShipments', 'invalid_time_range', await started().send('GET', `${path}?${query}`, { token: shop.token }))
})
