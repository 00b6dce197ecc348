import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { notBefore } from '../../../src/logistics/moments.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { scheduleBody } from '../../support/logistics/schedule.ts'
import { type ShipmentOptions, storedOffer, storeShipment } from '../../support/logistics/shipment.ts'
import type { Shop } from '../../support/shop.ts'

/** The times in one response are in the order of the delivery steps that they estimate. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const inMinutes = (minutes: number) => new Date(started().clock.nowMs() + minutes * 60_000).toISOString()

/**
 * Expects that no percentile of the second estimate is before the same percentile of the first estimate. Also expects
 * that no p90 is before the p50 of the same estimate.
 */
function expectOrder(first: ReplyBody, second: ReplyBody): void {
  for (const { p50, p90 } of [first, second]) expect(p90 >= p50, `${p50} to ${p90}`).toBe(true)
  expect(second.p50 >= first.p50, `${first.p50} before ${second.p50}`).toBe(true)
  expect(second.p90 >= first.p90, `${first.p90} before ${second.p90}`).toBe(true)
}

describe('a schedule', () => {
  test.for([
    {},
    { optimizeFor: 'rider_wait' },
    { optimizeFor: 'speed', prepMinutes: { p50: 5, p90: 600 } },
    { ready: 90 },
    { ready: 24 * 60 },
    { ready: 180, optimizeFor: 'speed' },
    { prepMinutes: { p50: 0, p90: 0 } },
  ])('a schedule plans no delivery before the rider arrives and the parcel is ready, for the request fields %o', async ({
    ready,
    ...more
  }) => {
    for (const carrier of ['simulator-swift', 'simulator-steady', 'simulator-saver']) {
      const readyAt = ready === undefined ? {} : { readyAt: inMinutes(ready) }
      const serviceLevels = ['on_demand', 'same_day', 'next_day']
      const body = scheduleBody({ dryRun: true, carriers: [carrier], serviceLevels, ...readyAt, ...more })
      const { body: made } = await post(started(), shop, 'predictive-schedule', body)
      for (const delivery of [made.dropoff, made.quote.dropoffEta]) {
        expectOrder(made.riderArrival, delivery)
        expectOrder(made.readyAt, delivery)
        expect(delivery.p50 >= made.scheduledPickupAt).toBe(true)
      }
      expect(made.scheduledPickupAt >= made.dispatchAt).toBe(true)
    }
  })
})

test('a carrier’s offer and its dispatch plan have no delivery time before their pickup time', async () => {
  const pickupWindow = { from: inMinutes(120), to: inMinutes(180) }
  for (const windows of [{}, { pickupWindow }]) {
    const body = { ...parcelTo(plainPhone), reference: undefined, ...windows }
    const { body: quote } = await post(started(), shop, 'quote', body)
    const { body: dispatched } = await post(started(), shop, 'dispatch', { quoteId: quote.id, reference: quote.id })
    expect(dispatched.plan.length).toBeGreaterThan(0)
    for (const { pickupEta, dropoffEta } of [...quote.offers, ...dispatched.plan]) expectOrder(pickupEta, dropoffEta)
  }
})

describe('a shipment', () => {
  const span = (p50: number, p90: number) => ({ p50: toTimestamp(inMs(p50)), p90: toTimestamp(inMs(p90)) })
  const inMs = (minutes: number) => started().clock.nowMs() + minutes * 60_000
  const read = async (fields: ShipmentOptions) => {
    const { id } = await storeShipment(started(), shop, fields)
    const path = `/api/v1/logistics/shipments/${id}`
    const { token } = shop
    const [shipment, tracking] = await Promise.all([
      started().send('GET', path, { token }),
      started().send('GET', `${path}/track`, { token }),
    ])
    return { shipment: shipment.body, tracking: tracking.body }
  }

  test('the delivery time of a shipment is never before its pickup time, even if the carrier states an earlier delivery', async () => {
    const estimates = { pickupEstimate: span(30, 45), deliveryEstimate: span(20, 40) }
    const { shipment, tracking } = await read({ status: 'awaiting_courier', ...estimates })
    expect(shipment.deliveryEta).toEqual(span(30, 45))
    expect(tracking.eta).toMatchObject(span(30, 45))
    const pickedUp = await read({ status: 'in_transit', pickedUpAt: toTimestamp(inMs(-5)), ...estimates })
    expect(pickedUp.shipment.deliveryEta).toEqual(span(20, 40))
    expect(pickedUp.tracking.eta).toMatchObject(span(20, 40))
  })

  test('the estimated delivery time of a scheduled shipment is not before its scheduled pickup time, even if the carrier estimates no pickup time', async () => {
    const dispatchAt = toTimestamp(inMs(60))
    const scheduledPickupAt = toTimestamp(inMs(105))
    const offer = { ...storedOffer(dispatchAt), pickupMinutes: null, dropoffMinutes: { p50: 20, p90: 60 } }
    const { shipment } = await read({ status: 'scheduled', dispatchAt, scheduledPickupAt, plan: [offer], attempts: [] })
    expect(shipment.plan).toMatchObject([{ pickupEta: null, dropoffEta: span(105, 120) }])
  })
})

test('if the delivery time that a carrier states is earlier than the pickup time, the offer gets the pickup time as the delivery time', () => {
  expect(notBefore({ p50: 20, p90: 70 }, { p50: 30, p90: 60 })).toEqual({ p50: 30, p90: 70 })
  expect(notBefore({ p50: 20, p90: 10 }, null)).toEqual({ p50: 20, p90: 20 })
})
