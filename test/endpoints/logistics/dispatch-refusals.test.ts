import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/quotes.ts'
import { randomCode } from '../../../src/ids.ts'
import { newOfferId, newOrderId, newQuoteId } from '../../../src/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { contentsOf } from '../../support/contents.ts'
import { openTestShop, parcelTo, plainPhone, post } from '../../support/parcel-run.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dispatch = (body: object, by = shop) => post(started(), by, 'dispatch', body)
const places = {
  pickup: pickupInputExample,
  dropoff: { ...dropoffInputExample, phone: plainPhone },
  parcels: [parcelExample],
}
const quoted = async (more: object = {}) => (await post(started(), shop, 'quote', { ...places, ...more })).body
const quotedRequest = (quoteId: string, more: object = {}) => ({ reference: randomCode(12), quoteId, ...more })
const atSea = { line1: 'Third buoy of the harbour', location: { lat: 5.2, lng: 3.4 } }

describe('400', () => {
  test.for<[string, object, string]>([
    ['a reference with a space', { reference: 'a b' }, 'reference'],
    ['a phone that there is not', { dropoff: { ...dropoffInputExample, phone: '+2340' } }, 'dropoff.phone'],
    ['too heavy a parcel', { parcels: [{ ...parcelExample, weightGrams: 50_001 }] }, 'parcels'],
    ['an offer of no quote', { offerId: newOfferId(0) }, 'quoteId'],
    ['parcels beside a quote', { quoteId: newQuoteId(0) }, 'parcels'],
    [
      'a PIN for a parcel left at the door',
      { proof: { pin: '1234' }, undeliverableAction: 'leave_at_door' },
      'undeliverableAction',
    ],
    ['a PIN of letters', { proof: { pin: 'abcd' } }, 'proof.pin'],
    ['six attempts', { failover: { maxAttempts: 6 } }, 'failover.maxAttempts'],
    [
      'a minute less than a minute for a rider',
      { failover: { assignTimeoutSeconds: 59 } },
      'failover.assignTimeoutSeconds',
    ],
  ])('%s', async ([, more, path]) => {
    const before = await contentsOf(started())
    const reply = await dispatch(parcelTo(plainPhone, more))
    answers('dispatchShipment', 'validation_failed', reply)
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ path: `body.${path}` }))
    expect(await contentsOf(started())).toEqual(before)
  })

  test('contact_incomplete: nobody is named at an end, and then the dispatch names them', async () => {
    const { id } = await quoted({
      pickup: { line1: pickupInputExample.line1, area: pickupInputExample.area },
      dropoff: { line1: dropoffInputExample.line1, area: dropoffInputExample.area, name: 'Adaeze Okafor' },
    })
    const reply = await dispatch(quotedRequest(id))
    answers('dispatchShipment', 'contact_incomplete', reply)
    expect(reply.body.error.details).toEqual({ missing: ['pickup.name', 'pickup.phone', 'dropoff.phone'] })
    const completed = await dispatch(quotedRequest(id, { pickup: pickupInputExample, dropoff: places.dropoff }))
    expect(completed.status, completed.text).toBe(201)
    expect(completed.body).toMatchObject({
      quoteId: id,
      pickup: { name: 'Ankara House', phone: pickupInputExample.phone },
      dropoff: { name: 'Adaeze Okafor', phone: plainPhone, landmark: dropoffInputExample.landmark },
    })
  })
})

describe('404', () => {
  test('quote_not_found: nobody has it, another merchant has, or it has no such offer', async () => {
    const { id } = await quoted()
    const other = await openTestShop(started())
    answers('dispatchShipment', 'quote_not_found', await dispatch(quotedRequest(newQuoteId(0))))
    answers('dispatchShipment', 'quote_not_found', await dispatch(quotedRequest(id), other))
    const offerId = (await quoted()).offers[0].id
    answers('dispatchShipment', 'quote_not_found', await dispatch(quotedRequest(id, { offerId })))
  })

  test('order_not_found: nobody has it, or another merchant has', async () => {
    const api = started()
    const other = await placeOrder(api, await openShop(api.context))
    for (const orderId of [newOrderId(0), other.id]) {
      answers('dispatchShipment', 'order_not_found', await dispatch(parcelTo(plainPhone, { orderId })))
    }
  })
})

describe('409', () => {
  test('order_not_shippable: it is collected', async () => {
    const { id: orderId } = await placeOrder(started(), shop)
    const request = { reference: randomCode(12), orderId, pickup: pickupInputExample }
    const reply = await dispatch(request)
    answers('dispatchShipment', 'order_not_shippable', reply)
    expect(reply.body.error.details).toEqual({ missing: ['dropoff'] })
  })

  test('outside_coverage: a point in the sea, with a quote and without', async () => {
    answers('dispatchShipment', 'outside_coverage', await dispatch(parcelTo(plainPhone, { dropoff: atSea })))
    const { id } = await quoted()
    answers('dispatchShipment', 'outside_coverage', await dispatch(quotedRequest(id, { dropoff: atSea })))
  })

  test('quote_mismatch: the dispatch moves a place that was quoted', async () => {
    const { id } = await quoted()
    const moved = await dispatch(quotedRequest(id, { dropoff: { ...dropoffInputExample, area: 'Ikeja' } }))
    answers('dispatchShipment', 'quote_mismatch', moved)
    expect(moved.body.error.details).toEqual({ place: 'dropoff' })
    const location = { lat: 6.6, lng: 3.35 }
    const reply = await dispatch(quotedRequest(id, { pickup: { ...pickupInputExample, location } }))
    expect(reply.body.error.details).toEqual({ place: 'pickup' })
  })

  test('quote_already_used: by one of five dispatches at once, and by all later ones', async () => {
    const { id } = await quoted()
    const all = await Promise.all(Array.from({ length: 5 }, () => dispatch(quotedRequest(id))))
    const made = all.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const reply of [...all.filter(({ status }) => status !== 201), await dispatch(quotedRequest(id))]) {
      answers('dispatchShipment', 'quote_already_used', reply)
      expect(reply.body.error.details).toEqual({ shipmentId: made[0]?.body.id })
    }
  })

  test('reference_conflict: another request has used it, though at the same moment', async () => {
    const request = parcelTo(plainPhone)
    const all = await Promise.all(['a', 'b', 'c'].map((word) => dispatch({ ...request, metadata: { word } })))
    const made = all.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const reply of all.filter(({ status }) => status !== 201)) {
      answers('dispatchShipment', 'reference_conflict', reply)
      expect(reply.body.error.details).toEqual({ shipmentId: made[0]?.body.id })
    }
  })

  test('price_ceiling_too_low: with the cheapest offer that there is', async () => {
    const before = await contentsOf(started())
    const reply = await dispatch(parcelTo(plainPhone, { failover: { maxPriceKobo: 1_000 } }))
    answers('dispatchShipment', 'price_ceiling_too_low', reply)
    const { cheapestKobo } = reply.body.error.details
    expect(await contentsOf(started())).toEqual(before)
    const paid = await dispatch(parcelTo(plainPhone, { failover: { maxPriceKobo: cheapestKobo } }))
    expect(paid.body).toMatchObject({ priceKobo: cheapestKobo, priceCeilingKobo: cheapestKobo })
  })

  test.for(['2026-11-21T08:00:00Z', '2026-12-26T08:00:00Z'])('time_in_past: to be sent at %s', async (scheduleAt) => {
    const reply = await dispatch(parcelTo(plainPhone, { scheduleAt }))
    answers('dispatchShipment', 'time_in_past', reply)
    expect(reply.body.error.details).toEqual({ field: 'scheduleAt' })
  })

  // The clock of the file runs on, so this is the last that needs its quotes.
  test('quote_expired: the chosen offer has ended, then all have', async () => {
    const { id, offers, expiresAt } = await quoted()
    started().clock.advance(10 * 60_000)
    const reply = await dispatch(quotedRequest(id, { offerId: offers[0].id }))
    answers('dispatchShipment', 'quote_expired', reply)
    expect(reply.body.error.details).toEqual({ expiredAt: offers[0].expiresAt })
    const whole = await dispatch(quotedRequest(id))
    expect(whole.body.error.details).toEqual({ expiredAt: expiresAt })
  })
})

describe('503 no_carrier_available', () => {
  test('nobody offers anything: the shipment is kept as failed, without an asking', async () => {
    const reply = await dispatch(parcelTo('+2348035551344'))
    answers('dispatchShipment', 'no_carrier_available', reply)
    expect(reply.body.error.details).toEqual({ shipmentId: expect.any(String), attempts: [] })
  })
})
