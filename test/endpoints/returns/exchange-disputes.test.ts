import { expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { disputeEvents, recordDispute } from '../../../src/commerce/orders/record-dispute.ts'
import { refundEvents, updateRefund } from '../../../src/commerce/refunds/update-refund.ts'
import { messageOf } from '../../../src/notifications/messages.ts'
import { mutate } from '../../../src/store/core/mutation.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, useApi } from '../../support/api.ts'
import { exchangesAt } from '../../support/commerce/exchange.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'
import { auditRows } from '../../support/database-contents.ts'
import { untilWaiting } from '../../support/database-locks.ts'
import { operator } from '../../support/shop.ts'

/**
 * Tests disputes of a payment from which exchanges took credits. The sold order has three units of 1,000,000 kobo each,
 * and was paid by one Paystack payment. Each replacement order has one unit.
 */

const started = useApi({ sendsCallbacks: true })

const { post, get, exchange } = exchangesAt(started)

async function paidByCard() {
  const sold = await soldOrder(started())
  const provider = await connectShop(started(), sold.shop)
  const reference = await provider.charge(sold.order.id, 3_000_000)
  const report = async (event: string, more: object = {}, id = 358950) => {
    const data = { id, transaction: { reference }, currency: 'NGN', ...more }
    await provider.sendCallback(provider.server.callback(event, data))
  }
  const resolve = async (resolution: string, more: object = {}) => {
    await report('charge.dispute.resolve', { resolution, ...more })
    await provider.apply()
  }
  return {
    ...{ sold, provider, reference, report },
    open: async (id?: number) => {
      await report('charge.dispute.create', {}, id)
      await provider.apply()
    },
    win: () => resolve('declined'),
    lose: (refund_amount?: number) =>
      resolve('merchant-accepted', refund_amount === undefined ? {} : { refund_amount }),
    exchangeUnit: async () => (await exchange(sold, await sold.approved(1))).reply.body as ReplyBody,
  }
}

const orderOf = (sold: SoldOrder, id: string) => get(sold, `/orders/${id}`)

/** Returns the credit of an exchange, and the refundable amount of the order of the exchange. */
async function creditOf(sold: SoldOrder, orderId: string) {
  const [credit] = (await get(sold, `/payments?orderId=${orderId}`)).data.filter(
    ({ refundId }: { refundId: string | null }) => refundId !== null,
  )
  const { refundableKobo } = await orderOf(sold, orderId)
  return { lostKobo: credit.disputeLostKobo, isDisputed: credit.disputedAt !== null, refundableKobo }
}

const refund = (sold: SoldOrder, orderId: string, amountKobo: number) =>
  post(sold, '/refunds', { orderId, amountKobo, reason: 'goodwill' })

/** Creates and approves a return of the unit of an exchange, and exchanges the unit again. Returns the new order. */
async function exchangeAgain(sold: SoldOrder, order: ReplyBody, priceKobo = 1_000_000): Promise<ReplyBody> {
  await post(sold, `/orders/${order.id}/transition`, { to: 'delivered' })
  const items = [{ itemId: order.items[0].id, quantity: 1 }]
  const { body } = await post(sold, `/orders/${order.id}/returns`, { items, reason: 'wrong_size' })
  await sold.move(body.id, 'approved')
  const { reply } = await exchange(sold, body.id, { priceKobo })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

async function problemsOf({ shop: { merchantId } }: SoldOrder) {
  return listNotifications(started().database, { merchantId, limit: 50, state: 'open' })
}

const problem = async (sold: SoldOrder, kind: string) => (await problemsOf(sold)).find((each) => each.kind === kind)

test('while the original payment is disputed, the credit of an exchange cannot be refunded; after the merchant wins the dispute, the refund is possible', async () => {
  const { sold, exchangeUnit, open, win } = await paidByCard()
  const { id } = await exchangeUnit()
  await open()
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 0, isDisputed: true, refundableKobo: 0 })
  answers('createRefund', 'payment_disputed', await refund(sold, id, 1))
  answers('createRefund', 'payment_disputed', await refund(sold, id, 1_000_000))
  await win()
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 0, isDisputed: false, refundableKobo: 1_000_000 })
  expect((await refund(sold, id, 1_000_000)).status).toBe(201)
})

test('while the original payment is disputed, the order of an exchange cannot be exchanged again', async () => {
  const { sold, exchangeUnit, open } = await paidByCard()
  const order = await exchangeUnit()
  await post(sold, `/orders/${order.id}/transition`, { to: 'delivered' })
  const items = [{ itemId: order.items[0].id, quantity: 1 }]
  const { body } = await post(sold, `/orders/${order.id}/returns`, { items, reason: 'wrong_size' })
  await sold.move(body.id, 'approved')
  await open()
  const { reply } = await exchange(sold, body.id)
  answers('createOrder', 'return_not_exchangeable', reply)
  expect(reply.body.error.details).toMatchObject({ reason: 'payment_disputed' })
})

test('after a lost dispute of the whole payment, the credit of the exchange is lost too, and the merchant is notified of the unsent units', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const { id } = await exchangeUnit()
  await open()
  await lose()
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 1_000_000, isDisputed: true, refundableKobo: 0 })
  answers('createRefund', 'payment_disputed', await refund(sold, id, 1))
  const unshipped = (await problemsOf(sold)).filter(({ kind }) => kind === 'order.refunded_unshipped')
  expect(unshipped.map(({ data }) => data)).toEqual([{ orderId: id, quantity: 1 }])
  expect((await post(sold, `/orders/${id}/cancel`, { reason: 'customer' })).status).toBe(200)
  const kinds = (await problemsOf(sold)).map(({ kind }) => kind)
  expect(kinds).toEqual(['payment.dispute_lost'])
})

test('if a dispute takes a part of a payment, the loss first reduces the payment’s own refundable amount, and then the credit of an exchange', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const { id } = await exchangeUnit()
  await open()
  await lose(2_400_000)
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 400_000, isDisputed: false, refundableKobo: 600_000 })
  expect(await sold.read()).toMatchObject({ refundableKobo: 0 })
  const refused = await refund(sold, id, 600_001)
  answers('createRefund', 'refund_exceeds_refundable', refused)
  expect((await refund(sold, id, 600_000)).body.order).toMatchObject({ refundableKobo: 0 })
  answers('createRefund', 'payment_disputed', await refund(sold, id, 1))
})

test('a lost dispute does not reduce the credit of an exchange if the rest of the disputed payment covers the loss', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const { id } = await exchangeUnit()
  await open()
  await lose(2_000_000)
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 0, isDisputed: false, refundableKobo: 1_000_000 })
  expect((await problem(sold, 'payment.dispute_lost'))?.data).not.toHaveProperty('creditedOrderIds')
})

test('if a payment was credited to several exchanges, a lost dispute of the payment reduces the credit of the newest exchange first', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const older = await exchangeUnit()
  started().clock.advance(1000)
  const newer = await exchangeUnit()
  await open()
  await lose(2_500_000)
  expect(await creditOf(sold, newer.id)).toMatchObject({ lostKobo: 1_000_000, refundableKobo: 0 })
  expect(await creditOf(sold, older.id)).toMatchObject({ lostKobo: 500_000, refundableKobo: 500_000 })
  const { data } = (await problem(sold, 'payment.dispute_lost')) ?? {}
  expect(data).toMatchObject({ orderId: sold.order.id, creditedOrderIds: [newer.id, older.id] })
})

test('after a second exchange, a dispute of the original payment locks the credit of the newest order while the dispute is open, and reduces this credit if the dispute is lost', async () => {
  const { sold, exchangeUnit, open, win, lose, provider, report } = await paidByCard()
  const first = await exchangeUnit()
  const second = await exchangeAgain(sold, first)
  await open()
  expect(await creditOf(sold, second.id)).toEqual({ lostKobo: 0, isDisputed: true, refundableKobo: 0 })
  await win()
  expect(await creditOf(sold, second.id)).toEqual({ lostKobo: 0, isDisputed: false, refundableKobo: 1_000_000 })
  await report('charge.dispute.resolve', { resolution: 'merchant-accepted', refund_amount: 2_300_000 }, 2)
  await provider.apply()
  expect(await creditOf(sold, second.id)).toEqual({ lostKobo: 300_000, isDisputed: false, refundableKobo: 700_000 })
  expect(await creditOf(sold, first.id)).toMatchObject({ lostKobo: 300_000, refundableKobo: 0 })
  expect((await problem(sold, 'payment.dispute_lost'))?.data).toMatchObject({ creditedOrderIds: [second.id] })
  await lose()
  expect(await creditOf(sold, second.id)).toEqual({ lostKobo: 1_000_000, isDisputed: true, refundableKobo: 0 })
})

test('if an exchange was refunded before a dispute is lost, the merchant bears the refund, and the notification about the lost dispute states the refunded amount', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const { id } = await exchangeUnit()
  expect((await refund(sold, id, 600_000)).status).toBe(201)
  await open()
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 0, isDisputed: true, refundableKobo: 0 })
  await lose()
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 1_000_000, isDisputed: true, refundableKobo: 0 })
  const { data } = (await problem(sold, 'payment.dispute_lost')) ?? {}
  expect(data).toMatchObject({ creditedOrderIds: [id], lostKobo: 3_000_000, paidOutKobo: 600_000 })
})

test('after a lost dispute takes away the credit of an exchange, the cash paid for the price difference can still be refunded', async () => {
  const { sold, open, lose } = await paidByCard()
  const { body: order } = (await exchange(sold, await sold.approved(1), { priceKobo: 1_500_000 })).reply
  const cash = { amountKobo: 500_000, method: 'cash', reference: `rest-${order.id}` }
  expect((await post(sold, `/orders/${order.id}/payments`, cash)).status).toBe(201)
  await open()
  await lose()
  expect(await orderOf(sold, order.id)).toMatchObject({ refundableKobo: 500_000 })
  answers('createRefund', 'refund_exceeds_refundable', await refund(sold, order.id, 500_001))
  expect((await refund(sold, order.id, 500_000)).status).toBe(201)
})

test('after a lost dispute, a later payment of the first exchange order reduces the lost amount of the second exchange order, and voiding this payment increases the lost amount again', async () => {
  const { sold, open, lose } = await paidByCard()
  const { body: first } = (await exchange(sold, await sold.approved(1), { priceKobo: 1_500_000 })).reply
  const cash = { amountKobo: 500_000, method: 'cash', reference: `rest-${first.id}` }
  const { body: payment } = await post(sold, `/orders/${first.id}/payments`, cash)
  await post(sold, `/orders/${first.id}/transition`, { to: 'delivered' })
  const items = [{ itemId: first.items[0].id, quantity: 1 }]
  const { body: request } = await post(sold, `/orders/${first.id}/returns`, { items, reason: 'wrong_size' })
  await sold.move(request.id, 'approved')
  const { body: second } = (await exchange(sold, request.id, { priceKobo: 1_500_000 })).reply
  await open()
  await lose()
  expect(await creditOf(sold, second.id)).toMatchObject({ lostKobo: 1_000_000, refundableKobo: 500_000 })
  const more = { amountKobo: 200_000, method: 'cash', reference: `more-${first.id}`, allowOverpayment: true }
  const { body: late } = await post(sold, `/orders/${first.id}/payments`, more)
  expect(await creditOf(sold, second.id)).toMatchObject({ lostKobo: 800_000, refundableKobo: 700_000 })
  expect(await creditOf(sold, first.id)).toMatchObject({ refundableKobo: 0 })
  expect((await post(sold, `/payments/${late.id}/void`, { reason: 'bounced' })).status).toBe(200)
  expect(await creditOf(sold, second.id)).toMatchObject({ lostKobo: 1_000_000, refundableKobo: 500_000 })
  answers(
    'voidPayment',
    'payment_not_voidable',
    await post(sold, `/payments/${payment.id}/void`, { reason: 'bounced' }),
  )
})

test('if a refund of the original payment fails after a lost dispute of this payment, the amount of the refund is added to the exchange credit again', async () => {
  const { sold, exchangeUnit, open, lose, provider } = await paidByCard()
  const { id } = await exchangeUnit()
  const { body: pending } = await refund(sold, sold.order.id, 500_000)
  await open()
  await lose(2_000_000)
  expect(await creditOf(sold, id)).toMatchObject({ lostKobo: 500_000, refundableKobo: 500_000 })
  await provider.work()
  expect(await get(sold, `/refunds/${pending.id}`)).toMatchObject({ status: 'failed', failureCode: 'dispute_lost' })
  expect(await creditOf(sold, id)).toMatchObject({ lostKobo: 0, refundableKobo: 1_000_000 })
  expect(await sold.read()).toMatchObject({ refundableKobo: 0 })
})

test('after a lost dispute of the original payment, the failure of a manual refund of the first exchange order makes the credit of the second exchange order refundable', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const first = await exchangeUnit()
  const second = await exchangeAgain(sold, first, 400_000)
  const { data: refunds } = await get(sold, `/refunds?orderId=${first.id}`)
  const { id } = refunds.find(({ creditedOrderId }: { creditedOrderId: string | null }) => creditedOrderId === null)
  await open()
  await lose(2_500_000)
  expect(await creditOf(sold, second.id)).toEqual({ lostKobo: 400_000, isDisputed: true, refundableKobo: 0 })
  const { context, clock } = started()
  const change = { actor: operator, action: 'refund.update', resourceType: 'refund', emits: refundEvents } as const
  // The test updates the refund directly, because no operation reports the failure of a manual refund.
  await mutate(context, { tenant: sold.shop.tenant, ...change, resourceId: () => id }, (work) =>
    updateRefund(work, { id, orderId: first.id }, { status: 'failed', nextCheckAt: toTimestamp(clock.nowMs()) }),
  )
  expect(await creditOf(sold, second.id)).toEqual({ lostKobo: 0, isDisputed: false, refundableKobo: 400_000 })
  expect(await creditOf(sold, first.id)).toEqual({ lostKobo: 500_000, isDisputed: false, refundableKobo: 100_000 })
})

test('the notifications about a dispute name and link the exchange order that was paid with the disputed payment', async () => {
  const { sold, exchangeUnit, open, lose } = await paidByCard()
  const { id } = await exchangeUnit()
  const { merchantId } = sold.shop
  const before = (await auditRows(started(), merchantId)).length
  await open()
  expect(await auditRows(started(), merchantId)).toHaveLength(before + 1)
  const opened = await problem(sold, 'payment.dispute_opened')
  expect(opened?.data).toMatchObject({ orderId: sold.order.id, creditedOrderIds: [id] })
  await lose()
  for (const found of [opened, await problem(sold, 'payment.dispute_lost')]) {
    const message = messageOf({ merchantId, endpointId: null, kind: found?.kind ?? '', data: found?.data })
    expect(message.text).toContain(`Because of exchanges, the payment also pays for the order ${id}`)
    expect(message.others).toEqual([{ path: `/orders/${id}`, label: 'Open the exchange' }])
  }
})

test('concurrent refunds of an exchange and the loss of a dispute of the original payment are processed one after the other', async () => {
  for (let run = 0; run < 3; run++) {
    const { sold, exchangeUnit, report, provider } = await paidByCard()
    const { id } = await exchangeUnit()
    await report('charge.dispute.resolve', { resolution: 'merchant-accepted' })
    const [, ...refunds] = await Promise.all([
      provider.apply(),
      ...Array.from({ length: 4 }, () => refund(sold, id, 600_000)),
    ])
    const paid = refunds.filter(({ status }) => status === 201).length
    expect(paid).toBeLessThanOrEqual(1)
    expect(await creditOf(sold, id)).toEqual({ lostKobo: 1_000_000, isDisputed: true, refundableKobo: 0 })
    const { data } = (await problem(sold, 'payment.dispute_lost')) ?? {}
    expect(Reflect.get(Object(data), 'paidOutKobo')).toBe(paid === 1 ? 600_000 : undefined)
  }
})

test('a refund of an exchange waits for a transaction that records the lost dispute of the original payment, and is then rejected', async () => {
  const { sold, reference, exchangeUnit } = await paidByCard()
  const { id } = await exchangeUnit()
  const { context } = started()
  const lost = {
    disputeId: '1',
    transaction: reference,
    status: 'lost',
    lostKobo: undefined,
    resolution: null,
  } as const
  const change = { actor: operator, action: 'payment.update', resourceType: 'payment', emits: disputeEvents } as const
  const refunds: Promise<Reply>[] = []
  await mutate(context, { tenant: sold.shop.tenant, ...change, resourceId: () => id }, async (work) => {
    await recordDispute(work, { provider: 'paystack', ...lost })
    refunds.push(refund(sold, id, 1_000_000))
    await untilWaiting(started(), 1)
  })
  const [reply] = await Promise.all(refunds)
  if (reply === undefined) throw new Error('The refund was not requested.')
  answers('createRefund', 'payment_disputed', reply)
  expect(await creditOf(sold, id)).toEqual({ lostKobo: 1_000_000, isDisputed: true, refundableKobo: 0 })
})
