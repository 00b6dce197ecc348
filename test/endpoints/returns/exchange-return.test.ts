import { describe, expect, test } from 'vitest'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { exchangesAt } from '../../support/commerce/exchange.ts'
import { ledgerOf, stockOf } from '../../support/commerce/order-transitions.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'
import { auditRows, eventsOf } from '../../support/database-contents.ts'
import { orderBody, stockVariant } from '../../support/shop.ts'

/**
 * The sold order has three units of one item for 1,000,000 kobo each. Its customer exchanges returned units for one
 * unit of another variant.
 */

const started = useApi({ sendsCallbacks: true })

const { paid, post, get, exchange } = exchangesAt(started)

const kindsOf = async ({ shop: { merchantId } }: SoldOrder) => {
  const rows = await listNotifications(started().database, { merchantId, limit: 50, state: 'open' })
  return rows.map(({ kind }) => kind)
}

/** Returns two refunds for the return: the refund that is credited to the exchange, and the other refund. */
async function refundsOf(sold: SoldOrder, returnId: string) {
  const { data } = await get(sold, `/refunds?returnId=${returnId}`)
  const isCredit = ({ creditedOrderId }: { creditedOrderId: string | null }) => creditedOrderId !== null
  return [data.find(isCredit), data.find((each: { creditedOrderId: string | null }) => !isCredit(each))]
}

/**
 * Returns the sum of the payments in money, and the sum of the refunds in money. Credits of exchanges are excluded from
 * both sums.
 */
async function moneyOf(sold: SoldOrder): Promise<{ readonly receivedKobo: number; readonly returnedKobo: number }> {
  const sum = (rows: readonly { amountKobo: number }[]) => rows.reduce((total, row) => total + row.amountKobo, 0)
  const payments = (await get(sold, '/payments?limit=100')).data
  const refunds = (await get(sold, '/refunds?limit=100')).data
  return {
    receivedKobo: sum(payments.filter(({ refundId }: { refundId: string | null }) => refundId === null)),
    returnedKobo: sum(
      refunds.filter(({ creditedOrderId }: { creditedOrderId: string | null }) => creditedOrderId === null),
    ),
  }
}

describe('an exchange', () => {
  test('an exchange for a variant of the same price credits the price of the returned unit to the new order, which is then paid and reserves its stock', async () => {
    const api = started()
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { reply, variantId } = await exchange(sold, returnId)
    expect(reply.status, reply.text).toBe(201)
    const { body: order } = reply
    expect(order).toMatchObject({
      ...{ status: 'processing', paymentStatus: 'paid', paidKobo: 1_000_000, balanceKobo: 0 },
      exchangeOfReturnId: returnId,
    })
    expect(await get(sold, `/orders/${order.id}`)).toEqual(order)
    expect(await sold.read()).toMatchObject({
      refundedKobo: 1_000_000,
      refundableKobo: 2_000_000,
      items: [{ refundedQuantity: 1 }],
    })
    expect(await sold.readReturn(returnId)).toMatchObject({
      exchangeOrderId: order.id,
      refundedKobo: 1_000_000,
      status: 'approved',
    })
    const { data: refunds } = await get(sold, `/refunds?returnId=${returnId}`)
    expect(refunds).toMatchObject([
      { creditedOrderId: order.id, status: 'succeeded', amountKobo: 1_000_000, reason: 'exchange' },
    ])
    const { data: payments } = await get(sold, `/payments?orderId=${order.id}`)
    expect(payments).toMatchObject([
      { refundId: refunds[0].id, method: 'other', provider: 'manual', amountKobo: 1_000_000 },
    ])
    expect(await stockOf(api, variantId)).toEqual({ onHand: 5, reserved: 1 })
    expect(await sold.order.stock()).toEqual({ onHand: 7, reserved: 0 })
    await sold.receive(returnId, { restockQuantity: 1 })
    expect(await sold.order.stock()).toEqual({ onHand: 8, reserved: 0 })
    await sold.expectLedger()
    expect(await ledgerOf(api, variantId)).toEqual({ onHand: 0, reserved: 1 })
    expect(await kindsOf(sold)).toEqual([])
  })

  test('an exchange writes one audit row and emits the events of the order, the refund and the payment', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { merchantId } = sold.shop
    const before = (await auditRows(started(), merchantId)).length
    const { body: order } = (await exchange(sold, returnId)).reply
    const rows = await auditRows(started(), merchantId)
    expect(rows).toHaveLength(before + 1)
    const of = async (kind: string) => (await eventsOf(started(), merchantId, kind)).map(({ data }) => data)
    const created = expect.objectContaining({ id: order.id, status: 'pending', exchangeOfReturnId: returnId })
    expect(await of('order.created')).toContainEqual(expect.objectContaining({ order: created }))
    const refund = expect.objectContaining({ returnId, creditedOrderId: order.id })
    expect(await of('order.refunded')).toContainEqual(expect.objectContaining({ refund }))
    const payment = expect.objectContaining({ orderId: order.id, amountKobo: 1_000_000 })
    expect(await of('payment.recorded')).toContainEqual(expect.objectContaining({ payment, excessKobo: 0 }))
    const change = { orderId: order.id, from: 'pending', to: 'processing' }
    expect(await of('order.status_changed')).toContainEqual(expect.objectContaining(change))
  })

  test('the amount due of an exchange order with a higher price is the price difference, and the order is reported if this amount is unpaid when the order expires', async () => {
    const api = started()
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { body: order } = (await exchange(sold, returnId, { priceKobo: 1_500_000 })).reply
    expect(order).toMatchObject({ status: 'pending', paidKobo: 1_000_000, balanceKobo: 500_000 })
    api.clock.advance(3 * 24 * 3_600_000)
    await expireOrders(api.context)
    expect(await kindsOf(sold)).toEqual(['order.partly_paid'])
    const payment = { amountKobo: 500_000, method: 'cash', reference: `rest-${order.id}` }
    expect((await post(sold, `/orders/${order.id}/payments`, payment)).body).toMatchObject({
      order: { status: 'processing' },
    })
    expect(await kindsOf(sold)).toEqual([])
  })

  test('an exchange for a lower price refunds the difference to the customer', async () => {
    const sold = await paid()
    const returnId = await sold.approved(2)
    await sold.receive(returnId, { restockQuantity: 2 })
    expect(await kindsOf(sold)).toEqual(['return.unsettled'])
    const { body: order } = (await exchange(sold, returnId, { priceKobo: 700_000 })).reply
    expect(order).toMatchObject({ status: 'processing', paidKobo: 700_000, balanceKobo: 0 })
    const [credit, rest] = await refundsOf(sold, returnId)
    expect(credit).toMatchObject({ amountKobo: 700_000, creditedOrderId: order.id, items: [{ quantity: 2 }] })
    expect(rest).toMatchObject({ amountKobo: 1_300_000, items: [] })
    expect(await sold.readReturn(returnId)).toMatchObject({ refundedKobo: 2_000_000, items: [{ refundedQuantity: 2 }] })
    expect(await sold.read()).toMatchObject({ refundedKobo: 2_000_000, refundableKobo: 1_000_000 })
    expect(await moneyOf(sold)).toEqual({ receivedKobo: 3_000_000, returnedKobo: 1_300_000 })
    expect(await kindsOf(sold)).toEqual([])
  })

  test('an exchange of an order paid through a provider credits the new order without a request to the provider, and refunds the remaining amount through the provider', async () => {
    const api = started()
    const sold = await soldOrder(api)
    const provider = await connectShop(api, sold.shop)
    await provider.charge(sold.order.id, 3_000_000)
    const returnId = await sold.approved(1)
    const { body: order } = (await exchange(sold, returnId, { priceKobo: 600_000 })).reply
    expect(order).toMatchObject({ status: 'processing', paidKobo: 600_000 })
    const [credit, rest] = await refundsOf(sold, returnId)
    expect(credit).toMatchObject({
      ...{ amountKobo: 600_000, provider: 'manual', status: 'succeeded', creditedOrderId: order.id },
    })
    expect(rest).toMatchObject({ amountKobo: 400_000, provider: 'paystack', status: 'pending' })
    expect(await sold.read()).toMatchObject({
      refundedKobo: 600_000,
      refundPendingKobo: 400_000,
      refundableKobo: 2_000_000,
    })
    await provider.work()
    expect(provider.server.refunds.map(({ amount }) => amount)).toEqual([400_000])
  })

  test('the credit of a cancelled exchange order can be refunded once, and only through the cancelled order', async () => {
    const api = started()
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { reply, variantId } = await exchange(sold, returnId, { priceKobo: 1_500_000 })
    const { body: order } = reply
    expect((await post(sold, `/orders/${order.id}/cancel`, { reason: 'customer' })).status).toBe(200)
    expect(await stockOf(api, variantId)).toEqual({ onHand: 5, reserved: 0 })
    expect(await kindsOf(sold)).toEqual(['order.cancelled_unrefunded'])
    expect(await get(sold, `/orders/${order.id}`)).toMatchObject({ refundableKobo: 1_000_000 })
    const again = await exchange(sold, returnId)
    answers('createOrder', 'return_not_exchangeable', again.reply)
    const returned = await post(sold, '/refunds', { orderId: sold.order.id, returnId, reason: 'wrong_size' })
    answers('createRefund', 'refund_quantity_exceeds', returned)
    const body = { orderId: order.id, amountKobo: 1_000_000, reason: 'order_cancelled' }
    expect((await post(sold, '/refunds', body)).body).toMatchObject({ destination: 'manual', status: 'succeeded' })
    answers('createRefund', 'order_fully_refunded', await post(sold, '/refunds', { ...body, amountKobo: 1 }))
    expect(await kindsOf(sold)).toEqual([])
    const { refundableKobo } = await sold.read()
    expect(refundableKobo).toBe(2_000_000)
    expect(await moneyOf(sold)).toEqual({ receivedKobo: 3_000_000, returnedKobo: 1_000_000 })
  })

  test('the credit of an exchange cannot be voided', async () => {
    const sold = await paid()
    const { body: order } = (await exchange(sold, await sold.approved(1))).reply
    const [{ id }] = (await get(sold, `/payments?orderId=${order.id}`)).data
    const reply = await post(sold, `/payments/${id}/void`, { reason: 'other' })
    answers('voidPayment', 'payment_not_voidable', reply)
    expect(reply.body.error.details).toEqual({ reason: 'credit' })
  })

  test('a payment whose amount was credited to an exchange cannot be voided', async () => {
    const sold = await paid()
    await exchange(sold, await sold.approved(1))
    const [{ id }] = (await get(sold, `/payments?orderId=${sold.order.id}`)).data
    const reply = await post(sold, `/payments/${id}/void`, { reason: 'bounced' })
    answers('voidPayment', 'payment_not_voidable', reply)
    expect(reply.body.error.details).toEqual({ reason: 'refunded' })
  })

  test('an exchange of units that cost nothing gives the new order no credit', async () => {
    const api = started()
    const sold = await soldOrder(api, { priceKobo: 0 })
    const returnId = await sold.approved(1)
    await sold.receive(returnId, { restockQuantity: 1 })
    const { body: order } = (await exchange(sold, returnId)).reply
    expect(order).toMatchObject({ status: 'pending', paidKobo: 0, balanceKobo: 1_000_000 })
    expect(await sold.readReturn(returnId)).toMatchObject({ exchangeOrderId: order.id, refundedKobo: 0 })
    expect(await kindsOf(sold)).toEqual([])
  })

  test('an exchange for a free variant refunds the price of the returned units to the customer', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { body: order } = (await exchange(sold, returnId, { priceKobo: 0 })).reply
    expect(order).toMatchObject({ status: 'processing', paidKobo: 0 })
    const { data: refunds } = await get(sold, `/refunds?returnId=${returnId}`)
    expect(refunds).toMatchObject([{ amountKobo: 1_000_000, creditedOrderId: null, items: [{ quantity: 1 }] }])
  })
})

test('only one of ten concurrent exchanges of a return creates an order', async () => {
  const sold = await paid()
  const returnId = await sold.approved(1)
  const { variantId } = await stockVariant(started(), sold.shop.merchantId, { priceKobo: 400_000, onHand: 20 })
  const body = orderBody(variantId, { exchangeOfReturnId: returnId })
  const replies = await Promise.all(Array.from({ length: 10 }, () => post(sold, '/orders', body)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  expect(await stockOf(started(), variantId)).toEqual({ onHand: 20, reserved: 1 })
  expect(await sold.readReturn(returnId)).toMatchObject({ refundedKobo: 1_000_000 })
  expect(await moneyOf(sold)).toEqual({ receivedKobo: 3_000_000, returnedKobo: 600_000 })
})

test('if an exchange and two refunds of the same return are requested at the same time, only one of them succeeds', async () => {
  const sold = await paid()
  const returnId = await sold.approved(1)
  const refund = () => post(sold, '/refunds', { orderId: sold.order.id, returnId, reason: 'wrong_size' })
  const [exchanged, ...refunds] = await Promise.all([exchange(sold, returnId), refund(), refund()])
  const succeeded = [exchanged.reply, ...refunds].filter(({ status }) => status === 201)
  expect(succeeded).toHaveLength(1)
  expect(await sold.read()).toMatchObject({ refundedKobo: 1_000_000 })
})

test('units of an exchange can be returned and exchanged again', async () => {
  const sold = await paid()
  const { body: first } = (await exchange(sold, await sold.approved(1))).reply
  await post(sold, `/orders/${first.id}/transition`, { to: 'delivered' })
  const items = [{ itemId: first.items[0].id, quantity: 1 }]
  const { body: again } = await post(sold, `/orders/${first.id}/returns`, { items, reason: 'wrong_size' })
  await sold.move(again.id, 'approved')
  const { body: second } = (await exchange(sold, again.id)).reply
  expect(second).toMatchObject({ status: 'processing', paidKobo: 1_000_000, exchangeOfReturnId: again.id })
  expect(await get(sold, `/orders/${first.id}`)).toMatchObject({ refundableKobo: 0 })
  expect(await moneyOf(sold)).toEqual({ receivedKobo: 3_000_000, returnedKobo: 0 })
})

test('if an exchange was paid with a credit and a payment, its units can be exchanged again, with a credit for each of the two parts', async () => {
  const sold = await paid()
  const provider = await connectShop(started(), sold.shop)
  const replaced = (await exchange(sold, await sold.approved(1), { priceKobo: 1_500_000 })).reply.body
  await provider.charge(replaced.id, 500_000)
  await post(sold, `/orders/${replaced.id}/transition`, { to: 'delivered' })
  const items = [{ itemId: replaced.items[0].id, quantity: 1 }]
  const { body: again } = await post(sold, `/orders/${replaced.id}/returns`, { items, reason: 'wrong_size' })
  await sold.move(again.id, 'approved')
  const { reply } = await exchange(sold, again.id, { priceKobo: 1_200_000 })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toMatchObject({ status: 'processing', paidKobo: 1_200_000, balanceKobo: 0 })
  const { data: refunds } = await get(sold, `/refunds?returnId=${again.id}`)
  const byAmount = refunds.toSorted((a: ReplyBody, b: ReplyBody) => b.amountKobo - a.amountKobo)
  expect(byAmount).toMatchObject([
    { amountKobo: 1_000_000, creditedOrderId: reply.body.id, items: [{ quantity: 1 }] },
    { amountKobo: 300_000, creditedOrderId: null, items: [], provider: 'paystack' },
    { amountKobo: 200_000, creditedOrderId: reply.body.id, items: [] },
  ])
  expect(await sold.readReturn(again.id)).toMatchObject({ refundedKobo: 1_500_000, items: [{ refundedQuantity: 1 }] })
  expect(await get(sold, `/orders/${replaced.id}`)).toMatchObject({ refundableKobo: 0 })
})
