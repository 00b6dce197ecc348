import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { newOfferId, newOrderId, newQuoteId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
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

describe('400 responses of dispatchShipment', () => {
  test.for<[string, object, string]>([
    ['a reference with a space', { reference: 'a b' }, 'reference'],
    ['a malformed phone', { dropoff: { ...dropoffInputExample, phone: '+2340' } }, 'dropoff.phone'],
    ['too heavy a parcel', { parcels: [{ ...parcelExample, weightGrams: 50_001 }] }, 'parcels'],
    ['an offerId without a quoteId', { offerId: newOfferId(0) }, 'quoteId'],
    ['parcels with a quoteId', { quoteId: newQuoteId(0) }, 'parcels'],
    ['a vehicle with a quoteId', { quoteId: newQuoteId(0), vehicle: 'van' }, 'vehicle'],
    ['serviceLevels with a quoteId', { quoteId: newQuoteId(0), serviceLevels: ['standard'] }, 'serviceLevels'],
    ['carriers with a quoteId', { quoteId: newQuoteId(0), carriers: ['simulator-swift'] }, 'carriers'],
    ['no dropoff', { dropoff: undefined }, 'dropoff'],
    ['no parcels', { parcels: undefined }, 'parcels'],
    [
      'a PIN with undeliverableAction leave',
      { proof: { pin: '1234' }, undeliverableAction: 'leave_at_door' },
      'undeliverableAction',
    ],
    ['a PIN of letters', { proof: { pin: 'abcd' } }, 'proof.pin'],
    ['six attempts', { failover: { maxAttempts: 6 } }, 'failover.maxAttempts'],
    [
      'an assignment timeout of 59 seconds',
      { failover: { assignTimeoutSeconds: 59 } },
      'failover.assignTimeoutSeconds',
    ],
  ])('dispatchShipment returns 400 for %s', async ([, more, path]) => {
    const before = await contentsOf(started())
    const reply = await dispatch(parcelTo(plainPhone, more))
    answers('dispatchShipment', 'validation_failed', reply)
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ path: `body.${path}` }))
    expect(await contentsOf(started())).toEqual(before)
  })

  test('dispatchShipment returns contact_incomplete if neither the quote nor the dispatch names a contact for the pickup or the dropoff', async () => {
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

describe('404 responses of dispatchShipment', () => {
  test('dispatchShipment returns quote_not_found for an unknown quote, for another merchant’s quote and for an unknown offer', async () => {
    const { id } = await quoted()
    const other = await openTestShop(started())
    answers('dispatchShipment', 'quote_not_found', await dispatch(quotedRequest(newQuoteId(0))))
    answers('dispatchShipment', 'quote_not_found', await dispatch(quotedRequest(id), other))
    const offerId = (await quoted()).offers[0].id
    answers('dispatchShipment', 'quote_not_found', await dispatch(quotedRequest(id, { offerId })))
  })

  test('dispatchShipment returns order_not_found for an unknown order and for an order of another merchant', async () => {
    const api = started()
    const other = await placeOrder(api, await openShop(api.context))
    for (const orderId of [newOrderId(0), other.id]) {
      answers('dispatchShipment', 'order_not_found', await dispatch(parcelTo(plainPhone, { orderId })))
    }
  })
})

describe('409 responses of dispatchShipment', () => {
  test('dispatchShipment returns order_not_shippable for an order that the customer collects', async () => {
    const { id: orderId } = await placeOrder(started(), shop)
    const request = { reference: randomCode(12), orderId, pickup: pickupInputExample }
    const reply = await dispatch(request)
    answers('dispatchShipment', 'order_not_shippable', reply)
    expect(reply.body.error.details).toEqual({ missing: ['dropoff'] })
  })

  test('dispatchShipment returns outside_coverage for a point in the sea, with and without a quote', async () => {
    answers('dispatchShipment', 'outside_coverage', await dispatch(parcelTo(plainPhone, { dropoff: atSea })))
    const { id } = await quoted()
    answers('dispatchShipment', 'outside_coverage', await dispatch(quotedRequest(id, { dropoff: atSea })))
  })

  test('dispatchShipment returns quote_mismatch when the dispatch changes the pickup or dropoff of the quote', async () => {
    const { id } = await quoted()
    const moved = await dispatch(quotedRequest(id, { dropoff: { ...dropoffInputExample, area: 'Ikeja' } }))
    answers('dispatchShipment', 'quote_mismatch', moved)
    expect(moved.body.error.details).toEqual({ field: 'dropoff' })
    const location = { lat: 6.6, lng: 3.35 }
    const reply = await dispatch(quotedRequest(id, { pickup: { ...pickupInputExample, location } }))
    expect(reply.body.error.details).toEqual({ field: 'pickup' })
  })

  test('dispatchShipment returns quote_mismatch for the quote of another order, but accepts a quote without an order for any order', async () => {
    const api = started()
    const [first, second] = [await placeOrder(api, shop), await placeOrder(api, shop)]
    const { id } = await quoted({ orderId: first.id })
    const reply = await dispatch(quotedRequest(id, { orderId: second.id }))
    answers('dispatchShipment', 'quote_mismatch', reply)
    expect(reply.body.error.details).toEqual({ field: 'orderId' })
    expect((await dispatch(quotedRequest(id, { orderId: first.id }))).body).toMatchObject({ orderId: first.id })
    const free = (await quoted()).id
    const foreign = await placeOrder(api, await openShop(api.context))
    for (const orderId of [newOrderId(0), foreign.id]) {
      answers('dispatchShipment', 'order_not_found', await dispatch(quotedRequest(free, { orderId })))
    }
    const linked = await dispatch(quotedRequest(free, { orderId: second.id }))
    expect([linked.status, linked.body.orderId]).toEqual([201, second.id])
    const again = await dispatch(quotedRequest((await quoted()).id, { orderId: second.id }))
    answers('dispatchShipment', 'order_already_dispatched', again)
  })

  test('dispatchShipment returns proof_not_offered when no carrier offers a signature as proof, whether or not the request names a carrier', async () => {
    const { id, offers } = await quoted()
    for (const offerId of [undefined, offers[0].id]) {
      const reply = await dispatch(quotedRequest(id, { offerId, proof: { signature: true, photo: true } }))
      answers('dispatchShipment', 'proof_not_offered', reply)
      expect(reply.body.error.details).toEqual({ proof: ['photo', 'signature'] })
    }
    expect((await dispatch(quotedRequest(id, { proof: { photo: true } }))).status).toBe(201)
  })

  test('dispatchShipment returns pickup_missing until the merchant has a default pickup address', async () => {
    const api = started()
    const other = await openTestShop(api)
    const { pickup: _, ...nowhere } = places
    const request = { reference: randomCode(12), ...nowhere }
    answers('dispatchShipment', 'pickup_missing', await dispatch(request, other))
    answers('createQuote', 'pickup_missing', await post(api, other, 'quote', nowhere))
    const schedule = { reference: randomCode(12), ...nowhere }
    answers('createPredictiveSchedule', 'pickup_missing', await post(api, other, 'predictive-schedule', schedule))
    await select(api, 'update merchants set default_pickup = $2 where id = $1', [
      other.merchantId,
      { ...pickupInputExample, name: 'The back door' },
    ])
    const sent = await dispatch(request, other)
    expect([sent.status, sent.body.pickup.name]).toEqual([201, 'The back door'])
    expect((await post(api, other, 'quote', nowhere)).body.pickup.name).toBe('The back door')
    expect((await post(api, other, 'predictive-schedule', schedule)).status).toBe(201)
    expect(
      (await dispatch({ ...request, reference: randomCode(12), pickup: pickupInputExample }, other)).body.pickup.name,
    ).toBe(pickupInputExample.name)
  })

  test('dispatchShipment returns quote_already_used for every dispatch of a quote except the first, even if the dispatches are concurrent', async () => {
    const { id } = await quoted()
    const all = await Promise.all(Array.from({ length: 5 }, () => dispatch(quotedRequest(id))))
    const made = all.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const reply of [...all.filter(({ status }) => status !== 201), await dispatch(quotedRequest(id))]) {
      answers('dispatchShipment', 'quote_already_used', reply)
      expect(reply.body.error.details).toEqual({ shipmentId: made[0]?.body.id })
    }
  })

  test('dispatchShipment returns reference_conflict when a different request, even a concurrent one, has used the same reference', async () => {
    const request = parcelTo(plainPhone)
    const all = await Promise.all(['a', 'b', 'c'].map((word) => dispatch({ ...request, metadata: { word } })))
    const made = all.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const reply of all.filter(({ status }) => status !== 201)) {
      answers('dispatchShipment', 'reference_conflict', reply)
      expect(reply.body.error.details).toEqual({ shipmentId: made[0]?.body.id })
    }
  })

  test('if the price limit of the request is below every offer, dispatchShipment returns price_ceiling_too_low with the price of the cheapest offer', async () => {
    const before = await contentsOf(started())
    const reply = await dispatch(parcelTo(plainPhone, { failover: { maxPriceKobo: 1_000 } }))
    answers('dispatchShipment', 'price_ceiling_too_low', reply)
    const { cheapestKobo } = reply.body.error.details
    expect(await contentsOf(started())).toEqual(before)
    const paid = await dispatch(parcelTo(plainPhone, { failover: { maxPriceKobo: cheapestKobo } }))
    expect(paid.body).toMatchObject({ priceKobo: cheapestKobo, priceCeilingKobo: cheapestKobo })
  })

  test.for([
    '2026-11-21T08:00:00Z',
    '2026-12-26T08:00:00Z',
  ])('dispatchShipment returns time_in_past when scheduleAt is %s', async (scheduleAt) => {
    const reply = await dispatch(parcelTo(plainPhone, { scheduleAt }))
    answers('dispatchShipment', 'time_in_past', reply)
    expect(reply.body.error.details).toEqual({ field: 'scheduleAt' })
  })

  // This test is the last in its file, because it advances the clock, and the quotes of the other tests would expire.
  test('dispatchShipment returns quote_expired when the chosen offer or every offer has expired', async () => {
    const { id, offers, expiresAt } = await quoted()
    started().clock.advance(10 * 60_000)
    const reply = await dispatch(quotedRequest(id, { offerId: offers[0].id }))
    answers('dispatchShipment', 'quote_expired', reply)
    expect(reply.body.error.details).toMatchObject({ expiredAt: offers[0].expiresAt })
    const whole = await dispatch(quotedRequest(id))
    expect(whole.body.error.details).toMatchObject({ expiredAt: expiresAt })
  })

  test('dispatchShipment returns quote_expired with a new offer when the price of the new offer is within the price ceiling', async () => {
    const { id, offers } = await quoted({ carriers: ['simulator-swift'] })
    started().clock.advance(10 * 60_000)
    const ceiling = { failover: { maxPriceKobo: 2 * offers[0].priceKobo } }
    const { quoteId, offerId, priceKobo } = (await dispatch(quotedRequest(id, ceiling))).body.error.details
    expect(quoteId).not.toBe(id)
    const sent = await dispatch(quotedRequest(quoteId, { offerId, ...ceiling }))
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({ quoteId, priceKobo, carrier: { code: 'simulator-swift' } })
    expect(sent.body.plan.map(({ carrier }: { carrier: string }) => carrier)).not.toContain('simulator-steady')
  })

  test('in a dry run, or if the new offer is above the price ceiling, dispatchShipment returns quote_expired without a new offer and stores nothing', async () => {
    const { id } = await quoted()
    started().clock.advance(10 * 60_000)
    const before = await contentsOf(started())
    for (const more of [{ failover: { maxPriceKobo: 1_000 } }, { dryRun: true }]) {
      const { details } = (await dispatch(quotedRequest(id, more))).body.error
      expect(details).toMatchObject({ quoteId: null, offerId: null, priceKobo: null })
    }
    expect(await contentsOf(started())).toEqual(before)
  })
})

describe('503 no_carrier_available', () => {
  test('if no carrier makes an offer, dispatchShipment returns 503 no_carrier_available and stores the shipment as failed, without a dispatch attempt', async () => {
    const reply = await dispatch(parcelTo('+2348035551344'))
    answers('dispatchShipment', 'no_carrier_available', reply)
    expect(reply.body.error.details).toEqual({ shipmentId: expect.any(String), attempts: [] })
  })
})
