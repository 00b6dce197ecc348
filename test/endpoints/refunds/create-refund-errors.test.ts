import { describe, expect, test } from 'vitest'
import { newOrderId, newOrderItemId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { paid, refunding } from '../../support/commerce/refund.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { orderBody, placeOrder, stockVariant } from '../../support/shop.ts'

const started = useApi()
const open = () => openShopWith(started(), {})

describe('400 validation_failed', () => {
  const itemId = 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k'
  const account = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }

  test.for<[string, object, string]>([
    ['nothing', { amountKobo: 0 }, 'body.amountKobo'],
    ['a negative amount', { amountKobo: -1 }, 'body.amountKobo'],
    ['half a kobo', { amountKobo: 0.5 }, 'body.amountKobo'],
    ['an amount above the maximum', { amountKobo: 100_000_000_001 }, 'body.amountKobo'],
    ['an amount as text', { amountKobo: '5' }, 'body.amountKobo'],
    ['neither an amount nor items', { amountKobo: undefined }, 'body.amountKobo'],
    ['no order', { orderId: undefined }, 'body.orderId'],
    ['the order’s number', { orderId: 'ORD-7K2M9QX4' }, 'body.orderId'],
    ['no reason', { reason: undefined }, 'body.reason'],
    ['an empty reason', { reason: '' }, 'body.reason'],
    ['a blank reason', { reason: '   ' }, 'body.reason'],
    ['a reason with a control character', { reason: 'too\u0007small' }, 'body.reason'],
    ['a reason of two lines', { reason: 'damaged\n' }, 'body.reason'],
    ['a reason of 101 characters', { reason: 'x'.repeat(101) }, 'body.reason'],
    ['no items', { items: [] }, 'body.items'],
    ['a quantity of 0', { items: [{ itemId, quantity: 0 }] }, 'body.items[0].quantity'],
    ['an item twice', { items: [1, 2].map((quantity) => ({ itemId, quantity })) }, 'body.items[1].itemId'],
    ['an unknown field of an item', { items: [{ itemId, quantity: 1, amountKobo: 1 }] }, 'body.items[0].amountKobo'],
    ['restock as text', { items: [{ itemId, quantity: 1, restock: 'yes' }] }, 'body.items[0].restock'],
    [
      'an account number of nine digits',
      { destination: { ...account, accountNumber: '012345678' } },
      'body.destination.accountNumber',
    ],
    ['a bank name as bankCode', { destination: { ...account, bankCode: 'GTB' } }, 'body.destination.bankCode'],
    ['a number as metadata value', { metadata: { channel: 1 } }, 'body.metadata.channel'],
    ['an unknown field', { currency: 'NGN' }, 'body.currency'],
    ['a long note', { note: 'x'.repeat(501) }, 'body.note'],
  ])('createRefund returns 400 validation_failed for a body with %s', async ([, more, where]) => {
    const { api, shop } = await open()
    const reply = await refunding(api, shop, newOrderId(0)).refund(1, more)
    answers('createRefund', 'validation_failed', reply)
    const paths = reply.body.error.errors.map((problem: { path: string }) => problem.path)
    expect(new Set(paths)).toEqual(new Set([where]))
  })
})

describe('404 order_not_found', () => {
  test('createRefund returns 404 order_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    answers('createRefund', 'order_not_found', await refunding(api, shop, newOrderId(0)).refund(1))
  })
})

describe('404 item_not_found', () => {
  test('createRefund returns 404 item_not_found with every item id that is not part of the order', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [[1000, 1]])
    const other = await paid(api, shop, [[1000, 1]])
    const unknown = [newOrderItemId(0), other.itemIds[0]]
    const items = [itemIds[0], ...unknown].map((itemId) => ({ itemId, quantity: 1 }))
    const before = await contentsOf(api)
    const reply = await refund(10, { items })
    answers('createRefund', 'item_not_found', reply)
    expect(new Set(reply.body.error.details.itemIds)).toEqual(new Set(unknown))
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 order_not_paid', () => {
  test('createRefund returns 409 order_not_paid for an unpaid order', async () => {
    const { api, shop } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    answers('createRefund', 'order_not_paid', await refunding(api, shop, order.id).refund(1))
  })

  test('createRefund returns 409 order_not_paid for an order with a total of 0', async () => {
    const { api, shop } = await open()
    const order = await placeOrder(api, shop, { priceKobo: 0, isPaid: false })
    answers('createRefund', 'order_not_paid', await refunding(api, shop, order.id).refund(1))
  })
})

describe('409 order_fully_refunded', () => {
  test('createRefund returns 409 order_fully_refunded when no amount is refundable', async () => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    await refund(1000)
    const before = await contentsOf(api)
    answers('createRefund', 'order_fully_refunded', await refund(1))
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 refundable_changed', () => {
  test('of two concurrent refunds with the same expectedRefundableKobo, createRefund creates one and rejects the other', async () => {
    const { api, shop } = await open()
    const { refund, read } = await paid(api, shop, [[1000, 1]])
    const expected = { expectedRefundableKobo: 1000 }
    const replies = await Promise.all([refund(300, expected), refund(300, expected)])
    const rejected = replies.find(({ status }) => status === 409)
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    answers('createRefund', 'refundable_changed', rejected ?? replies[0])
    expect(rejected?.body.error.details).toEqual({ refundableKobo: 700 })
    expect(await read()).toMatchObject({ refundedKobo: 300 })
    expect((await refund(300, { expectedRefundableKobo: 700 })).status).toBe(201)
  })

  test('createRefund also compares expectedRefundableKobo for a refund of units, and rejects a value that was read before another refund', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [[1000, 2]])
    const items = [{ itemId: itemIds[0], quantity: 1 }]
    answers('createRefund', 'refundable_changed', await refund(1000, { items, expectedRefundableKobo: 1999 }))
    expect((await refund(1000, { items, expectedRefundableKobo: 2000 })).status).toBe(201)
    answers('createRefund', 'refundable_changed', await refund(1000, { items, expectedRefundableKobo: 2000 }))
  })
})

describe('409 refund_exceeds_refundable', () => {
  test('createRefund returns the refundable amount with 409 refund_exceeds_refundable, and refunds nothing', async () => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    await refund(400)
    const before = await contentsOf(api)
    const reply = await refund(601)
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 600 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createRefund rejects an amount above the discounted price of the items, and returns this price as the refundable amount', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { percentageBps: 1000 })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 600 })
    const other = await stockVariant(api, shop.merchantId, { priceKobo: 5000 })
    const items = [variantId, other.variantId].map((each) => ({ variantId: each, quantity: 1 }))
    const body = orderBody(variantId, { items, discountCodes: [code] })
    const { id: orderId, items: lines } = await placeOrder(api, shop, { body })
    const refunded = { items: [{ itemId: lines[0]?.id, quantity: 1 }] }
    const { refund } = refunding(api, shop, orderId)
    const before = await contentsOf(api)
    const reply = await refund(541, refunded)
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 540 })
    expect(await contentsOf(api)).toEqual(before)
    expect((await refund(540, refunded)).status).toBe(201)
  })

  test('createRefund returns at most the refundable amount of the order for an amount above the price of the items', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [[1000, 1]])
    await refund(400)
    const reply = await refund(1001, { items: [{ itemId: itemIds[0], quantity: 1 }] })
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 600 })
  })

  test('createRefund rejects a refund of units that cost nothing, and returns a refundable amount of 0', async () => {
    const { api, shop } = await open()
    const { order, itemIds } = await paid(api, shop, [
      [1000, 1],
      [0, 1],
    ])
    const body = { orderId: order.id, reason: 'damaged', items: [{ itemId: itemIds[1], quantity: 1 }] }
    const reply = await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 0 })
  })

  test('createRefund subtracts the amounts of pending refunds from the refundable amount', async () => {
    const { api, shop } = await open()
    const { order, refund } = await paid(api, shop, [[1000, 1]])
    await select(api, 'update orders set refund_pending_kobo = 300 where id = $1', [order.id])
    const reply = await refund(701)
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 700 })
  })
})

describe('409 refund_quantity_exceeds', () => {
  test('createRefund returns 409 refund_quantity_exceeds with the items that have too few refundable units', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [
      [1000, 2],
      [1000, 1],
    ])
    await refund(10, { items: [{ itemId: itemIds[0], quantity: 1 }] })
    const reply = await refund(10, { items: itemIds.map((itemId) => ({ itemId, quantity: 2 })) })
    answers('createRefund', 'refund_quantity_exceeds', reply)
    const { items } = reply.body.error.details
    expect(
      new Map(
        items.map((item: { itemId: string; refundableQuantity: number }) => [item.itemId, item.refundableQuantity]),
      ),
    ).toEqual(
      new Map([
        [itemIds[0], 1],
        [itemIds[1], 1],
      ]),
    )
  })
})
