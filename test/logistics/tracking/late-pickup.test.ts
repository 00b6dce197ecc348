import { beforeAll, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openLogistics } from '../../../src/logistics/carriers/context.ts'
import { pollShipment } from '../../../src/logistics/tracking/poll-shipment.ts'
import { useApi, vault } from '../../support/api.ts'
import { carriersOf, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment, testModeOf } from '../../support/logistics/shipment.ts'
import { mintToken, openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
let token: string
beforeAll(async () => {
  shop = testModeOf(await openShop(started().context))
  token = (await mintToken(started().context, shop.tenant, {})).token
})

const minuteMs = 60_000

/** Opens a shipment whose pickup is estimated in 10 minutes at p50 and in 20 minutes at p90. */
async function open(options: ShipmentOptions = {}) {
  const api = started()
  const carrier = testCarrier('simulator-swift')
  carrier.answer = { is: 'ok', value: tracking({ status: 'awaiting_courier' }) }
  const context = openLogistics({ ...api.context, log: silentLog, vault, carriers: carriersOf(carrier) })
  const inMinutes = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * minuteMs)
  const pickupEstimate = { p50: inMinutes(10), p90: inMinutes(20) }
  const key = await storeShipment(api, shop, { pickupEstimate, ...options })
  return {
    api,
    carrier,
    key,
    p90: pickupEstimate.p90,
    poll: () => pollShipment(context, shop.tenant, key),
    codes: async () => (await readShipment(api, key)).shipment.exceptions.map(({ code }) => code),
  }
}

test('the exception pickup_late is raised once, half an hour after the estimated pickup time, with the estimate as data', async () => {
  const { api, key, p90, poll, codes } = await open()
  api.clock.advance(50 * minuteMs)
  await poll()
  expect(await codes()).toEqual([])
  const { version } = (await readShipment(api, key)).shipment
  api.clock.advance(1)
  await poll()
  await poll()
  const { body } = await api.send('GET', `/api/v1/logistics/shipments/${key.id}`, { token })
  expect(body.exceptions).toEqual([
    {
      code: 'pickup_late',
      message: expect.stringContaining(p90),
      carrier: 'simulator-swift',
      attemptNumber: null,
      at: toTimestamp(api.clock.nowMs()),
      resolvedAt: null,
      amounts: null,
    },
  ])
  expect(body.exceptions[0].message).toMatch(/^Simulator Swift has not picked up the parcel/)
  expect(body).toMatchObject({ version: version + 1, status: 'awaiting_courier', pickupEta: { p90 } })
})

test('the exception pickup_late is resolved by the pickup of the parcel, and not by the assignment of a rider', async () => {
  const { api, key, carrier, poll } = await open()
  const resolvedAt = async () =>
    (await readShipment(api, key)).shipment.exceptions.map((exception) => exception.resolvedAt)
  api.clock.advance(51 * minuteMs)
  await poll()
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
  await poll()
  expect(await resolvedAt()).toEqual([undefined])
  carrier.answer = { is: 'ok', value: tracking({ status: 'picked_up' }) }
  await poll()
  expect(await resolvedAt()).toEqual([toTimestamp(api.clock.nowMs())])
})

test('the exception pickup_late is raised by a poll of the shipment even if the carrier does not respond to the poll', async () => {
  const { api, carrier, poll, codes } = await open()
  carrier.answer = { is: 'unknown', cause: 'timeout', message: 'Nothing.' }
  api.clock.advance(51 * minuteMs)
  await poll()
  expect(await codes()).toEqual(['pickup_late'])
})

test('a poll whose response reports a late pickup does not raise the exception pickup_late', async () => {
  const { api, carrier, poll, codes } = await open()
  carrier.answer = { is: 'ok', value: tracking({ status: 'picked_up' }) }
  api.clock.advance(51 * minuteMs)
  await poll()
  expect(await codes()).toEqual([])
})

test.for<[ShipmentStatus, boolean]>([
  ['awaiting_courier', true],
  ['courier_assigned', true],
  ['at_pickup', true],
  ['picked_up', false],
  ['in_transit', false],
  ['cancelling', false],
])('a shipment in status %s raises the exception pickup_late: %s', async ([status, isRaised]) => {
  const { api, carrier, poll, codes } = await open({ status })
  carrier.answer = { is: 'ok', value: tracking({ status }) }
  api.clock.advance(51 * minuteMs)
  await poll()
  expect(await codes()).toEqual(isRaised ? ['pickup_late'] : [])
})

test('the exception pickup_late is not raised for a shipment without an estimated pickup time', async () => {
  const { api, poll, codes } = await open({ pickupEstimate: null })
  api.clock.advance(600 * minuteMs)
  await poll()
  expect(await codes()).toEqual([])
})

test('the exception pickup_late is raised again when a new estimate of the pickup time has also passed', async () => {
  const { api, key, poll, codes } = await open()
  api.clock.advance(51 * minuteMs)
  await poll()
  const later = toTimestamp(api.clock.nowMs() + 20 * minuteMs)
  await api.database.pool.query('update shipments set pickup_estimate = $2 where id = $1', [
    key.id,
    JSON.stringify({ p50: later, p90: later }),
  ])
  await poll()
  expect(await codes()).toEqual(['pickup_late'])
  api.clock.advance(51 * minuteMs)
  await poll()
  expect(await codes()).toEqual(['pickup_late', 'pickup_late'])
})
