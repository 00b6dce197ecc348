import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { openLogistics } from '../../../src/logistics/carriers/context.ts'
import { checkDueShipments, checkShipment } from '../../../src/logistics/jobs/check-shipments.ts'
import { chargedFeeKobo } from '../../../src/logistics/shipments/cancellation-fee.ts'
import { dispatcher } from '../../../src/logistics/shipments/change-shipment.ts'
import type { Carrier, Tracking } from '../../../src/partners/carriers/carrier.ts'
import { useApi, vault } from '../../support/api.ts'
import { carriersOf, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment, testModeOf } from '../../support/logistics/shipment.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** Cancellation fees of carriers that first only acknowledge a cancellation request and report its result later. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = testModeOf(await openShop(started().context))
})

type Answer = Awaited<ReturnType<Carrier['cancel']>>

const feeKobo = toKobo(30_000)
const noAmounts = { feeKobo: undefined, refundKobo: undefined } as const
const acknowledged: Answer = { is: 'ok', value: { is: 'requested', feeKobo, refundKobo: undefined } }
const refused = (code: 'refused' | 'not_found'): Answer => ({ is: 'refused', code, message: 'Not now.' })

/**
 * Opens a shipment whose cancellation was requested with maxFeeKobo 10,000. The carrier has only acknowledged the
 * request and not reported the result.
 */
async function open(options: ShipmentOptions = {}) {
  const api = started()
  const carrier = testCarrier('simulator-swift')
  const context = openLogistics({ ...api.context, log: silentLog, vault, carriers: carriersOf(carrier) })
  const now = toTimestamp(api.clock.nowMs())
  const key = await storeShipment(api, shop, {
    status: 'cancelling',
    cancelRequestedAt: now,
    cancelReason: 'other',
    cancelMaxFeeKobo: toKobo(10_000),
    attempts: [{ state: 'cancelling' }],
    ...options,
  })
  const respond = (cancel: Answer, fields: Partial<Tracking>) => {
    carrier.answer = { is: 'ok', value: tracking(fields) }
    Object.assign(carrier, { cancel: async () => cancel })
  }
  const check = () => checkShipment({ context, tenant: shop.tenant, actor: dispatcher, id: key.id })
  respond(acknowledged, { status: 'awaiting_courier' })
  return { api, context, key, respond, check, read: () => readShipment(api, key) }
}

const tooMuch = {
  code: 'cancellation_fee_above_accepted',
  amounts: { allowedKobo: 10_000, chargedKobo: 30_000 },
}

describe('a cancellation fee in the carrier’s acknowledgement', () => {
  test('a cancellation fee in the carrier’s acknowledgement is stored and added to the timeline once, but not charged yet', async () => {
    const { check, read } = await open()
    await check()
    const { shipment, attempts, events } = await read()
    expect(attempts).toMatchObject([{ state: 'cancelling', cancelFeeKobo: 30_000 }])
    expect(shipment).toMatchObject({ status: 'cancelling', cancelFeeKobo: null, exceptions: [] })
    expect(events.filter(({ description }) => description.includes('₦300.00'))).toHaveLength(1)
    await check()
    expect((await read()).shipment.version).toBe(shipment.version)
  })

  test.for<[string, Answer, Tracking['status']]>([
    ['reports the cancellation when polled', acknowledged, 'cancelled'],
    ['confirms it without amounts', { is: 'ok', value: { is: 'cancelled', ...noAmounts } }, 'awaiting_courier'],
    ['does not know the order any more', refused('not_found'), 'awaiting_courier'],
    ['responds that it is cancelled already', refused('refused'), 'cancelled'],
  ])('the fee of a cancellation is charged and compared with maxFeeKobo when the carrier %s', async ([
    ,
    cancel,
    status,
  ]) => {
    const { check, respond, read } = await open()
    await check()
    respond(cancel, { status })
    await check()
    const { shipment, attempts } = await read()
    expect(attempts).toMatchObject([{ state: 'cancelled', cancelFeeKobo: 30_000 }])
    expect(shipment).toMatchObject({ status: 'cancelled', cancelFeeKobo: 30_000, exceptions: [tooMuch] })
  })

  test('a cancellation fee within maxFeeKobo opens no shipment exception', async () => {
    const { check, respond, read } = await open({ cancelMaxFeeKobo: feeKobo })
    await check()
    respond(acknowledged, { status: 'cancelled' })
    await check()
    expect((await read()).shipment).toMatchObject({ status: 'cancelled', cancelFeeKobo: 30_000, exceptions: [] })
  })

  test('the fee in the carrier’s final response replaces the cancellation fee of its acknowledgement', async () => {
    const { check, respond, read } = await open()
    await check()
    respond({ is: 'ok', value: { is: 'cancelled', feeKobo: toKobo(5_000), refundKobo: undefined } }, {})
    await check()
    expect((await read()).shipment).toMatchObject({ status: 'cancelled', cancelFeeKobo: 5_000, exceptions: [] })
  })

  test('when the carrier rejects the cancellation, the stored cancellation fee is cleared, and the exception tracking_stalled is resolved', async () => {
    const at = toTimestamp(started().clock.nowMs())
    const { check, respond, read } = await open({
      exceptions: [{ code: 'tracking_stalled', message: 'It is silent.', at }],
    })
    await check()
    respond(refused('refused'), { status: 'awaiting_courier' })
    await check()
    const { shipment, attempts } = await read()
    expect(attempts).toMatchObject([{ state: 'accepted', cancelFeeKobo: null }])
    expect(shipment).toMatchObject({ status: 'awaiting_courier', cancelFeeKobo: null })
    expect(shipment.exceptions).toMatchObject([{ code: 'tracking_stalled', resolvedAt: at }])
  })

  test.for([
    'picked_up',
    'delivered',
  ] as const)('a cancellation fee is cleared when the parcel is %s in spite of the cancellation', async (status) => {
    const { check, respond, read } = await open()
    await check()
    respond(acknowledged, { status })
    await check()
    const { shipment, attempts } = await read()
    expect(attempts[0]?.cancelFeeKobo).toBeNull()
    expect(shipment).toMatchObject({ status, cancelFeeKobo: null, exceptions: [] })
  })

  test('the cancellation fee of an order that a carrier accepted late is also stored, although the merchant accepted no fee', async () => {
    const { api, context, key, respond, read } = await open({
      status: 'failed',
      attempts: [{ state: 'abandoned', nextCheckAt: toTimestamp(started().clock.nowMs()) }],
    })
    const monitor = 'update dispatch_attempts set monitor_until = $2 where shipment_id = $1'
    await api.database.pool.query(monitor, [key.id, toTimestamp(api.clock.nowMs() + 3_600_000)])
    await checkDueShipments(context)
    expect((await read()).attempts).toMatchObject([{ state: 'abandoned', cancelFeeKobo: 30_000 }])
    respond(refused('refused'), { status: 'cancelled' })
    api.clock.advance(60_000)
    await checkDueShipments(context)
    const { shipment, attempts } = await read()
    expect(attempts).toMatchObject([{ state: 'late_cancelled', cancelFeeKobo: 30_000 }])
    expect(shipment.exceptions).toMatchObject([{ ...tooMuch, amounts: { allowedKobo: 0, chargedKobo: 30_000 } }])
  })

  test.for<[string, string, Answer, Tracking['status']]>([
    ['reports the order as cancelled', 'cancelled', acknowledged, 'cancelled'],
    [
      'confirms the cancellation',
      'superseded',
      { is: 'ok', value: { is: 'cancelled', ...noAmounts } },
      'awaiting_courier',
    ],
  ])('after an assignment timeout, the cancellation fee of the carrier order is compared with the accepted fee once the carrier %s', async ([
    ,
    state,
    cancel,
    status,
  ]) => {
    const at = toTimestamp(started().clock.nowMs())
    const { check, respond, read } = await open({
      status: 'awaiting_courier',
      cancelRequestedAt: null,
      cancelMaxFeeKobo: null,
      attempts: [{ assignDeadline: at }],
      plan: [{ ...nextOffer, expiresAt: at }],
    })
    await check()
    expect((await read()).attempts).toMatchObject([{ state: 'accepted', cancelFeeKobo: 30_000 }])
    respond(cancel, { status })
    await check()
    const { shipment, attempts } = await read()
    expect(attempts[0]).toMatchObject({ state, cancelFeeKobo: 30_000 })
    expect(shipment.exceptions).toMatchObject([{ ...tooMuch, amounts: { allowedKobo: 0, chargedKobo: 30_000 } }])
  })
})

const nextOffer = {
  offerId: null,
  carrier: 'simulator-steady',
  service: 'Bike',
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: toKobo(200_000),
  surgeKobo: toKobo(0),
  token: 'token',
  breakdown: [],
  pickupMinutes: null,
  dropoffMinutes: null,
  reliability: 0.9,
} as const

test('chargedFeeKobo is the price minus the refund after a cancellation, and undefined while the cancellation is only requested', () => {
  const order = { priceKobo: toKobo(250_000) }
  const refundKobo = toKobo(220_000)
  expect(chargedFeeKobo(order, { is: 'cancelled', feeKobo: undefined, refundKobo })).toBe(30_000)
  expect(chargedFeeKobo(order, { is: 'requested', feeKobo: undefined, refundKobo })).toBeUndefined()
})
