import { describe, expect, test } from 'vitest'
import { pickupInputExample } from '../../registry/logistics/quote-example.ts'
import {
  type ExceptionState,
  type ExceptionStateName,
  exceptionSections,
  exceptionStates,
} from '../../registry/service/exceptions.ts'
import { testPaymentReference } from '../../registry/service/test-payments.ts'
import { isEmailedByDefault, notificationKindNames, notificationKinds } from '../../registry/values/notifications.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { randomCode } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { expireOrders } from '../../src/commerce/orders/expire-orders.ts'
import { titleOf } from '../../src/notifications/messages.ts'
import { applyCallbacks } from '../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { reconcileAll } from '../../src/payments/reconcile-payments.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import type { PaystackRefund } from '../partners/paystack-server.ts'
import { reachedTimeouts, type TestApi, useApi } from '../support/api.ts'
import { orderAt, stockOf } from '../support/commerce/order-transitions.ts'
import { connectShop, paidByPaystack } from '../support/commerce/paystack.ts'
import { signedIn } from '../support/dashboard.ts'
import { eventsOf } from '../support/database-contents.ts'
import { tracking } from '../support/logistics/carrier.ts'
import { inOrder, orderTo, pass, post } from '../support/logistics/parcel-run.ts'
import { readShipment, storeShipment } from '../support/logistics/shipment.ts'
import { useSimulatedCarriers } from '../support/logistics/simulated-carriers.ts'
import { applyUpdate } from '../support/logistics/tracking-updates.ts'
import { mintToken, openShop, orderBody, placeOrder, type Shop, stockVariant } from '../support/shop.ts'

/**
 * Every exceptional state in the guide “Exceptions”, produced by requests and by callbacks of the fake payment provider
 * and of carriers.
 */

const started = useApi({ sendsCallbacks: true, timeouts: reachedTimeouts })

const simulate = useSimulatedCarriers(started)

const dayMs = 24 * 3_600_000

interface Shown {
  /** The shop of this state, if it differs from the shop of the other tests. */
  readonly shop?: Shop
  /** The order in this state whose refundable amount the test checks. */
  readonly orderId?: string
  readonly refundableKobo?: number
}

type Produce = (api: TestApi, shop: Shop) => Promise<Shown>

const connected = new Map<string, Awaited<ReturnType<typeof connectShop>>>()

/** Creates an order of one unit that was paid through the simulated payment provider, with functions to refund it. */
async function paidInTestMode(api: TestApi, shop: Shop) {
  const testShop = await testModeOf(api, shop)
  const send = (path: string, body: object = {}) => api.send('POST', `/api/v1${path}`, { token: testShop.token, body })
  const orderId = await orderTo(api, testShop, undefined, { isPaid: false })
  const { body: order } = await api.send('GET', `/api/v1/orders/${orderId}`, { token: testShop.token })
  const amountKobo: number = order.totalKobo
  const reference = testPaymentReference({ amountKobo, behaviour: 'success' }, randomCode(12))
  const payment = { amountKobo, method: 'card', reference, provider: 'paystack' }
  expect((await send(`/orders/${orderId}/payments`, payment)).status).toBe(201)
  const cancelRefund = async (id: string) => {
    const cancelled = await send(`/refunds/${id}/cancel`)
    expect(cancelled.status, cancelled.text).toBe(200)
  }
  return { testShop, orderId, amountKobo, itemId: order.items[0].id as string, send, cancelRefund }
}

/** Connects a shop to a fake payment provider, which later steps of the test use, too. */
async function connect(api: TestApi, shop: Shop) {
  const paystack = await connectShop(api, shop)
  connected.set(shop.merchantId, paystack)
  return paystack
}

const cancel = async (api: TestApi, { token }: Shop, orderId: string) => {
  const reply = await api.send('POST', `/api/v1/orders/${orderId}/cancel`, { token, body: { reason: 'customer' } })
  expect(reply.status, reply.text).toBe(200)
}

/** A refund of a Paystack payment of 1,000,000 kobo that the service has submitted to the provider. */
async function refunded(api: TestApi, shop: Shop, amountKobo = 400_000) {
  const paid = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  expect((await paid.refund(amountKobo)).status).toBe(201)
  return paid
}

/** A refund that the merchant created in the payment provider's own dashboard. */
const theirs = (transactionReference: string): PaystackRefund => ({
  id: 77,
  transactionReference,
  amount: 400_000,
  merchantNote: 'by hand',
  createdAt: '',
  status: 'processed',
  reason: null,
  account: undefined,
})

async function ended(api: TestApi, shop: Shop, ...statuses: readonly Parameters<typeof applyUpdate>[3]['status'][]) {
  const order = await orderAt(api, shop, 'processing')
  const key = await storeShipment(api, shop, { orderId: order.id })
  for (const status of statuses) await applyUpdate(api, shop, key, { status })
  return {}
}

const refundAll = async (api: TestApi, { token }: Shop, order: { id: string; totalKobo: number }) => {
  const body = { orderId: order.id, amountKobo: order.totalKobo, reason: 'customer_request' }
  const reply = await api.send('POST', '/api/v1/refunds', { token, body })
  expect(reply.status, reply.text).toBe(201)
}

async function testModeOf(api: TestApi, { testMerchantId, ...live }: Shop) {
  const tenant: Tenant = { merchantId: testMerchantId, mode: 'test' }
  const minted = await mintToken(api.context, tenant, {})
  return { ...live, testMerchantId, tenant, merchantId: testMerchantId, token: minted.token }
}

/** Creates a shipment in transit at one carrier, whose earlier attempt at Swift was abandoned and accepted late. */
async function abandonedBySwift(api: TestApi, shop: Shop) {
  const testShop = await testModeOf(api, shop)
  const at = (minutes: number) => toTimestamp(api.clock.nowMs() + minutes * 60_000)
  const attempt = { carrierReference: 'SW-LATE', startedAt: at(-60), nextCheckAt: at(0), monitorUntil: at(60) }
  const key = await storeShipment(api, testShop, {
    orderId: await orderTo(api, testShop),
    status: 'in_transit',
    carrier: 'simulator-steady',
    attempts: [{ ...attempt, state: 'abandoned' }],
  })
  return { testShop, key }
}

/** Dispatches an order to a carrier that accepts it and charges another price than the offered one. */
async function chargedByCarrier(
  api: TestApi,
  shop: Shop,
  priceOf: (price: { readonly ceilingKobo: number; readonly offeredKobo: number }) => number,
) {
  const testShop = await testModeOf(api, shop)
  const ceilingKobo = 10_000_000
  simulate('simulator-swift', ({ create }) => ({
    create: async (...args) => {
      const accepted = await create(...args)
      if (accepted.is !== 'ok') return accepted
      const { priceKobo: offeredKobo = 0 } = accepted.value
      return { ...accepted, value: { ...accepted.value, priceKobo: toKobo(priceOf({ ceilingKobo, offeredKobo })) } }
    },
  }))
  const orderId = await orderTo(api, testShop)
  const carriers = inOrder(['simulator-swift'], { maxPriceKobo: ceilingKobo })
  const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...carriers }
  expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(201)
  return { shop: testShop }
}

const produce: Readonly<Record<ExceptionStateName, Produce>> = {
  late_payment: async (api, shop) => {
    const { charge } = await connect(api, shop)
    const order = await placeOrder(api, shop, { isPaid: false })
    api.clock.advance(dayMs)
    await expireOrders(api.context)
    await charge(order.id, order.totalKobo)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  overpayment: async (api, shop) => {
    const { charge } = await connect(api, shop)
    const order = await placeOrder(api, shop, { isPaid: false })
    await charge(order.id, order.totalKobo + 500)
    return { orderId: order.id, refundableKobo: order.totalKobo + 500 }
  },
  double_charge: async (api, shop) => {
    const { order, charge } = await paidByPaystack(api, shop)
    await charge(order.id, order.totalKobo)
    return { orderId: order.id, refundableKobo: 2 * order.totalKobo }
  },
  part_payment: async (api, shop) => {
    const { charge } = await connect(api, shop)
    const order = await placeOrder(api, shop, { isPaid: false })
    await charge(order.id, order.totalKobo - 1)
    api.clock.advance(dayMs)
    await expireOrders(api.context)
    return { orderId: order.id, refundableKobo: order.totalKobo - 1 }
  },
  cancelled_paid_order: async (api, shop) => {
    const order = await placeOrder(api, shop)
    await cancel(api, shop, order.id)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  refunded_reserved_order: async (api, shop) => {
    const order = await placeOrder(api, shop)
    await refundAll(api, shop, order)
    return { orderId: order.id, refundableKobo: 0 }
  },
  unmatched_charge: async (api, shop) => {
    const { server, sendCallback, apply } = await connect(api, shop)
    await sendCallback(server.callback('charge.success', { reference: 'T1', amount: 1000, currency: 'NGN' }))
    await apply()
    return {}
  },
  differing_payment: async (api, shop) => {
    const { order, reference, server, context } = await paidByPaystack(api, shop)
    const paid_at = new Date(api.clock.nowMs()).toISOString()
    server.transactions.push({ reference, amount: order.totalKobo - 1, status: 'success', currency: 'NGN', paid_at })
    await reconcileAll(context)
    return { orderId: order.id, refundableKobo: order.totalKobo }
  },
  provider_refund: async (api, shop) => {
    const paid = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
    await paid.sendCallback(paid.server.refundCallback(theirs(paid.reference)))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 600_000 }
  },
  excess_provider_refund: async (api, shop) => {
    const paid = await refunded(api, shop, 1_000_000)
    await paid.sendCallback(paid.server.refundCallback(theirs(paid.reference)))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  failed_refund: async (api, shop) => {
    const paid = await refunded(api, shop)
    await paid.work()
    await paid.sendCallback(paid.server.refundCallback(paid.server.move('failed')))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 1_000_000 }
  },
  refund_without_account: async (api, shop) => {
    const paid = await refunded(api, shop)
    paid.server.newStatus = 'needs-attention'
    await paid.work()
    return { orderId: paid.order.id, refundableKobo: 600_000 }
  },
  contradicted_refund: async (api, shop) => {
    const paid = await refunded(api, shop)
    await paid.work()
    for (const status of ['failed', 'processed'] as const) {
      await paid.sendCallback(paid.server.refundCallback(paid.server.move(status)))
      await paid.apply()
    }
    return { orderId: paid.order.id, refundableKobo: 1_000_000 }
  },
  differing_refund: async (api, shop) => {
    const paid = await refunded(api, shop)
    await paid.work()
    await paid.sendCallback(paid.server.refundCallback(paid.server.move('processed'), { amount: 399_999 }))
    await paid.apply()
    return {}
  },
  refund_after_dispute: async (api, shop) => {
    const paid = await refunded(api, shop)
    paid.server.newStatus = 'needs-attention'
    await paid.work()
    const lost = { id: 358950, transaction: { reference: paid.reference }, resolution: 'merchant-accepted' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', lost))
    await paid.apply()
    await paid.later()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  open_dispute: async (api, shop) => {
    const paid = await paidByPaystack(api, shop)
    const opened = { id: 358950, transaction: { reference: paid.reference } }
    await paid.sendCallback(paid.server.callback('charge.dispute.create', opened))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  unmatched_dispute: async (api, shop) => {
    const { server, sendCallback, apply } = await connect(api, shop)
    await sendCallback(
      server.callback('charge.dispute.create', { id: 358950, transaction: { reference: 'T-unknown' } }),
    )
    await apply()
    return {}
  },
  lost_dispute: async (api, shop) => {
    const paid = await paidByPaystack(api, shop)
    const lost = { id: 358950, transaction: { reference: paid.reference }, resolution: 'merchant-accepted' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', lost))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  unclear_dispute: async (api, shop) => {
    const paid = await paidByPaystack(api, shop)
    const unclear = { id: 358950, transaction: { reference: paid.reference }, resolution: 'partly-something' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', unclear))
    await paid.apply()
    return { orderId: paid.order.id, refundableKobo: 0 }
  },
  failed_dispatch: async (api, shop) => {
    const testShop = await testModeOf(api, shop)
    const orderId = await orderTo(api, testShop, '+2348035550111')
    const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...inOrder(['simulator-swift']) }
    expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(503)
    return { shop: testShop }
  },
  failed_delivery: (api, shop) => ended(api, shop, 'picked_up', 'delivery_failed'),
  returned_parcel: (api, shop) => ended(api, shop, 'picked_up', 'returned'),
  lost_parcel: (api, shop) => ended(api, shop, 'picked_up', 'lost'),
  refunded_parcel: async (api, shop) => {
    const order = await placeOrder(api, shop)
    await storeShipment(api, shop, { orderId: order.id })
    await refundAll(api, shop, order)
    return { orderId: order.id, refundableKobo: 0 }
  },
  unpaid_refund_of_shipment: async (api, shop) => {
    const { testShop, orderId, amountKobo, send, cancelRefund } = await paidInTestMode(api, shop)
    const scheduleAt = new Date(api.clock.nowMs() + 3_600_000).toISOString()
    const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...inOrder(['simulator-swift']) }
    expect((await post(api, testShop, 'dispatch', { ...dispatch, scheduleAt })).status).toBe(201)
    const { body: refund } = await send('/refunds', { orderId, amountKobo, reason: 'customer_request' })
    api.clock.advance(3_600_000)
    await pass(api, 20)
    await cancelRefund(refund.id)
    return { shop: testShop, orderId, refundableKobo: amountKobo }
  },
  unpaid_refund_of_restocked_units: async (api, shop) => {
    const { testShop, orderId, amountKobo, itemId, send, cancelRefund } = await paidInTestMode(api, shop)
    const items = [{ itemId, quantity: 1, restock: true }]
    const { body: refund } = await send('/refunds', { orderId, items, reason: 'customer_request' })
    await cancelRefund(refund.id)
    return { shop: testShop, orderId, refundableKobo: amountKobo }
  },
  cancelled_order_parcel: async (api, shop) => {
    const order = await orderAt(api, shop, 'processing')
    const key = await storeShipment(api, shop, { orderId: order.id })
    await applyUpdate(api, shop, key, { status: 'courier_assigned' })
    await cancel(api, shop, order.id)
    await applyUpdate(api, shop, key, { status: 'picked_up' })
    return {}
  },
  possible_second_rider: async (api, shop) => {
    const testShop = await testModeOf(api, shop)
    simulate('simulator-swift', ({ capabilities }) => ({ capabilities: { ...capabilities, lookup: 'none' } }))
    const orderId = await orderTo(api, testShop, '+2348035550300')
    const carriers = inOrder(['simulator-swift', 'simulator-steady'])
    const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...carriers }
    expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(202)
    await pass(api, 600, 30)
    return { shop: testShop }
  },
  second_rider: async (api, shop) => {
    const { testShop, key } = await abandonedBySwift(api, shop)
    simulate('simulator-swift', () => ({
      get: async () => ({ is: 'ok', value: tracking({ status: 'courier_assigned' }) }),
      cancel: async () => ({ is: 'refused', code: 'not_cancellable', message: 'The rider is on the way.' }),
    }))
    await pass(api, 5)
    expect((await readShipment(api, key)).shipment.status).toBe('in_transit')
    return { shop: testShop }
  },
  price_above_ceiling: (api, shop) => chargedByCarrier(api, shop, ({ ceilingKobo }) => ceilingKobo + 1),
  price_above_offer: (api, shop) => chargedByCarrier(api, shop, ({ offeredKobo }) => offeredKobo + 1),
  parcel_cancelled_in_transit: (api, shop) => ended(api, shop, 'picked_up', 'cancelled'),
  unmoved_order: async (api, shop) => {
    const order = await orderAt(api, shop, 'pending')
    const key = await storeShipment(api, shop, { orderId: order.id })
    await applyUpdate(api, shop, key, { status: 'picked_up' })
    return {}
  },
  expensive_cancellation: async (api, shop) => {
    const testShop = await testModeOf(api, shop)
    const orderId = await orderTo(api, testShop)
    simulate('simulator-swift', ({ create }) => ({
      create: async (...args) => {
        await cancel(api, testShop, orderId)
        const accepted = await create(...args)
        // The simulated carrier charges for a cancellation once a rider is assigned.
        api.clock.advance(35_000)
        return accepted
      },
    }))
    const dispatch = { orderId, reference: randomCode(12), pickup: pickupInputExample, ...inOrder(['simulator-swift']) }
    expect((await post(api, testShop, 'dispatch', dispatch)).status).toBe(202)
    await pass(api, 20)
    return { shop: testShop }
  },
  late_cancellation: async (api, shop) => {
    const order = await orderAt(api, shop, 'processing')
    const key = await storeShipment(api, shop, { orderId: order.id })
    await applyUpdate(api, shop, key, { status: 'courier_assigned' })
    await cancel(api, shop, order.id)
    for (const status of ['picked_up', 'delivered'] as const) await applyUpdate(api, shop, key, { status })
    return {}
  },
}

const names = Object.keys(exceptionStates).filter((name): name is ExceptionStateName =>
  Object.hasOwn(exceptionStates, name),
)

test.for(
  names,
)('the exception state %s has a notification, an entry under “Needs attention” and an event', async (name) => {
  const { notification, section, event, code }: ExceptionState = exceptionStates[name]
  const api = started()
  const opened = await openShop(api.context)
  const { shop = opened, orderId, refundableKobo } = await produce[name](api, opened)
  const { merchantId, token } = shop
  const notified = (await listNotifications(api.database, { merchantId, limit: 50 })).filter(
    ({ kind, data }) => kind === notification && (code === undefined || Reflect.get(Object(data), 'code') === code),
  )
  expect(notified).toMatchObject([{ resolvedAt: null }])
  const member = await signedIn(api, opened.merchantId, 'owner')
  if (merchantId !== opened.merchantId) {
    await member.submit('/dashboard', '/dashboard/select-merchant', { merchant: merchantId })
  }
  const { text } = await member.get('/dashboard')
  expect(text).toContain(exceptionSections[section])
  if (section === 'payments') expect(text).toContain(`<strong>${titleOf(notification)}</strong>`)
  if (code !== undefined) expect(text).toContain(code.replaceAll('_', ' '))
  if (event !== null) {
    const events = await eventsOf(api, merchantId, event)
    expect(events.filter(({ data }) => code === undefined || data.code === code).length).toBeGreaterThan(0)
  }
  if (orderId !== undefined) {
    const order = await api.send('GET', `/api/v1/orders/${orderId}`, { token })
    expect(order.body).toMatchObject({ refundableKobo })
  }
})

test.for([
  ['late_payment', 1],
  ['overpayment', 500],
  ['cancelled_paid_order', 1],
] as const)('a full refund ends the exception state %s, and a partial refund does not', async ([name, restKobo]) => {
  const api = started()
  const shop = await openShop(api.context)
  const { orderId, refundableKobo = 0 } = await produce[name](api, shop)
  const openKinds = async () => {
    const rows = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 50, state: 'open' })
    return rows.map(({ kind }) => kind)
  }
  const kind = exceptionStates[name].notification
  const [firstKobo, thenKobo] = name === 'overpayment' ? [restKobo - 1, 1] : [refundableKobo - restKobo, restKobo]
  const { merchantId, token } = shop
  for (const [amountKobo, isOpen] of [
    [firstKobo, true],
    [thenKobo, false],
  ] as const) {
    const body = { orderId, amountKobo, reason: 'customer_request' }
    const { body: refund } = await api.send('POST', '/api/v1/refunds', { token, body })
    // A refund through the payment provider resolves the exception only when the provider reports its success.
    if (refund.status === 'pending') {
      expect(await openKinds()).toContain(kind)
      const { server, work, sendCallback, apply } = connected.get(merchantId) ?? expect.fail('Not connected.')
      await work()
      await sendCallback(server.refundCallback(server.move('processed')))
      await apply()
    }
    expect((await openKinds()).includes(kind)).toBe(isOpen)
  }
})

const kindsOf = async (api: TestApi, { merchantId }: Shop) => {
  const rows = await listNotifications(api.database, { merchantId, limit: 50, state: 'open' })
  return rows.map(({ kind }) => kind)
}

/** Refunds an amount through the provider, until the provider reports the success of the refund. */
async function refundAtProvider(paid: Awaited<ReturnType<typeof paidByPaystack>>, amountKobo: number) {
  const { status, text } = await paid.refund(amountKobo)
  expect(status, text).toBe(201)
  await paid.work()
  await paid.sendCallback(paid.server.refundCallback(paid.server.move('processed')))
  await paid.apply()
}

test('a payment for an order whose earlier payments were all refunded is reported until that payment is refunded', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const paid = await paidByPaystack(api, shop)
  const { order, charge } = paid
  await charge(order.id, order.totalKobo)
  for (let time = 0; time < 2; time++) await refundAtProvider(paid, order.totalKobo)
  expect(await kindsOf(api, shop)).not.toContain('payment.overpaid')
  await charge(order.id, order.totalKobo)
  expect(await kindsOf(api, shop)).toEqual(['payment.overpaid'])
  const path = `/api/v1/orders/${order.id}/transition`
  expect((await api.send('POST', path, { token: shop.token, body: { to: 'shipped' } })).status).toBe(200)
  await refundAtProvider(paid, order.totalKobo - 1)
  expect(await kindsOf(api, shop)).toEqual(['payment.overpaid'])
  await refundAtProvider(paid, 1)
  expect(await kindsOf(api, shop)).toEqual([])
})

test('each of two overpayments of an order is reported until the excess of both is refunded', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const paid = await paidByPaystack(api, shop)
  const { order, charge } = paid
  for (let time = 0; time < 2; time++) await charge(order.id, order.totalKobo)
  for (const kinds of [['payment.overpaid', 'payment.overpaid'], []]) {
    await refundAtProvider(paid, order.totalKobo)
    expect(await kindsOf(api, shop)).toEqual(kinds)
  }
})

describe('a refunded order that keeps units reserved', () => {
  const kind = 'order.refunded_unshipped'

  test('a refunded order that keeps units reserved is reported once, and cancelling the order releases the units', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await orderAt(api, shop, 'processing')
    const { token } = shop
    const { totalKobo } = await order.read()
    const payment = { amountKobo: totalKobo, method: 'cash', reference: randomCode(12) }
    await api.send('POST', `${order.path}/payments`, { token, body: payment })
    const half = { orderId: order.id, amountKobo: totalKobo / 2, reason: 'customer_request' }
    await api.send('POST', '/api/v1/refunds', { token, body: half })
    expect(await kindsOf(api, shop)).toEqual([])
    await api.send('POST', '/api/v1/refunds', { token, body: half })
    expect(await kindsOf(api, shop)).toEqual([kind])
    await cancel(api, shop, order.id)
    expect(await kindsOf(api, shop)).toEqual([])
    expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
  })

  test('the report of a refunded order with reserved units ends when the units are shipped in spite of the refund', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop)
    await refundAll(api, shop, order)
    expect(await kindsOf(api, shop)).toEqual([kind])
    const path = `/api/v1/orders/${order.id}/transition`
    expect((await api.send('POST', path, { token: shop.token, body: { to: 'shipped' } })).status).toBe(200)
    expect(await kindsOf(api, shop)).toEqual([])
  })

  test('an order that returns from shipped to processing after a full refund is reported again', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop)
    await refundAll(api, shop, order)
    const path = `/api/v1/orders/${order.id}/transition`
    for (const [to, kinds] of [
      ['shipped', []],
      ['processing', [kind]],
    ] as const) {
      expect((await api.send('POST', path, { token: shop.token, body: { to } })).status).toBe(200)
      expect(await kindsOf(api, shop)).toEqual(kinds)
    }
  })

  test('an order of which all units were refunded is reported even if it keeps one kobo of its payment', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { token } = shop
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10 })
    const items = [{ variantId, quantity: 3 }]
    const { body: order } = await api.send('POST', '/api/v1/orders', { token, body: orderBody(variantId, { items }) })
    const amountKobo = order.totalKobo + 1
    const payment = { amountKobo, method: 'cash', reference: randomCode(12), allowOverpayment: true }
    const paid = await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token, body: payment })
    expect(paid.status, paid.text).toBe(201)
    for (const [quantity, kinds] of [
      [2, []],
      [1, [kind]],
    ] as const) {
      const body = { orderId: order.id, items: [{ itemId: order.items[0].id, quantity }], reason: 'customer_request' }
      expect((await api.send('POST', '/api/v1/refunds', { token, body })).status).toBe(201)
      expect(await kindsOf(api, shop)).toEqual(kinds)
    }
    expect(await stockOf(api, variantId)).toEqual({ onHand: 10, reserved: 3 })
    await cancel(api, shop, order.id)
    expect(await kindsOf(api, shop)).not.toContain(kind)
    expect(await stockOf(api, variantId)).toEqual({ onHand: 10, reserved: 0 })
  })

  test('the report of a refund with reserved units counts pending refunds, and ends when the refund fails', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const paid = await refunded(api, shop, 1_000_000)
    expect(await kindsOf(api, shop)).toEqual([kind])
    await paid.work()
    await paid.sendCallback(paid.server.refundCallback(paid.server.move('failed')))
    await paid.apply()
    expect(await kindsOf(api, shop)).not.toContain(kind)
  })

  test('a refund that the merchant makes at the payment provider also reports a refunded order with reserved units', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const paid = await paidByPaystack(api, shop, { priceKobo: 400_000 })
    await paid.sendCallback(paid.server.refundCallback(theirs(paid.reference)))
    await paid.apply()
    expect((await kindsOf(api, shop)).toSorted()).toEqual([kind, 'refund.by_provider'])
  })

  test('a lost dispute also reports an order with reserved units and raises units_refunded for its parcel, until the order is paid again', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const paid = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
    const key = await storeShipment(api, shop, { orderId: paid.order.id })
    const lost = { id: 358951, transaction: { reference: paid.reference }, resolution: 'merchant-accepted' }
    await paid.sendCallback(paid.server.callback('charge.dispute.resolve', lost))
    await paid.apply()
    expect(await kindsOf(api, shop)).toContain(kind)
    const codesOf = async () =>
      (await readShipment(api, key)).shipment.exceptions.map(({ code, resolvedAt }) => [code, resolvedAt === undefined])
    expect(await codesOf()).toEqual([['units_refunded', true]])
    await paid.charge(paid.order.id, paid.order.totalKobo)
    expect(await kindsOf(api, shop)).not.toContain(kind)
    expect(await codesOf()).toEqual([['units_refunded', false]])
  })
})

test('every notification about money or goods that needs action belongs to an exception state', () => {
  const listed = new Set<string>(Object.values(exceptionStates).map(({ notification }) => notification))
  const needed = notificationKindNames.filter(
    (kind) =>
      !kind.startsWith('webhook_endpoint.') &&
      (notificationKinds[kind].needsAction || 'reportsProblem' in notificationKinds[kind]),
  )
  expect(needed.filter((kind) => !listed.has(kind))).toEqual([])
})

describe('paid units that can no longer be sent after a refund that was not paid', () => {
  const kind = 'order.paid_unshippable'

  test.for<[string, 'refund' | 'cancel', readonly string[]]>([
    ['a refund of the units that is paid', 'refund', []],
    ['the cancellation of the order', 'cancel', ['order.cancelled_unrefunded']],
  ])('the report of paid units that cannot be sent ends with %s', async ([, end, kinds]) => {
    const api = started()
    const { testShop, orderId, itemId, send, cancelRefund } = await paidInTestMode(api, await openShop(api.context))
    const items = [{ itemId, quantity: 1 }]
    const reason = 'customer_request'
    const { body: refund } = await send('/refunds', {
      orderId,
      items: [{ itemId, quantity: 1, restock: true }],
      reason,
    })
    expect(await kindsOf(api, testShop)).toEqual([])
    await cancelRefund(refund.id)
    expect(await kindsOf(api, testShop)).toEqual([kind])
    if (end === 'cancel') await cancel(api, testShop, orderId)
    else {
      // A refund under way does not end the report, and its cancellation does not repeat it.
      const { body: second } = await send('/refunds', { orderId, items, reason })
      expect(await kindsOf(api, testShop)).toEqual([kind])
      await cancelRefund(second.id)
      expect(await kindsOf(api, testShop)).toEqual([kind])
      await send('/refunds', { orderId, items, reason })
      const context = { ...api.payments, log: silentLog }
      for (let step = 0; step < 4; step++) {
        api.clock.advance(31_000)
        await payRefunds(context, testShop.merchantId)
        await api.simulator.tick()
        await applyCallbacks(context, testShop.merchantId)
      }
    }
    expect(await kindsOf(api, testShop)).toEqual(kinds)
  })

  test('the cancellation of a refund without a restock reports nothing, because the unit can still be sent', async () => {
    const api = started()
    const { testShop, orderId, itemId, send, cancelRefund } = await paidInTestMode(api, await openShop(api.context))
    const items = [{ itemId, quantity: 1 }]
    const { body: refund } = await send('/refunds', { orderId, items, reason: 'customer_request' })
    await cancelRefund(refund.id)
    expect(await kindsOf(api, testShop)).toEqual([])
  })
})

test('the notification of each exception state is e-mailed by default', () => {
  const notifications = Object.values(exceptionStates).map(({ notification }) => notification)
  expect(notifications.filter((kind) => !isEmailedByDefault(kind, 'viewer'))).toEqual([])
})
