import { describe, expect, test } from 'vitest'
import { newReturnId } from '../../../src/base/records.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'

/** A sold order has three units of one item for 1,000,000 kobo each. */

const started = useApi({ sendsCallbacks: true })

const paid = async () => {
  const sold = await soldOrder(started())
  await sold.pay()
  return sold
}

const refund = (sold: SoldOrder, body: object, orderId = sold.order.id) =>
  started().send('POST', '/api/v1/refunds', {
    token: sold.shop.token,
    body: { orderId, reason: 'wrong_size', ...body },
  })

const listOf = async ({ shop }: SoldOrder, returnId: string) =>
  (await started().send('GET', `/api/v1/refunds?returnId=${returnId}`, { token: shop.token })).body.data

describe('a refund for a return', () => {
  test('a refund for a return refunds the received units, appears in the return, and changes no stock', async () => {
    const sold = await paid()
    const returnId = await sold.approved(2)
    await sold.receive(returnId, { restockQuantity: 1 })
    const { version } = await sold.readReturn(returnId)
    const { status, body } = await refund(sold, { returnId })
    expect(status).toBe(201)
    expect(body).toMatchObject({ returnId, amountKobo: 1_000_000, items: [{ quantity: 1, restock: false }] })
    expect(await sold.readReturn(returnId)).toMatchObject({
      refundedKobo: 1_000_000,
      items: [{ refundedQuantity: 1 }],
      version: version + 1,
    })
    expect(await listOf(sold, returnId)).toEqual([body])
    expect(await listOf(sold, newReturnId(0))).toEqual([])
    expect(await sold.order.stock()).toEqual({ onHand: 8, reserved: 0 })
    answers('createRefund', 'refund_quantity_exceeds', await refund(sold, { returnId }))
  })

  test('after a refund for a return, another refund can restock the remaining units of the order, and each unit is restocked once', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    await sold.receive(returnId, { restockQuantity: 1 })
    expect((await refund(sold, { returnId })).status).toBe(201)
    const others = { items: [{ itemId: sold.itemId, quantity: 2, restock: true }] }
    expect((await refund(sold, others)).status).toBe(201)
    expect(await sold.order.stock()).toEqual({ onHand: 10, reserved: 0 })
    expect(await sold.read()).toMatchObject({ status: 'returned', items: [{ returnedQuantity: 3 }] })
    await sold.expectLedger()
  })

  test('a refund created before the return is received refunds the requested units, and receiving the return then restocks these units once', async () => {
    const sold = await paid()
    const returnId = await sold.approved(2)
    expect((await refund(sold, { returnId })).body).toMatchObject({ amountKobo: 2_000_000 })
    await sold.receive(returnId, { restockQuantity: 2 })
    expect(await sold.order.stock()).toEqual({ onHand: 9, reserved: 0 })
    answers('createRefund', 'refund_quantity_exceeds', await refund(sold, { returnId }))
    await sold.expectLedger()
  })

  test('if a refund for a return names items, it cannot exceed the units of the return or the price of these units', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const reply = await refund(sold, { returnId, items: [{ itemId: sold.itemId, quantity: 2 }] })
    answers('createRefund', 'refund_quantity_exceeds', reply)
    expect(reply.body.error.details).toEqual({ items: [{ itemId: sold.itemId, refundableQuantity: 1 }] })
    const tooHigh = await refund(sold, {
      returnId,
      items: [{ itemId: sold.itemId, quantity: 1 }],
      amountKobo: 1_000_001,
    })
    answers('createRefund', 'refund_exceeds_refundable', tooHigh)
    const less = await refund(sold, { returnId, items: [{ itemId: sold.itemId, quantity: 1 }], amountKobo: 900_000 })
    expect(less.body).toMatchObject({ returnId, amountKobo: 900_000, items: [{ quantity: 1 }] })
  })

  test('if a refund for a return names no items, the refund may exceed the price of the returned units, up to the refundable amount of the order', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const { refundableKobo } = await sold.read()
    const reply = await refund(sold, { returnId, amountKobo: refundableKobo + 1 })
    answers('createRefund', 'refund_exceeds_refundable', reply)
    const goodwill = await refund(sold, { returnId, amountKobo: 1_200_000 })
    expect(goodwill.body).toMatchObject({ returnId, items: [] })
    expect(await sold.readReturn(returnId)).toMatchObject({ refundedKobo: 1_200_000, items: [{ refundedQuantity: 0 }] })
  })

  test('a refund for a return is refused for a rejected return, a return of another order, and a closed return without received units', async () => {
    const sold = await paid()
    const { id: returnId } = (await sold.request(1)).body
    await sold.move(returnId, 'rejected')
    const rejected = await refund(sold, { returnId, amountKobo: 1 })
    answers('createRefund', 'return_not_refundable', rejected)
    expect(rejected.body.error.details).toEqual({ status: 'rejected' })
    answers('createRefund', 'return_not_found', await refund(sold, { returnId: newReturnId(0), amountKobo: 1 }))
    const other = await paid()
    const foreign = await refund(other, { returnId, amountKobo: 1 })
    answers('createRefund', 'return_not_found', foreign)
    const closed = await sold.approved(1)
    await sold.move(closed, 'closed')
    answers('createRefund', 'refund_quantity_exceeds', await refund(sold, { returnId: closed }))
    expect(await sold.read()).toMatchObject({ refundedKobo: 0 })
  })

  test('a refund for a return cannot restock units, because the units are restocked when the return is received', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const items = [{ itemId: sold.itemId, quantity: 1, restock: true }]
    answers('createRefund', 'validation_failed', await refund(sold, { returnId, items }))
  })

  test('ten concurrent refund requests for the units of a return create one refund', async () => {
    const sold = await paid()
    const returnId = await sold.approved(1)
    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(sold, { returnId })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    expect(await sold.readReturn(returnId)).toMatchObject({ refundedKobo: 1_000_000 })
  })
})

test('a notification reports a received return as long as the return has no refund, or only a cancelled refund', async () => {
  const api = started()
  const sold = await soldOrder(api)
  const provider = await connectShop(api, sold.shop)
  await provider.charge(sold.order.id, (await sold.read()).totalKobo)
  const isReported = () => isUnsettled(sold)
  const returnId = await sold.approved(1)
  expect(await isReported()).toBe(false)
  await sold.receive(returnId, { restockQuantity: 1 })
  expect(await isReported()).toBe(true)
  const { body } = await refund(sold, { returnId })
  expect(await isReported()).toBe(false)
  expect((await api.send('POST', `/api/v1/refunds/${body.id}/cancel`, { token: sold.shop.token })).status).toBe(200)
  expect(await isReported()).toBe(true)
  await sold.move(returnId, 'closed')
  expect(await isReported()).toBe(false)
})

test('a return that was refunded in advance is reported only if more of its units are received than were refunded', async () => {
  const sold = await paid()
  const whole = await sold.approved(1)
  await refund(sold, { returnId: whole })
  await sold.receive(whole, { writeOffQuantity: 1 })
  expect(await isUnsettled(sold)).toBe(false)
  const part = await sold.approved(2)
  expect((await refund(sold, { returnId: part, items: [{ itemId: sold.itemId, quantity: 1 }] })).status).toBe(201)
  await sold.receive(part, { restockQuantity: 2 })
  expect(await isUnsettled(sold)).toBe(true)
})

async function isUnsettled({ shop: { merchantId } }: SoldOrder): Promise<boolean> {
  const rows = await listNotifications(started().database, { merchantId, limit: 50, state: 'open' })
  return rows.some(({ kind }) => kind === 'return.unsettled')
}

test('if a refund for a return fails, the same amount and units can be refunded for the return again', async () => {
  const api = started()
  const sold = await soldOrder(api)
  const provider = await connectShop(api, sold.shop)
  await provider.charge(sold.order.id, (await sold.read()).totalKobo)
  const returnId = await sold.approved(1)
  await sold.receive(returnId, { restockQuantity: 1 })
  expect((await refund(sold, { returnId })).body).toMatchObject({ status: 'pending' })
  const { version } = await sold.readReturn(returnId)
  await provider.work()
  await provider.sendCallback(provider.server.refundCallback(provider.server.move('failed')))
  await provider.apply()
  expect(await sold.readReturn(returnId)).toMatchObject({ refundedKobo: 0, version: version + 1 })
  expect((await refund(sold, { returnId })).status).toBe(201)
})
