import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { nairaText } from '../../../src/base/naira.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  getShipment,
  inOrder,
  openTestShop,
  ordersOf,
  parcelTo,
  pass,
  plainPhone,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dispatch = (body: object) => post(started(), shop, 'dispatch', body)
const quote = async (more: object = {}): Promise<ReplyBody> => {
  const dropoff = { ...dropoffInputExample, phone: plainPhone }
  const body = { pickup: pickupInputExample, dropoff, parcels: [parcelExample], ...more }
  return (await post(started(), shop, 'quote', body)).body
}

const steadyFirst = inOrder(['simulator-steady', 'simulator-swift', 'simulator-saver'])

describe('a dispatch', () => {
  test('a dispatch without a quote requests offers and places an order with the carrier of the best offer', async () => {
    const { status, body, headers } = await dispatch(parcelTo(plainPhone))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ status: 'awaiting_courier', mode: 'test', version: 3 })
    expect(attemptsOf(body)).toEqual([[expect.any(String), 'accepted', 'accepted']])
    expect(headers.get('location')).toBe(`/api/v1/logistics/shipments/${body.id}`)
    expect((await getShipment(started(), shop, body.id)).body).toEqual(body)
  })

  test('a dispatch requests the next carrier when the first carrier rejects the shipment', async () => {
    const { status, body } = await dispatch(parcelTo('+2348035550100', steadyFirst))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(attemptsOf(body)).toEqual([
      ['steady', 'refused', 'couriers_busy'],
      ['swift', 'accepted', 'accepted'],
    ])
  })

  test('if a carrier accepts a dispatch without responding, the service finds the carrier’s order and continues the shipment with this order', async () => {
    const { status, body } = await dispatch(parcelTo('+2348035550120', steadyFirst))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(attemptsOf(body)).toEqual([
      ['steady', 'refused', 'couriers_busy'],
      ['swift', 'accepted', 'accepted'],
    ])
  })

  test('a dispatch returns 503 when no carrier accepts, stores every dispatch attempt, and returns the same response to a repeated request', async () => {
    const request = parcelTo('+2348035550111', steadyFirst)
    const reply = await dispatch(request)
    answers('dispatchShipment', 'no_carrier_available', reply)
    const { body, headers } = reply
    expect(headers.get('retry-after')).toBe('120')
    const { details } = body.error
    const kept = await getShipment(started(), shop, details.shipmentId)
    expect(kept.body).toMatchObject({ status: 'failed', statusReason: { code: 'no_carrier_available' } })
    expect(kept.body.attempts.length).toBe(details.attempts.length)
    const again = await dispatch(request)
    answers('dispatchShipment', 'no_carrier_available', again)
    expect(again.body.error.details).toEqual(details)
  })

  test('a dispatch returns 503 and names the lowest price when every offer is above the price ceiling', async () => {
    const failover = { strategy: 'cheapest', maxAttempts: 5, maxPriceIncreaseKobo: 0 }
    const reply = await dispatch(parcelTo('+2348035550111', { failover }))
    answers('dispatchShipment', 'no_carrier_available', reply)
    const { message, details } = reply.body.error
    const { body } = await getShipment(started(), shop, details.shipmentId)
    const [asked, ...dearer] = body.attempts
    expect([asked.state, asked.priceKobo]).toEqual(['refused', body.priceCeilingKobo])
    expect(dearer.length).toBeGreaterThan(1)
    for (const { state, outcome, priceKobo } of dearer) {
      expect([state, outcome.code]).toEqual(['skipped', 'price'])
      expect(priceKobo).toBeGreaterThan(body.priceCeilingKobo)
    }
    const least = Math.min(...dearer.map(({ priceKobo }: ReplyBody) => priceKobo))
    expect(message).toBe(
      `No carrier accepted the shipment within the price ceiling of ${nairaText(body.priceCeilingKobo)}. ${dearer.length} offers cost more, the cheapest ${nairaText(least)}.`,
    )
    // Offers above the price ceiling are excluded from the start, so the plan of the dispatch does not contain them.
    expect(body.plan.map(({ priceKobo }: ReplyBody) => priceKobo)).toEqual([body.priceCeilingKobo])
  })

  test('a dispatch returns the same shipment when repeated, and 409 for a different request with the same reference', async () => {
    const request = parcelTo(plainPhone)
    const first = await dispatch(request)
    const again = await dispatch(request)
    expect({ status: again.status, id: again.body.id }).toEqual({ status: 200, id: first.body.id })
    const other = await dispatch({ ...request, metadata: { more: 'yes' } })
    expect({ status: other.status, code: other.body.error.code }).toEqual({ status: 409, code: 'reference_conflict' })
    expect(other.body.error.details).toEqual({ shipmentId: first.body.id })
  })
})

describe('a dispatch of a quote', () => {
  test('a dispatch of a quote starts with the best offer of the fastest service level, and five concurrent requests create one shipment', async () => {
    const { id, offers } = await quote()
    const request = { reference: randomCode(12), quoteId: id }
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => dispatch(request)))
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    const shipment = await readValidShipment(started(), shop, all[0]?.body.id)
    const best = offers.find(({ serviceLevel }: ReplyBody) => serviceLevel === 'on_demand')
    const { carrier, priceKobo, service } = best
    expect(shipment).toMatchObject({
      quoteId: id,
      carrier: { code: carrier },
      service,
      priceKobo,
      quotedPriceKobo: priceKobo,
    })
    expect(await ordersOf(started(), shipment.id)).toHaveLength(1)
    const kept = await select(started(), 'select id from shipments where reference = $1', [request.reference])
    expect(kept).toHaveLength(1)
  })

  test('a dispatch of a quote starts with the chosen offer', async () => {
    const { id, offers } = await quote()
    const { id: offerId, carrier, service, priceKobo } = offers.at(-1)
    const { body } = await dispatch({ reference: randomCode(12), quoteId: id, offerId })
    expect(body).toMatchObject({ carrier: { code: carrier }, service, priceKobo })
  })
})

describe('a dry run of a dispatch', () => {
  const path = '/api/v1/logistics/dispatch'

  test('a dry run of a dispatch returns the planned carriers in order, calls no carrier and stores nothing', async () => {
    const api = started()
    const before = await contentsOf(api)
    const asked = await dispatch(parcelTo(plainPhone, { ...steadyFirst, dryRun: true }))
    const body = parcelTo(plainPhone, steadyFirst)
    const headers = { 'Service-Dry-Run': 'true' }
    const headed = await api.send('POST', path, { token: shop.token, body, headers })
    expect([asked.status, headed.status]).toEqual([200, 201])
    for (const { body: planned } of [asked, headed]) {
      expect(planned.status).toBe('dispatching')
      expect(planned.attempts).toEqual([])
      const carriers = planned.plan.map(({ carrier }: ReplyBody) => carrier)
      expect([...new Set(carriers)]).toEqual(['simulator-steady', 'simulator-swift', 'simulator-saver'])
      for (const { priceKobo, expectedCostKobo, dropoffEta } of planned.plan) {
        expect(expectedCostKobo).toBeGreaterThan(priceKobo)
        expect(dropoffEta.p50 < dropoffEta.p90).toBe(true)
      }
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a dry run of a dispatch uses up neither the reference nor the quote', async () => {
    const { id: quoteId } = await quote()
    const request = { reference: randomCode(12), quoteId }
    expect((await dispatch({ ...request, dryRun: true })).status).toBe(200)
    expect((await dispatch(request)).status).toBe(201)
  })
})

describe('a scheduled dispatch', () => {
  const scheduleAt = '2026-11-21T10:00:00.000Z'

  test('a scheduled dispatch starts at its scheduled time, with the offers that the carriers make at that time', async () => {
    const api = started()
    const more = { scheduleAt, carriers: ['simulator-steady', 'simulator-saver'], serviceLevels: ['same_day'] }
    const { status, body } = await dispatch(parcelTo(plainPhone, more))
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'scheduled', dispatchAt: scheduleAt, attempts: [], carrier: null })
    api.clock.advance(Date.parse(scheduleAt) - 1_001 - api.clock.nowMs())
    await pass(api, 1, 1)
    expect((await readValidShipment(api, shop, body.id)).status).toBe('scheduled')
    await pass(api, 5, 5)
    const sent = await readValidShipment(api, shop, body.id)
    expect(sent).toMatchObject({ status: 'awaiting_courier', serviceLevel: 'same_day' })
    expect(sent.quotedPriceKobo).toBe(sent.priceKobo)
    expect(await ordersOf(api, body.id)).toHaveLength(1)
  })

  test('a scheduled dispatch of a quote starts with the quote’s offer, or with a new offer of the same service', async () => {
    const api = started()
    const { id: quoteId, offers } = await quote({ serviceLevels: ['on_demand', 'same_day'] })
    const at = new Date(api.clock.nowMs() + 3 * 3_600_000).toISOString()
    const { body } = await dispatch({ reference: randomCode(12), quoteId, scheduleAt: at })
    await pass(api, 3 * 3600 + 60, 60)
    const sent = await readValidShipment(api, shop, body.id)
    expect(sent.attempts).toHaveLength(1)
    expect(sent).toMatchObject({ service: offers[0].service, carrier: { code: offers[0].carrier } })
  })
})

describe('a shipment', () => {
  test.for(
    testCarrierCodes,
  )('a shipment with the carrier %s reaches its final status and emits an event for each status change', async (carrier) => {
    const { body } = await dispatch(parcelTo(plainPhone, inOrder([carrier])))
    await pass(started(), 3600, 30)
    const end = await readValidShipment(started(), shop, body.id)
    expect(end.status, JSON.stringify(end.timeline)).toBe('delivered')
    expect(end).toMatchObject({ carrier: { code: carrier }, courier: null, attempts: [{ state: 'completed' }] })
    expect([end.assignedAt, end.pickedUpAt, end.deliveredAt].every(Boolean)).toBe(true)
    expect(await ridersOf(started(), body.id)).toHaveLength(1)
  })

  test('the response of a dispatch contains the merchant’s metadata and a delivery PIN, which the merchant sets or the service generates', async () => {
    const proof = { photo: true, pin: 'generate' }
    const { body } = await dispatch(parcelTo(plainPhone, { proof, metadata: { table: '7' } }))
    expect(body).toMatchObject({ metadata: { table: '7' }, proof: { photo: true, signature: false, captured: [] } })
    expect(body.proof.pin).toMatch(/^\d{4}$/)
    const given = await dispatch(parcelTo(plainPhone, { proof: { pin: '482100' } }))
    expect(given.body.proof.pin).toBe('482100')
    const rows = await select(started(), 'select has_pin from simulated_orders where reference = $1', [`${body.id}-1`])
    expect(rows).toEqual([{ has_pin: true }])
  })
})
