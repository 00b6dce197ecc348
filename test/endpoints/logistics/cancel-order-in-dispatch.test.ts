import { beforeAll, describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import { startScheduled } from '../../../src/logistics/schedule/start-scheduled.ts'
import { dispatcher } from '../../../src/logistics/shipments/change-shipment.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  cancelShipment,
  inOrder,
  openTestShop,
  orderTo,
  pass,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import { readShipment } from '../../support/logistics/shipment.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

const simulate = useSimulatedCarriers(started)

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const named = (orderId: string, more: object) => ({
  orderId,
  pickup: pickupInputExample,
  reference: randomCode(12),
  ...more,
})
const keyOf = (id: string) => ({ merchantId: shop.merchantId, id: ShipmentId.parse(id) })

async function dispatch(orderId: string, more: object): Promise<ReplyBody> {
  const { status, body } = await post(started(), shop, 'dispatch', named(orderId, more))
  expect([201, 202, 503], JSON.stringify(body)).toContain(status)
  return body
}

async function cancel(orderId: string): Promise<void> {
  const path = `/api/v1/orders/${orderId}/cancel`
  const reply = await started().send('POST', path, { token: shop.token, body: { reason: 'customer' } })
  expect(reply.status, reply.text).toBe(200)
}

const later = async (seconds: number, id: string, step = 10) => {
  await pass(started(), seconds, step)
  return readValidShipment(started(), shop, id)
}

describe('cancelling an order during its dispatch', () => {
  test('the next check cancels the scheduled shipment of a cancelled order, and does not plan the request to the carrier again', async () => {
    const api = started()
    const id = await orderTo(api, shop)
    const minutes = { prepMinutes: { p50: 60, p90: 90 } }
    const { body } = await post(api, shop, 'predictive-schedule', named(id, minutes))
    api.clock.advance(Date.parse(body.replanAt) - api.clock.nowMs())
    const key = keyOf(body.shipmentId)
    const whole = await readShipment(api, key)
    await cancel(id)
    const marked = (await readShipment(api, key)).shipment
    await startScheduled({ context: api.logistics, tenant: shop.tenant, actor: dispatcher, id: key.id }, whole)
    expect((await readShipment(api, key)).shipment).toEqual(marked)
    const plans = 'select replanned_at from schedule_predictions where shipment_id = $1'
    expect(await select(api, plans, [key.id])).toEqual([{ replanned_at: null }])
    await checkDueShipments(api.logistics)
    expect((await readShipment(api, key)).shipment).toMatchObject({
      status: 'cancelled',
      statusCode: 'order_cancelled',
    })
  })

  test('when an order is cancelled during a dispatch request, the service waits until the request ends, then cancels at the carrier', async () => {
    const api = started()
    const id = await orderTo(api, shop)
    const lookUpTimes: number[] = []
    let due: unknown
    simulate('simulator-swift', ({ create, find }) => ({
      create: async (...args) => {
        await cancel(id)
        await checkDueShipments(api.logistics)
        const rows = "select next_check_at as at from shipments where merchant_id = $1 and status = 'cancelling'"
        due = await select(api, rows, [shop.merchantId])
        return create(...args)
      },
      find: async (...args) => {
        lookUpTimes.push(api.clock.nowMs())
        return find?.(...args) ?? { is: 'ok', value: { is: 'absent' } }
      },
    }))
    const body = await dispatch(id, inOrder(['simulator-swift']))
    expect(lookUpTimes).toEqual([])
    const endMs = Date.parse(body.attempts[0].startedAt) + api.logistics.timeouts.createMs + 5_000
    expect(due).toEqual([{ at: toTimestamp(endMs) }])
    expect(body).toMatchObject({ status: 'cancelling', statusReason: { code: 'order_cancelled' } })
    const ended = await later(10, body.id)
    expect(ended).toMatchObject({ status: 'cancelled', statusReason: { code: 'order_cancelled' } })
    expect(await ridersOf(api, body.id)).toEqual([])
  })

  test.for<[string, string, string]>([
    ['accepts', 'cancelling', 'cancelled'],
    ['rejects', 'cancelled', 'cancelled'],
  ])('when an order is cancelled while the carrier %s the dispatch attempt, the shipment is cancelled with the reason order_cancelled', async ([
    what,
    first,
    last,
  ]) => {
    const api = started()
    const id = await orderTo(api, shop)
    simulate('simulator-swift', ({ create }) => ({
      create: async (...args) => {
        await cancel(id)
        return what === 'rejects' ? { is: 'refused', code: 'couriers_busy', message: 'No rider.' } : create(...args)
      },
    }))
    const shipment = await dispatch(id, inOrder(['simulator-swift', 'simulator-steady']))
    const reason = { code: 'order_cancelled', message: 'The order was cancelled.' }
    expect(shipment).toMatchObject({ status: first, statusReason: reason })
    expect(await later(20, shipment.id)).toMatchObject({ status: last, statusReason: reason, attempts: [{}] })
    expect(await ridersOf(api, shipment.id)).toEqual([])
  })

  test('when an order is cancelled after a rider was assigned, the shipment continues, because a cancellation at the carrier would cost a fee', async () => {
    const api = started()
    const id = await orderTo(api, shop)
    simulate('simulator-swift', ({ create }) => ({
      create: async (...args) => {
        await cancel(id)
        const accepted = await create(...args)
        // Advances the clock to a time at which the carrier has assigned a rider and charges 50,000 kobo for a
        // cancellation.
        api.clock.advance(35_000)
        return accepted
      },
    }))
    const { id: shipmentId } = await dispatch(id, inOrder(['simulator-swift']))
    const kept = await later(20, shipmentId)
    expect(kept.status).toMatch(/^(courier_assigned|at_pickup)$/)
    expect(kept.cancellation.feeKobo).toBeNull()
    expect(kept.exceptions).toMatchObject([
      { code: 'cancellation_fee_above_accepted', amounts: { allowedKobo: 0, chargedKobo: 50_000 }, resolvedAt: null },
      { code: 'order_cancelled', resolvedAt: null },
    ])
    expect(
      await select(api, 'select cancelled_at from simulated_orders where reference like $1', [`${shipmentId}-%`]),
    ).toEqual([{ cancelled_at: null }])
    const stockOf =
      'select on_hand, reserved from inventory join order_items using (merchant_id, variant_id) where order_id = $1'
    expect(await select(api, stockOf, [id])).toEqual([{ on_hand: 1000, reserved: 1 }])
    expect((await later(300, shipmentId)).status).toBe('delivered')
    expect(await select(api, stockOf, [id])).toEqual([{ on_hand: 999, reserved: 0 }])
  })

  test('when an order is cancelled after its shipment was cancelled, the shipment keeps the reason cancelled_by_merchant', async () => {
    const api = started()
    const id = await orderTo(api, shop, '+2348035550300')
    const { id: shipmentId } = await dispatch(id, inOrder(['simulator-swift']))
    expect((await cancelShipment(api, shop, shipmentId)).body.status).toBe('cancelling')
    await cancel(id)
    const ended = await later(120, shipmentId)
    expect(attemptsOf(ended)).toEqual([['swift', 'not_found_at_carrier', 'order_not_found']])
    expect(ended).toMatchObject({ status: 'cancelled', statusReason: { code: 'cancelled_by_merchant' } })
  })
})

describe('a carrier that rejects cancellations accepts a shipment late, after the order was cancelled', () => {
  const openOf = ({ exceptions }: ReplyBody) =>
    exceptions.filter(({ resolvedAt }: ReplyBody) => resolvedAt === null).map(({ code }: ReplyBody) => code)
  const messageOf = ({ exceptions }: ReplyBody) =>
    exceptions.find(({ resolvedAt }: ReplyBody) => resolvedAt === null)?.message

  /**
   * Opens a shipment with an order at its current carrier and a late acceptance of an earlier carrier. The earlier
   * carrier's order has progressed further: the current carrier assigns no rider.
   */
  async function openLateAcceptance(): Promise<{
    api: ReturnType<typeof started>
    id: string
    reportAcceptance(): Promise<unknown>
  }> {
    const api = started()
    const orderId = await orderTo(api, shop, '+2348035550270')
    const carriers = ['simulator-saver', 'simulator-swift'] as const
    const more = inOrder(carriers, { onUnknown: 'proceed_guarded', assignTimeoutSeconds: 3600 })
    const { id } = await dispatch(orderId, more)
    await pass(api, 970, 10)
    await cancel(orderId)
    const number = `select number from simulated_orders where reference like $1 || '-%' and company = 'simulator-saver'`
    const [order] = await select(api, number, [id])
    const reportAcceptance = (status = 'courier_assigned' as const) =>
      applyUpdate(
        api,
        shop,
        keyOf(id),
        { status, carrierStatus: api.clock.nowMs().toString() },
        { carrierReference: order.number },
      )
    expect(await reportAcceptance()).toMatchObject({ is: 'late_acceptance' })
    return { api, id, reportAcceptance }
  }

  test('the exception order_cancelled names the carrier that accepted late, and also the current carrier until the shipment is cancelled', async () => {
    const { api, id } = await openLateAcceptance()
    const found = await later(20, id)
    expect(attemptsOf(found).map(([carrier, state]) => [carrier, state])).toEqual([
      ['saver', 'abandoned'],
      ['swift', 'accepted'],
    ])
    expect(openOf(found)).toEqual(['order_cancelled'])
    expect(messageOf(found)).toMatch(
      /^Simulator Saver has order SA-\S+ for a cancelled order.* Contact Simulator Saver\. Simulator Swift also has the shipment: cancel it/,
    )
    expect(found.timeline.map(({ description }: ReplyBody) => description)).toContain(messageOf(found))
    expect((await cancelShipment(api, shop, id)).body.status).toBe('cancelled')
    const ended = await readValidShipment(api, shop, id)
    expect(openOf(ended)).toEqual(['order_cancelled'])
    expect(messageOf(ended)).toMatch(/Contact Simulator Saver/)
  })

  test('if the shipment was cancelled before the late acceptance, the shipment gets the exception order_cancelled, not duplicate_dispatch', async () => {
    const { api, id } = await openLateAcceptance()
    expect((await cancelShipment(api, shop, id)).body.status).toBe('cancelled')
    const ended = await later(20, id)
    expect(openOf(ended)).toEqual(['order_cancelled'])
    expect(messageOf(ended)).toMatch(
      /^Simulator Saver has order \S+ for a cancelled order.* Contact Simulator Saver\.$/,
    )
  })

  test('the exception order_cancelled stays open if the late-accepted order is cancelled while the order at the current carrier continues', async () => {
    const { api, id, reportAcceptance } = await openLateAcceptance()
    await later(20, id)
    const done = { is: 'ok', value: { is: 'cancelled', feeKobo: undefined, refundKobo: undefined } } as const
    simulate('simulator-saver', () => ({ cancel: async () => done }))
    api.clock.advance(1_000)
    await reportAcceptance()
    const found = await later(20, id)
    expect(attemptsOf(found)[0]).toEqual(['saver', 'late_cancelled', 'late_acceptance'])
    expect(openOf(found)).toEqual(['order_cancelled'])
    expect(messageOf(found)).toMatch(/^The order was cancelled after a carrier had accepted the shipment/)
  })
})
