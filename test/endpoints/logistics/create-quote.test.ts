import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { Quote } from '../../../registry/logistics/quote.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { quoteWarnings } from '../../../registry/logistics/quote-warnings.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openTestShop, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const to = (phone: string, more: object = {}) => ({
  pickup: pickupInputExample,
  dropoff: { ...dropoffInputExample, phone },
  parcels: [parcelExample],
  ...more,
})
const quote = (body: object) => post(started(), shop, 'quote', body)
const statusesOf = ({ carriers }: ReplyBody) =>
  Object.fromEntries(carriers.map(({ carrier, status }: ReplyBody) => [carrier.replace('simulator-', ''), status]))

/** An address in the sea, 100 km south of Lagos. */
const atSea = { line1: 'Third buoy of the harbour', location: { lat: 5.2, lng: 3.4 } }

describe('200 responses of createQuote', () => {
  test('createQuote returns offers of all three carriers, each price as the sum of its parts, and the zones of pickup and dropoff', async () => {
    const { status, body } = await quote(to(plainPhone))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'complete', vehicle: 'bike', orderId: null })
    expect(statusesOf(body)).toEqual({ swift: 'ok', steady: 'ok', saver: 'ok' })
    expect(body.offers).toHaveLength(5)
    for (const { priceKobo, breakdown, reliability } of body.offers) {
      expect(breakdown.reduce((sum: number, line: ReplyBody) => sum + line.amountKobo, 0)).toBe(priceKobo)
      expect(reliability).toBe(0.9)
    }
    expect(body.offers[0].tags).toContain('best_value')
    const tagged = (tag: string) => body.offers.filter(({ tags }: ReplyBody) => tags.includes(tag))
    expect(tagged('cheapest')).toHaveLength(1)
    expect(tagged('fastest')).toHaveLength(1)
    expect(tagged('cheapest')[0].priceKobo).toBe(Math.min(...body.offers.map(({ priceKobo }: ReplyBody) => priceKobo)))
    expect(tagged('fastest')[0].carrier).toBe('simulator-swift')
    expect(body.offers.map(({ expiresAt }: ReplyBody) => expiresAt).every((end: string) => end <= body.expiresAt)).toBe(
      true,
    )
    expect(await select(started(), 'select used_at from quotes where id = $1', [body.id])).toEqual([{ used_at: null }])
    expect(await auditRows(started(), shop.merchantId)).toContainEqual(
      expect.objectContaining({ action: 'quote.create', resource_id: body.id }),
    )
  })

  test.for<[string, string, object, string, number]>([
    ['a carrier that does not respond', '100', { swift: 'timeout', steady: 'ok', saver: 'ok' }, 'partial', 4],
    ['a carrier that is down', '020', { swift: 'ok', steady: 'error', saver: 'ok' }, 'partial', 3],
    [
      'carriers that do not serve the place',
      '033',
      { swift: 'ok', steady: 'out_of_area', saver: 'out_of_area' },
      'complete',
      1,
    ],
    ['a carrier without offers', '004', { swift: 'ok', steady: 'ok', saver: 'no_offer' }, 'complete', 3],
    ['no dropoff contact', '344', { swift: 'out_of_area', steady: 'no_offer', saver: 'no_offer' }, 'complete', 0],
  ])('with the problem “%s”, createQuote returns the status of each carrier, and offers only from the carriers without a problem', async ([
    ,
    digits,
    statuses,
    status,
    offers,
  ]) => {
    const { body } = await quote(to(`+2348035551${digits}`))
    expect({ statuses: statusesOf(body), status: body.status }).toEqual({ statuses, status })
    expect(body.offers).toHaveLength(offers)
  })

  test('createQuote filters offers by carriers, service levels, proof of delivery and weight, and skips carriers that do not qualify', async () => {
    const only = (more: object) => quote(to(plainPhone, more)).then(({ body }) => body)
    const steady = await only({ carriers: ['simulator-steady'], serviceLevels: ['same_day'] })
    expect(steady.offers.map(({ service }: ReplyBody) => service)).toEqual(['round'])
    expect(statusesOf(steady)).toEqual({ steady: 'ok' })
    const heavy = await only({ parcels: [{ ...parcelExample, weightGrams: 28_000 }] })
    expect(statusesOf(heavy)).toEqual({ swift: 'unsupported', steady: 'ok', saver: 'ok' })
    expect(heavy.vehicle).toBe('car')
    expect(statusesOf(await only({ proof: { signature: true } }))).toEqual({
      swift: 'unsupported',
      steady: 'unsupported',
      saver: 'unsupported',
    })
    expect((await only({ carriers: ['unknown'] })).carriers).toEqual([])
  })

  test('createQuote takes the dropoff and the parcels from an order', async () => {
    const api = started()
    const address = {
      recipientName: 'Bisi Ade',
      phone: plainPhone,
      line1: '12 Admiralty Way',
      city: 'Lekki',
      state: 'Lagos',
    }
    const order = await placeOrder(api, shop, { body: { shippingAddress: address } })
    const { status, body } = await quote({ orderId: order.id, pickup: pickupInputExample })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ orderId: order.id, dropoff: { name: 'Bisi Ade', phone: plainPhone } })
    expect(body.offers.length).toBeGreaterThan(0)
  })

  test('createQuote derives a missing state of the dropoff from its area', async () => {
    const { body } = await quote(
      to(plainPhone, { dropoff: { ...dropoffInputExample, state: undefined, area: 'Wuse 2' } }),
    )
    expect(body.dropoff).toMatchObject({ area: 'Wuse 2', state: 'FCT', zoneId: 'abj-central', locationSource: 'area' })
  })

  test('a dry run of createQuote returns the same fields as a real request and stores nothing', async () => {
    const api = started()
    const before = await contentsOf(api)
    const headers = { 'Service-Dry-Run': 'true' }
    const { status, body } = await api.send('POST', '/api/v1/logistics/quote', {
      token: shop.token,
      body: to(plainPhone),
      headers,
    })
    expect(status).toBe(200)
    expect(body.offers).toHaveLength(5)
    expect(await contentsOf(api)).toEqual(before)
  })
})

test('createQuote returns a documented warning about an imprecise dropoff address', async () => {
  const vague = { ...dropoffInputExample, area: undefined, lga: 'Ikeja', phone: plainPhone }
  const { body } = await quote(to(plainPhone, { dropoff: vague }))
  expect(body.warnings).toContain('dropoff_address_low_precision')
  const { description, examples } = Object(Quote.shape.warnings.meta())
  for (const warning of quoteWarnings) expect(description).toContain(`\`${warning}\``)
  for (const warning of examples[0]) expect(quoteWarnings).toContain(warning)
  for (const warning of body.warnings) expect(quoteWarnings).toContain(warning)
})

describe('a quote with an expired offer', () => {
  test('a quote with an expired offer can be dispatched with its other offers only', async () => {
    const api = started()
    const { body } = await quote(to(plainPhone))
    const [first] = body.offers
    const ended = await select(
      api,
      "update quote_offers set expires_at = expires_at - interval '8 minutes' where id = $1 returning expires_at",
      [first.id],
    )
    api.clock.advance(5 * 60_000)
    const send = (more: object) => post(api, shop, 'dispatch', { reference: randomCode(12), quoteId: body.id, ...more })
    const refused = await send({ offerId: first.id })
    answers('dispatchShipment', 'quote_expired', refused)
    expect(Date.parse(refused.body.error.details.expiredAt)).toBe(Date.parse(ended[0].expires_at))
    expect((await send({ dryRun: true })).status).toBe(200)
    const sent = (await send({})).body
    expect(sent.status).toBe('awaiting_courier')
    expect(sent.priceKobo).toBeLessThanOrEqual(sent.priceCeilingKobo)
  })

  test('a dispatch computes the planned pickup times from the time of the dispatch, so that no planned pickup is before the carrier call', async () => {
    const api = started()
    const { body } = await quote(to(plainPhone))
    api.clock.advance(9 * 60_000)
    const request = { reference: randomCode(12), quoteId: body.id, dryRun: true }
    const { plan, createdAt } = (await post(api, shop, 'dispatch', request)).body
    for (const { offerId, pickupEta } of plan) {
      const offer = body.offers.find(({ id }: ReplyBody) => id === offerId)
      const minutes = Date.parse(offer.pickupEta.p50) - Date.parse(body.createdAt)
      expect(Date.parse(pickupEta.p50) - Date.parse(createdAt)).toBe(minutes)
      expect(pickupEta.p50 > createdAt).toBe(true)
    }
    expect(plan.length).toBeGreaterThan(0)
  })
})

describe('400 responses of createQuote', () => {
  test.for<[string, object, string, string]>([
    ['a malformed phone', { dropoff: { ...dropoffInputExample, phone: '0803' } }, 'dropoff.phone', 'invalid_format'],
    [
      'a toll-free number',
      { dropoff: { ...dropoffInputExample, phone: '+23480012345' } },
      'dropoff.phone',
      'invalid_format',
    ],
    ['an unknown state', { pickup: { ...pickupInputExample, state: 'Wakanda' } }, 'pickup.state', 'invalid_enum_value'],
    [
      'a point abroad',
      { pickup: { ...pickupInputExample, location: { lat: 51.5, lng: 0.1 } } },
      'pickup.location.lat',
      'too_big',
    ],
    ['no parcels', { parcels: [] }, 'parcels', 'too_short'],
    ['too many parcel entries', { parcels: Array(21).fill(parcelExample) }, 'parcels', 'too_long'],
    ['too heavy a unit', { parcels: [{ ...parcelExample, weightGrams: 50_001 }] }, 'parcels[0].weightGrams', 'too_big'],
    ['too heavy in total', { parcels: [{ ...parcelExample, weightGrams: 10_000, quantity: 6 }] }, 'parcels', 'too_big'],
    ['too large a quantity', { parcels: [{ ...parcelExample, quantity: 51 }] }, 'parcels[0].quantity', 'too_big'],
    [
      'two of three dimensions',
      { parcels: [{ ...parcelExample, lengthCm: 10, widthCm: 10 }] },
      'parcels[0].heightCm',
      'required',
    ],
    [
      'too long a side',
      { parcels: [{ ...parcelExample, lengthCm: 201, widthCm: 1, heightCm: 1 }] },
      'parcels[0].lengthCm',
      'too_big',
    ],
    ['an unknown field', { speed: 'fast' }, 'speed', 'unknown_field'],
    [
      'a window of nine minutes',
      { pickupWindow: { from: '2026-11-21T10:00:00Z', to: '2026-11-21T10:09:00Z' } },
      'pickupWindow.to',
      'invalid_value',
    ],
  ])('createQuote returns 400 for %s', async ([, more, path, code]) => {
    const reply = await quote(to(plainPhone, more))
    answers('createQuote', 'validation_failed', reply)
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ path: `body.${path}`, code }))
  })
})

describe('404 order_not_found', () => {
  test('createQuote returns 404 order_not_found for an unknown order and for an order of another merchant', async () => {
    const api = started()
    const other = await placeOrder(api, await openShop(api.context))
    for (const orderId of [newOrderId(0), other.id]) {
      answers('createQuote', 'order_not_found', await quote({ orderId, pickup: pickupInputExample }))
    }
  })
})

describe('409 responses of createQuote', () => {
  test('if the request names no dropoff, createQuote returns order_not_shippable for an order that the customer collects', async () => {
    const order = await placeOrder(started(), shop)
    const reply = await quote({ orderId: order.id, pickup: pickupInputExample })
    answers('createQuote', 'order_not_shippable', reply)
    expect(reply.body.error.details).toEqual({ missing: ['dropoff'] })
    const named = await quote({ orderId: order.id, pickup: pickupInputExample, dropoff: dropoffInputExample })
    expect(named.status).toBe(200)
  })

  test('createQuote returns outside_coverage when the pickup or the dropoff is in the sea', async () => {
    const sunk = await quote(to(plainPhone, { dropoff: atSea }))
    answers('createQuote', 'outside_coverage', sunk)
    expect(sunk.body.error.details).toEqual({ place: 'dropoff' })
    const offshore = await quote(to(plainPhone, { pickup: atSea }))
    expect(offshore.body.error.details).toEqual({ place: 'pickup' })
  })

  test.for([
    ['that has passed', '2026-11-21T08:00:00Z', '2026-11-21T08:20:00Z'],
    ['in five weeks', '2026-12-26T08:00:00Z', '2026-12-26T09:00:00Z'],
  ])('createQuote returns time_in_past for a pickup or delivery window %s', async ([, from, end]) => {
    const reply = await quote(to(plainPhone, { pickupWindow: { from, to: end } }))
    answers('createQuote', 'time_in_past', reply)
    expect(reply.body.error.details).toEqual({ field: 'pickupWindow.to' })
  })
})
