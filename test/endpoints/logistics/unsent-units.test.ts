import { beforeAll, describe, expect, test } from 'vitest'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { type TestPaymentBehaviourName, testPaymentReference } from '../../../registry/service/test-payments.ts'
import { ShipmentId, type VariantId } from '../../../registry/values/vocabulary.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { closeShipment } from '../../../src/logistics/cancellation/close-shipment.ts'
import { applyCallbacks } from '../../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import {
  cancelShipment,
  getShipment,
  inOrder,
  openTestShop,
  parcelTo,
  pass,
  plainPhone,
  post,
} from '../../support/logistics/parcel-run.ts'
import { operator, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

/** Exceptions about units of an order that no shipment sends, although the customer has paid for them. */

const started = useApi({ sendsCallbacks: true })

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

/** A phone number of a recipient to whom no simulated carrier delivers in the first attempt. */
const refusedPhone = '+2348035550111'

/** Duration that is a little longer than a simulation step of the payment provider. */
const stepMs = 31_000

interface PaidOrderOptions {
  readonly quantities?: readonly number[]
  readonly behaviour?: TestPaymentBehaviourName
  readonly provider?: 'manual' | 'paystack'
  readonly shippingKobo?: number
}

/** Creates a paid order with one item for each of the quantities. */
async function paidOrder({
  quantities = [2],
  behaviour = 'success',
  provider = 'paystack',
  shippingKobo = 0,
}: PaidOrderOptions = {}) {
  const api = started()
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
    /** Refunds the given quantity of each item. */
    refund: async (wanted: readonly number[], more: object = {}): Promise<ReplyBody> => {
      // The clock advances, because a refund is compared with what happened to the shipments before it.
      api.clock.advance(1)
      const refundItems = named(wanted).map((item) => ({ ...item, ...more }))
      const reply = await send('/refunds', { orderId, reason: 'customer_request', items: refundItems })
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

/** Dispatches units in vain. Returns the id of the failed shipment. */
async function failedDispatch(order: PaidOrder, wanted: readonly number[]): Promise<string> {
  const reply = await order.dispatch(wanted, toRefused)
  expect(reply.status, reply.text).toBe(503)
  const failed = (await order.shipments()).at(-1)
  expect(failed.status).toBe('failed')
  return failed.id
}

async function sent(order: PaidOrder, wanted: readonly number[], more: object = {}): Promise<string> {
  const reply = await order.dispatch(wanted, more)
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}

const exceptionsOf = async (id: string) =>
  (await getShipment(started(), shop, id)).body.exceptions.map(({ code, resolvedAt }: ReplyBody) => [
    code,
    resolvedAt === null,
  ])

const closeAsFailed = (id: string) => {
  const closing = { id: ShipmentId.parse(id), to: 'failed', reason: 'No rider came.' } as const
  return closeShipment(started().context, operator, shop.tenant, closing)
}

const cancelRefund = async (id: string) => {
  const reply = await started().send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
}

/** Lets the payment provider decide about the pending refunds. */
async function payOut(): Promise<void> {
  const api = started()
  const context = { ...api.payments, log: silentLog }
  for (let step = 0; step < 4; step++) {
    api.clock.advance(stepMs)
    await payRefunds(context, shop.merchantId)
    await api.simulator.tick()
    await applyCallbacks(context, shop.merchantId)
  }
}

const inAnHour = () => ({ scheduleAt: new Date(started().clock.nowMs() + 3_600_000).toISOString() })

const open = [['dispatch_failed', true]]
const resolved = [['dispatch_failed', false]]

describe('a refund of units whose dispatch failed', () => {
  test('dispatch_failed stays open while a refund of the units is pending and after its cancellation', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    const refund = await order.refund([2])
    expect(refund.status).toBe('pending')
    expect(await exceptionsOf(id)).toEqual(open)
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual(open)
  })

  test('dispatch_failed stays open when a refund of the units fails at the provider', async () => {
    const order = await paidOrder({ behaviour: 'refund_fails' })
    const id = await failedDispatch(order, [2])
    const refund = await order.refund([2])
    await payOut()
    const { body } = await started().send('GET', `/api/v1/refunds/${refund.id}`, { token: shop.token })
    expect(body.status).toBe('failed')
    expect(await exceptionsOf(id)).toEqual(open)
  })

  test('a refund of the units resolves dispatch_failed when the provider has paid it', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await order.refund([2])
    await payOut()
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('a refund that is paid at once resolves dispatch_failed only when it covers all units of the shipment', async () => {
    const order = await paidOrder({ provider: 'manual', quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await order.refund([1, 1])
    expect(await exceptionsOf(id)).toEqual(open)
    await order.refund([1])
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('a restock of the units by a refund that is cancelled again leaves dispatch_failed open', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    const refund = await order.refund([2], { restock: true })
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual(open)
  })
})

test('a refund of the units resolves units_not_shipped when the provider has paid it, and not when it is cancelled', async () => {
  const order = await paidOrder()
  const id = (await order.dispatch([2], inAnHour())).body.id
  const first = await order.refund([2])
  started().clock.advance(3_600_000)
  await pass(started(), 30, 10)
  await cancelRefund(first.id)
  const second = await order.refund([2])
  await cancelRefund(second.id)
  expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
  await order.refund([2])
  expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
  await payOut()
  expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
})

describe('the units that units_not_shipped concerns', () => {
  /** Lets one item leave a scheduled shipment by a refund that is cancelled after the carrier has accepted the rest. */
  async function leftShipment(quantities: readonly number[], shipped: readonly number[], refunded: readonly number[]) {
    const order = await paidOrder({ quantities })
    const id = (await order.dispatch(shipped, inAnHour())).body.id
    const refund = await order.refund(refunded)
    started().clock.advance(3_600_000)
    await pass(started(), 30, 10)
    await cancelRefund(refund.id)
    return { order, id }
  }

  test('a shipment of other units leaves units_not_shipped open, which a shipment of its units resolves', async () => {
    const { order, id } = await leftShipment([1, 1, 1], [1, 1], [0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
    await sent(order, [0, 0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', true]])
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
  })

  test('a shipment of the units resolves units_not_shipped while another item of the order is unsent', async () => {
    const { order, id } = await leftShipment([1, 1, 1], [1, 1], [0, 1])
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual([['units_not_shipped', false]])
    expect((await order.read()).status).toBe('processing')
  })

  test('the cancellation of a refund of units that the shipment never contained raises nothing', async () => {
    const { id } = await leftShipment([1, 1], [1], [0, 1])
    expect(await exceptionsOf(id)).toEqual([])
  })

  test('a second refund of other units of the shipment raises an exception of its own', async () => {
    const order = await paidOrder({ quantities: [1, 1, 1] })
    const id = (await order.dispatch([1, 1, 1], inAnHour())).body.id
    const refunds = [await order.refund([0, 1]), await order.refund([0, 0, 1])]
    started().clock.advance(3_600_000)
    await pass(started(), 30, 10)
    for (const { id: refundId } of refunds) await cancelRefund(refundId)
    const both = (...states: readonly boolean[]) => states.map((isOpen) => ['units_not_shipped', isOpen])
    expect(await exceptionsOf(id)).toEqual(both(true, true))
    await sent(order, [0, 0, 1])
    expect(await exceptionsOf(id)).toEqual(both(true, false))
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual(both(false, false))
  })
})

describe('an order that the merchant hands over without a shipment', () => {
  test.for(['shipped', 'delivered'])('setting the order to %s resolves dispatch_failed', async (to) => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    expect((await order.transition(to)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('setting the order to shipped resolves units_not_shipped', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await sent(order, [2])
    const refund = await order.refund([2])
    expect((await cancelShipment(started(), shop, id)).status).toBe(200)
    await cancelRefund(refund.id)
    expect((await order.transition('shipped')).status).toBe(200)
    expect(await exceptionsOf(id)).toContainEqual(['units_not_shipped', false])
  })

  test('putting the order on hold leaves dispatch_failed open', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    expect((await order.transition('on_hold')).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual(open)
  })
})

describe('a shipment cancelled while a refund of its units is pending', () => {
  test('the cancellation of a refund raises units_not_shipped if the shipment of its units was cancelled meanwhile', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await sent(order, [2])
    const refund = await order.refund([2])
    expect((await cancelShipment(started(), shop, id)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toContainEqual(['units_not_shipped', true])
  })

  test('the cancellation of a refund raises nothing for a cancelled shipment of other units', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await sent(order, [2])
    const refund = await order.refund([0, 1])
    expect((await cancelShipment(started(), shop, id)).status).toBe(200)
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toEqual([])
  })
})

describe('another shipment of the order', () => {
  test('a shipment of other units leaves dispatch_failed open, which a shipment of its units resolves', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await sent(order, [0, 1])
    expect(await exceptionsOf(id)).toEqual(open)
    await sent(order, [1])
    expect(await exceptionsOf(id)).toEqual(open)
    await sent(order, [1])
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('an additional shipment without items leaves dispatch_failed open', async () => {
    const order = await paidOrder({ quantities: [2, 1] })
    const id = await failedDispatch(order, [2])
    await sent(order, [0, 1])
    const { parcels } = parcelTo(plainPhone) as { parcels: object[] }
    await sent(order, [], { allowAdditional: true, parcels })
    expect(await exceptionsOf(id)).toEqual(open)
  })

  test('a scheduled shipment resolves dispatch_failed when a carrier accepts it, and not when it is cancelled before', async () => {
    const order = await paidOrder()
    const id = await failedDispatch(order, [2])
    const cancelled = (await order.dispatch([2], inAnHour())).body.id
    expect(await exceptionsOf(id)).toEqual(open)
    expect((await cancelShipment(started(), shop, cancelled)).status).toBe(200)
    expect(await exceptionsOf(id)).toEqual(open)
    await order.dispatch([2], inAnHour())
    started().clock.advance(3_600_000)
    await pass(started(), 30, 10)
    expect(await exceptionsOf(id)).toEqual(resolved)
  })

  test('a shipment of the same units that fails too takes over the exception', async () => {
    const order = await paidOrder()
    const first = await failedDispatch(order, [1])
    const second = await failedDispatch(order, [2])
    expect(await exceptionsOf(first)).toEqual(resolved)
    expect(await exceptionsOf(second)).toEqual(open)
    const third = await failedDispatch(order, [1])
    expect(await exceptionsOf(second)).toEqual(open)
    expect(await exceptionsOf(third)).toEqual(open)
  })
})

describe('an order whose units were all refunded', () => {
  const { parcels } = parcelTo(plainPhone) as { parcels: object[] }

  test('a dispatch without items is rejected after the units left the shop and were refunded without the shipping price', async () => {
    const order = await paidOrder({ provider: 'manual', shippingKobo: 250_000 })
    expect((await order.transition('shipped')).status).toBe(200)
    await order.refund([2])
    answers('dispatchShipment', 'nothing_to_ship', await order.dispatch(undefined, { parcels }))
    expect(await order.shipments()).toEqual([])
  })

  test('a dispatch without items is rejected after one unit was lost and all units were refunded', async () => {
    const order = await paidOrder({ provider: 'manual', shippingKobo: 250_000 })
    const id = await sent(order, [1])
    const closing = { id: ShipmentId.parse(id), to: 'lost', reason: 'The carrier lost the parcel.' } as const
    await closeShipment(started().context, operator, shop.tenant, closing)
    await order.refund([2])
    answers('dispatchShipment', 'nothing_to_ship', await order.dispatch(undefined, { parcels }))
  })

  test('closing a parcel of refunded units as failed raises no dispatch_failed', async () => {
    const order = await paidOrder({ provider: 'manual' })
    const id = await sent(order, [2])
    await order.refund([2])
    await closeAsFailed(id)
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
  })

  test('closing a parcel as failed while the refund of its units is pending raises units_not_shipped when the refund is cancelled', async () => {
    const order = await paidOrder()
    const id = await sent(order, [2])
    const refund = await order.refund([2])
    await closeAsFailed(id)
    expect(await exceptionsOf(id)).toEqual([['units_refunded', false]])
    await cancelRefund(refund.id)
    expect(await exceptionsOf(id)).toContainEqual(['units_not_shipped', true])
  })
})
