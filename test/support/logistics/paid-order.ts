import { beforeAll, expect } from 'vitest'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { type TestPaymentBehaviourName, testPaymentReference } from '../../../registry/service/test-payments.ts'
import { ShipmentId, type VariantId } from '../../../registry/values/vocabulary.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { applyCallbacks } from '../../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { type ReplyBody, type TestApi, useApi } from '../api.ts'
import { operator, orderBody, type Shop, stockVariant } from '../shop.ts'
import { getShipment, inOrder, openTestShop, pass, plainPhone, post } from './parcel-run.ts'

/** Paid orders in test mode, whose units are dispatched and refunded item by item. */

/** A phone number of a recipient to whom no simulated carrier delivers in the first attempt. */
const refusedPhone = '+2348035550111'

/** Duration that is a little longer than a simulation step of the payment provider. */
const stepMs = 31_000

const hourMs = 3_600_000

interface PaidOrderOptions {
  readonly quantities?: readonly number[]
  readonly behaviour?: TestPaymentBehaviourName
  readonly provider?: 'manual' | 'paystack'
  readonly shippingKobo?: number
}

interface Place {
  readonly api: TestApi
  readonly shop: Shop
}

/** Creates a paid order with one item for each of the quantities. */
async function paidOrder(
  { api, shop }: Place,
  { quantities = [2], behaviour = 'success', provider = 'paystack', shippingKobo = 0 }: PaidOrderOptions = {},
) {
  const items: { variantId: VariantId; quantity: number }[] = []
  for (const quantity of quantities) {
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000, onHand: 10 })
    items.push({ variantId, quantity })
  }
  const send = (path: string, body: object = {}) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
  const shippingAddress = {
    ...{ recipientName: 'Bisi Ade', phone: plainPhone },
    ...{ line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' },
  }
  const created = await send(
    '/orders',
    orderBody(items[0]?.variantId ?? expect.fail('No item.'), { items, shippingAddress, shippingKobo }),
  )
  expect(created.status, created.text).toBe(201)
  const { id: orderId, totalKobo: amountKobo, items: lines } = created.body
  const reference = testPaymentReference({ amountKobo, behaviour }, randomCode(12))
  const payment = { amountKobo, method: 'card', reference, provider }
  expect((await send(`/orders/${orderId}/payments`, payment)).status).toBe(201)
  const itemIds: string[] = lines.map(({ id }: ReplyBody) => id)
  const named = (wanted: readonly number[]) =>
    itemIds.map((itemId, index) => ({ itemId, quantity: wanted[index] ?? 0 })).filter(({ quantity }) => quantity > 0)
  return {
    id: orderId as string,
    refund: async (wanted: readonly number[], more: object = {}): Promise<ReplyBody> => {
      // The clock advances, so that the refund has a later time than the events of the shipments, with which it is
      // compared.
      api.clock.advance(1)
      const refundItems = named(wanted).map((item) => ({ ...item, ...more }))
      const reply = await send('/refunds', { orderId, reason: 'customer_request', items: refundItems })
      expect(reply.status, reply.text).toBe(201)
      return reply.body
    },
    /** Refunds the whole amount of the order, without items. */
    refundAll: async (): Promise<ReplyBody> => {
      api.clock.advance(1)
      const reply = await send('/refunds', { orderId, reason: 'customer_request', amountKobo })
      expect(reply.status, reply.text).toBe(201)
      return reply.body
    },
    dispatch: async (wanted: readonly number[] | undefined, more: object = {}) => {
      // The clock advances between two shipments, because the ids of shipments of the same millisecond have a random
      // order.
      api.clock.advance(1)
      const chosen = wanted === undefined ? {} : { items: named(wanted) }
      const reply = await post(api, shop, 'dispatch', {
        ...{ orderId, reference: randomCode(12), pickup: pickupInputExample, ...chosen },
        ...inOrder(['simulator-swift']),
        ...more,
      })
      return reply
    },
    cancel: () => send(`/orders/${orderId}/cancel`, { reason: 'customer' }),
    transition: (to: string) => send(`/orders/${orderId}/transition`, { to }),
    read: async () => (await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })).body,
    shipments: async (): Promise<ReplyBody[]> => {
      const { body } = await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })
      return body.shipments
    },
  }
}

type PaidOrder = Awaited<ReturnType<typeof paidOrder>>

const toRefused = { dropoff: { ...dropoffInputExample, phone: refusedPhone } }

/** Dispatches units so that the dispatch fails. Returns the id of the failed shipment. */
export async function failedDispatch(order: PaidOrder, wanted: readonly number[]): Promise<string> {
  const reply = await order.dispatch(wanted, toRefused)
  expect(reply.status, reply.text).toBe(503)
  const failed = (await order.shipments()).at(-1)
  expect(failed.status).toBe('failed')
  return failed.id
}

export async function sent(order: PaidOrder, wanted: readonly number[], more: object = {}): Promise<string> {
  const reply = await order.dispatch(wanted, more)
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}

/** Lets the payment provider complete or reject the pending refunds. */
async function payOut({ api, shop }: Place): Promise<void> {
  const context = { ...api.payments, log: silentLog }
  for (let step = 0; step < 4; step++) {
    api.clock.advance(stepMs)
    await payRefunds(context, shop.merchantId)
    await api.simulator.tick()
    await applyCallbacks(context, shop.merchantId)
  }
}

/**
 * Creates a merchant in test mode for all tests of one test file. Returns functions that create paid orders and read
 * their shipments.
 */
export function usePaidOrders() {
  const started = useApi({ sendsCallbacks: true })
  let shop: Shop
  beforeAll(async () => {
    shop = await openTestShop(started())
  })
  const here = (): Place => ({ api: started(), shop })
  const read = async (id: string) => (await getShipment(started(), shop, id)).body
  return {
    here,
    paidOrder: (options?: PaidOrderOptions) => paidOrder(here(), options),
    payOut: () => payOut(here()),
    /** Returns a pair for each exception of a shipment: the code, and whether the exception is open. */
    exceptionsOf: async (id: string) =>
      (await read(id)).exceptions.map(({ code, resolvedAt }: ReplyBody) => [code, resolvedAt === null]),
    /** Lets an hour pass, so that a scheduled shipment is dispatched. Returns the status of the shipment. */
    anHourLater: async (id: string): Promise<string> => {
      started().clock.advance(hourMs)
      await pass(started(), 300, 10)
      return (await read(id)).status
    },
    inAnHour: () => ({ scheduleAt: new Date(started().clock.nowMs() + hourMs).toISOString() }),
    closeAsFailed: (id: string) => {
      const closing = { id: ShipmentId.parse(id), to: 'failed', reason: 'No rider came.' } as const
      return closeShipment(started().context, operator, shop.tenant, closing)
    },
    cancelRefund: async (id: string) => {
      const reply = await started().send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
      expect(reply.status, reply.text).toBe(200)
    },
  }
}
