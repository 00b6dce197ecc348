import { describe, expect, test } from 'vitest'
import { randomCode } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { applyCallbacks } from '../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { orderAt, stockOf } from '../support/commerce/order-transitions.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { cancel, paidInTestMode, refundAll, refunded, theirs } from '../support/exceptions/refunded-orders.ts'
import { readShipment, storeShipment } from '../support/logistics/shipment.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../support/shop.ts'

/** The notifications of overpaid and refunded orders: when each is raised, and what ends it. */

const started = useApi({ sendsCallbacks: true })

const kindsOf = async (api: TestApi, { merchantId }: Shop) => {
  const rows = await listNotifications(api.database, { merchantId, limit: 50, state: 'open' })
  return rows.map(({ kind }) => kind)
}

/** Creates a refund through the provider, and processes the provider's report that the refund succeeded. */
async function refundAtProvider(paid: Awaited<ReturnType<typeof paidByPaystack>>, amountKobo: number) {
  const { status, text } = await paid.refund(amountKobo)
  expect(status, text).toBe(201)
  await paid.work()
  await paid.sendCallback(paid.server.refundCallback(paid.server.move('processed')))
  await paid.apply()
}

test('if the earlier payments of an order were all refunded, a further payment is reported as an overpayment until it is refunded', async () => {
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

test('two overpayments of an order are both reported until the excess of both is refunded', async () => {
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

  test('a fully refunded order with reserved units is reported once, and the report ends when a cancellation of the order releases the units', async () => {
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

  test('a refunded order with reserved units is reported until the units are shipped in spite of the refund', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop)
    await refundAll(api, shop, order)
    expect(await kindsOf(api, shop)).toEqual([kind])
    const path = `/api/v1/orders/${order.id}/transition`
    expect((await api.send('POST', path, { token: shop.token, body: { to: 'shipped' } })).status).toBe(200)
    expect(await kindsOf(api, shop)).toEqual([])
  })

  test('if a fully refunded order returns from shipped to processing, the service reports again that the order has reserved units', async () => {
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

  test('an order whose units were all refunded is reported even if one kobo of its payment was not refunded', async () => {
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

  test('an order with reserved units is reported to the merchant as soon as its full refund is pending, and until this refund fails', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const paid = await refunded(api, shop, 1_000_000)
    expect(await kindsOf(api, shop)).toEqual([kind])
    await paid.work()
    await paid.sendCallback(paid.server.refundCallback(paid.server.move('failed')))
    await paid.apply()
    expect(await kindsOf(api, shop)).not.toContain(kind)
  })

  test('a refunded order with reserved units is also reported if the merchant made the refund at the payment provider', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const paid = await paidByPaystack(api, shop, { priceKobo: 400_000 })
    await paid.sendCallback(paid.server.refundCallback(theirs(paid.reference)))
    await paid.apply()
    expect((await kindsOf(api, shop)).toSorted()).toEqual([kind, 'refund.by_provider'])
  })

  test('after a lost dispute, a notification and a shipment exception about the reserved units stay open until the order is paid again', async () => {
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

describe('paid units that can no longer be sent after a refund that failed or was cancelled', () => {
  const kind = 'order.paid_unshippable'

  test.for<[string, 'refund' | 'cancel', readonly string[]]>([
    ['a refund of the units that is paid', 'refund', []],
    ['the cancellation of the order', 'cancel', ['order.cancelled_unrefunded']],
  ])('the notification about the units is resolved by %s', async ([, end, kinds]) => {
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
      // A pending refund does not resolve the notification, and the cancellation of the refund creates no other
      // notification.
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

  test('no notification is created if a refund without a restock is cancelled, because the unit can still be sent', async () => {
    const api = started()
    const { testShop, orderId, itemId, send, cancelRefund } = await paidInTestMode(api, await openShop(api.context))
    const items = [{ itemId, quantity: 1 }]
    const { body: refund } = await send('/refunds', { orderId, items, reason: 'customer_request' })
    await cancelRefund(refund.id)
    expect(await kindsOf(api, testShop)).toEqual([])
  })
})
