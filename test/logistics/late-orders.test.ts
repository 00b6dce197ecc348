import { beforeAll, expect, test } from 'vitest'
import { toTimestamp } from '../../src/clock.ts'
import { noKobo, toKobo } from '../../src/commerce/money.ts'
import { silentLog } from '../../src/log.ts'
import { openLogistics } from '../../src/logistics/context.ts'
import { lookAtShipments } from '../../src/logistics/shipment/look-at-shipment.ts'
import type { KeptAttempt, PlannedOffer } from '../../src/store/shipment-columns.ts'
import { useApi, vault } from '../support/api.ts'
import { carriersOf, testCarrier, tracking } from '../support/carrier.ts'
import { keepShipment, keptShipment, type ShipmentOptions, twinOf } from '../support/shipment.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** Askings that were given up, and what is known of their orders afterwards. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = twinOf(await openShop(started().context))
})

const minuteMs = 60_000

/** An asking of an hour ago that was given up, and is due to be looked for. */
async function open(attempt: Partial<KeptAttempt>, options: ShipmentOptions) {
  const api = started()
  const carrier = testCarrier('simulator-swift')
  const context = openLogistics({ ...api.context, log: silentLog, vault, carriers: carriersOf(carrier) })
  const inMinutes = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * minuteMs)
  const startedAt = inMinutes(-60)
  const givenUp = { state: 'abandoned', startedAt, nextLookAt: inMinutes(0), watchUntil: inMinutes(60) } as const
  const key = await keepShipment(api, shop, { ...options, attempts: [{ ...givenUp, ...attempt }] })
  return {
    carrier,
    key,
    inMinutes,
    startedAt,
    look: () => lookAtShipments(context),
    read: () => keptShipment(api, key),
  }
}

const offer: PlannedOffer = {
  offerId: null,
  carrier: 'simulator-swift',
  service: 'Bike express',
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: toKobo(250_000),
  surgeKobo: noKobo,
  token: 'token',
  breakdown: [],
  pickupMinutes: { p50: 10, p90: 20 },
  dropoffMinutes: { p50: 30, p90: 50 },
  reliability: 0.9,
  expiresAt: toTimestamp(0),
}

test('one that is adopted late is expected by when its carrier was asked', async () => {
  const { carrier, inMinutes, look, read } = await open({ offer }, { status: 'dispatching', carrier: null })
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
  await look()
  const { shipment } = await read()
  expect(shipment).toMatchObject({
    status: 'awaiting_courier',
    pickupEstimate: { p50: inMinutes(-50), p90: inMinutes(-40) },
    deliveryEstimate: { p50: inMinutes(-30), p90: inMinutes(-10) },
    // What is waited for, and learnt from, begins when it was heard of.
    acceptedAt: inMinutes(0),
  })
})

test('one that is adopted late is expected when its carrier says, where it does, and is not called off any more', async () => {
  const wasToGo = { offer, cancelFeeKobo: toKobo(30_000) }
  const { carrier, inMinutes, look, read } = await open(wasToGo, { status: 'dispatching', carrier: null })
  const dropoffAt = { p50: inMinutes(5), p90: inMinutes(9) }
  carrier.answer = { is: 'ok', value: tracking({ status: 'courier_assigned', dropoffAt }) }
  await look()
  const { shipment, attempts } = await read()
  expect(shipment).toMatchObject({ status: 'awaiting_courier', deliveryEstimate: dropoffAt })
  expect(attempts).toMatchObject([{ state: 'accepted', cancelFeeKobo: null }])
})

test('one whose carrier cannot be asked is warned of by its name, whoever else was warned of, and once', async () => {
  const told = 'Simulator Steady never said whether it took the shipment, and cannot be asked: call it.'
  const at = toTimestamp(started().clock.nowMs())
  const { look, read, inMinutes } = await open(
    { carrierReference: null, watchUntil: at, carrier: 'simulator-swift' },
    { status: 'failed', exceptions: [{ code: 'possible_duplicate', message: told, at }] },
  )
  await look()
  const warned = (await read()).shipment.exceptions
  expect(warned).toMatchObject([
    { code: 'possible_duplicate', message: told },
    { code: 'possible_duplicate', message: expect.stringMatching(/^Simulator Swift never said/), at: inMinutes(0) },
  ])
})

test('one that was warned of already is not warned of again in other words', async () => {
  const at = toTimestamp(started().clock.nowMs())
  const message = 'Simulator Swift never said whether it took the shipment.'
  const exceptions = [{ code: 'possible_duplicate', message, at }] as const
  const { look, read } = await open({ carrierReference: null, watchUntil: at }, { status: 'failed', exceptions })
  await look()
  expect((await read()).shipment.exceptions).toEqual(exceptions)
})
