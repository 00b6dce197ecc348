import { beforeAll, expect, test } from 'vitest'
import { toMs, toTimestamp } from '../../../src/base/clock.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { getShipment, inOrder, openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/** The carrier timeouts are long, so that every simulated carrier responds in time even on a busy machine. */
const timeouts = { quoteMs: 20_000, createMs: 20_000, readMs: 20_000, cancelMs: 20_000 }

const started = useApi({ timeouts })

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const quote = (more: object = {}) => {
  const { reference: _, ...wanted } = Object(parcelTo(plainPhone, more))
  return post(started(), shop, 'quote', wanted)
}

test('a quote ranks offers by the measured reliability of each carrier in the zone and in all zones', async () => {
  const api = started()
  const reliabilityOf = async (carrier: string): Promise<number> => {
    const { body } = await quote()
    return body.offers.find((offer: ReplyBody) => offer.carrier === carrier).reliability
  }
  expect(await reliabilityOf('simulator-swift')).toBe(0.9)
  await select(
    api,
    `insert into carrier_records (zone_id, carrier, succeeded, failed, rolled_up_at)
     select zone_id, 'simulator-swift', 0, 40, $1 from (select id from delivery_zones union select '') zone (zone_id)`,
    [toTimestamp(api.clock.nowMs())],
  )
  expect(await reliabilityOf('simulator-swift')).toBeLessThan(0.1)
  expect(await reliabilityOf('simulator-saver')).toBe(0.9)
})

test('the assignment timeout of an accepted shipment is derived from the measured rider assignment times of its carrier', async () => {
  const api = started()
  const minutes = async () => {
    const { body } = await post(api, shop, 'dispatch', parcelTo(plainPhone, inOrder(['simulator-swift'])))
    const [row] = await select(
      api,
      'select assign_deadline as deadline, resolved_at as taken from dispatch_attempts where shipment_id = $1',
      [body.id],
    )
    return (Date.parse(row.deadline) - Date.parse(row.taken)) / 60_000
  }
  expect(await minutes()).toBe(10)
  await select(
    api,
    `insert into carrier_assignment_times (carrier, zone_id, is_on_demand, sample_size, p95_seconds, rolled_up_at)
     select 'simulator-swift', id, true, 30, 1500, now() from delivery_zones`,
  )
  expect(await minutes()).toBe(25)
})

test('getShipment returns the planned pickup, the quoted windows and the time of the first carrier call of a shipment', async () => {
  const api = started()
  const inMinutes = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * 60_000)
  const pickupWindow = { from: inMinutes(0), to: inMinutes(60) }
  const dropoffWindow = { from: inMinutes(60), to: inMinutes(120) }
  const { body: quoted } = await quote({ pickupWindow, dropoffWindow })
  const { body } = await post(api, shop, 'dispatch', { reference: randomCode(12), quoteId: quoted.id })
  const { body: shipment } = await getShipment(api, shop, body.id)
  expect(shipment).toMatchObject({ status: 'awaiting_courier', pickupWindow, dropoffWindow })
  expect(shipment.dispatchAt).toBe(shipment.createdAt)
  const { p50, p90 } = shipment.pickupEta
  expect(toMs(p50)).toBeGreaterThan(api.clock.nowMs())
  expect(toMs(p90)).toBeGreaterThan(toMs(p50))
  expect(toMs(p90)).toBeLessThanOrEqual(toMs(shipment.deliveryEta.p90))
  const { body: inline } = await post(api, shop, 'dispatch', parcelTo(plainPhone))
  expect(inline).toMatchObject({ pickupWindow: null, dropoffWindow: null })
})
