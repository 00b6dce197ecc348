import { describe, expect, test } from 'vitest'
import { newOrderId, newOrderItemId } from '../../../src/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../../support/api.ts'
import { contentsOf, eventsOf, select } from '../../support/contents.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/refunds'

async function open(settings: Readonly<Record<string, unknown>> = {}): Promise<{ api: TestApi; shop: Shop }> {
  const api = started()
  const shop = await openShop(api.context)
  for (const [column, value] of Object.entries(settings)) {
    await select(api, `update merchants set ${column} = $2 where id = $1`, [shop.merchantId, value])
  }
  return { api, shop }
}

/** A paid order of so many pieces of each price, and a way to refund it. */
async function paid(api: TestApi, shop: Shop, lines: readonly (readonly [priceKobo: number, quantity: number])[]) {
  const items: { variantId: string; quantity: number }[] = []
  for (const [priceKobo, quantity] of lines) {
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo })
    items.push({ variantId, quantity })
  }
  const { variantId } = await stockVariant(api, shop.merchantId)
  const order = await placeOrder(api, shop, { body: orderBody(variantId, { items }) })
  return { order, itemIds: order.items.map(({ id }) => id), ...refunding(api, shop, order.id) }
}

function refunding(api: TestApi, shop: Shop, orderId: string) {
  const refund = (amountKobo: number, more: object = {}): Promise<Reply> => {
    return api.send('POST', path, { token: shop.token, body: { orderId, amountKobo, reason: 'damaged', ...more } })
  }
  const read = async () => (await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })).body
  return { refund, read }
}

describe('201', () => {
  test('refunds a part and says what is left', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop, { priceKobo: 1_000_000 })
    const body = { orderId: order.id, amountKobo: 400_000, reason: 'damaged' }
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`${path}/${reply.body.id}`)
    expect(reply.body).toMatchObject({
      ...body,
      status: 'succeeded',
      order: { refundedKobo: 400_000, refundableKobo: 600_000, paymentStatus: 'partially_refunded' },
    })
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body).toEqual(reply.body)
  })

  test('refunds the rest, and the order is refunded', async () => {
    const { api, shop } = await open()
    const { refund, read } = await paid(api, shop, [[1_000_000, 1]])
    await refund(400_000)
    const reply = await refund(600_000)
    expect(reply.body.order).toEqual({ refundedKobo: 1_000_000, refundableKobo: 0, paymentStatus: 'refunded' })
    expect(await read()).toMatchObject({ status: 'processing', paymentStatus: 'refunded', totalKobo: 1_000_000 })
  })

  test('order.refunded is told once for each refund, and no change of status', async () => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1_000_000, 1]])
    const first = await refund(400_000)
    api.clock.advance(1)
    const second = await refund(600_000)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toMatchObject([
      { data: { refund: first.body, fullyRefunded: false } },
      { data: { refund: second.body, fullyRefunded: true } },
    ])
    // That one is of the payment.
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toHaveLength(1)
  })

  test('what was overpaid can be refunded too, without VAT', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const { order, refund } = await paid(api, shop, [[1_075_000, 1]])
    const body = { amountKobo: 500, method: 'cash', reference: 'tip' }
    await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    expect((await refund(1_075_000)).body).toMatchObject({ taxKobo: 75_000 })
    expect((await refund(500)).body).toMatchObject({ taxKobo: 0, order: { refundableKobo: 0 } })
  })

  test('a part payment can be refunded, with its share of the VAT', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const order = await placeOrder(api, shop, { priceKobo: 1_075_000, isPaid: false })
    const body = { amountKobo: 107_500, method: 'cash', reference: 'deposit' }
    await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    const reply = await refunding(api, shop, order.id).refund(107_500)
    expect(reply.body).toMatchObject({ taxKobo: 7500, order: { paymentStatus: 'refunded', refundableKobo: 0 } })
  })

  test.for([
    'a',
    '0',
    'wrong-size',
    'NOT_received',
    'x'.repeat(64),
  ])('the reason %s is stored as given', async (reason) => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    expect((await refund(1, { reason })).body.reason).toBe(reason)
  })
})

describe('by line', () => {
  test('each line gets its share of the amount by what its pieces cost', async () => {
    const { api, shop } = await open()
    const { refund, itemIds, read } = await paid(api, shop, [
      [1_000_000, 3],
      [500_000, 2],
    ])
    const items = [
      { itemId: itemIds[0], quantity: 1 },
      { itemId: itemIds[1], quantity: 2 },
    ]
    const reply = await refund(1_000_001, { items })
    const shares = new Map(reply.body.items.map((item: { itemId: string }) => [item.itemId, item]))
    expect(shares.get(itemIds[0])).toEqual({ itemId: itemIds[0], quantity: 1, amountKobo: 500_001 })
    expect(shares.get(itemIds[1])).toEqual({ itemId: itemIds[1], quantity: 2, amountKobo: 500_000 })
    expect((await read()).items).toMatchObject([{ refundedQuantity: 1 }, { refundedQuantity: 2 }])
  })

  test('lines that cost nothing leave the amount to the others', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [
      [0, 1],
      [700, 1],
    ])
    const reply = await refund(700, { items: itemIds.map((itemId) => ({ itemId, quantity: 1 })) })
    const amounts = reply.body.items.map((item: { amountKobo: number }) => item.amountKobo)
    expect(amounts.sort()).toEqual([0, 700])
  })

  test('ten lines are told in the same order now and later', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(
      api,
      shop,
      Array.from({ length: 10 }, () => [1000, 1] as const),
    )
    const reply = await refund(9999, { items: itemIds.map((itemId) => ({ itemId, quantity: 1 })) })
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body.items).toEqual(reply.body.items)
    const total = reply.body.items.reduce((sum: number, item: { amountKobo: number }) => sum + item.amountKobo, 0)
    expect(total).toBe(9999)
  })

  test('the pieces of a line can be refunded one after another', async () => {
    const { api, shop } = await open()
    const { refund, itemIds, read } = await paid(api, shop, [[1000, 3]])
    for (let piece = 0; piece < 3; piece++) {
      expect((await refund(1000, { items: [{ itemId: itemIds[0], quantity: 1 }] })).status).toBe(201)
    }
    expect((await read()).items).toMatchObject([{ refundedQuantity: 3 }])
  })
})

describe('VAT', () => {
  test.for([
    ['contained, in large parts', true, 1_000_003, 12],
    ['added, in large parts', false, 1_000_003, 12],
    ['contained, in parts of a few kobo', true, 97, 40],
    ['added, in parts of a few kobo', false, 97, 40],
  ] as const)('%s: the parts add up to what was paid and to its VAT', async ([, tax_inclusive, priceKobo, most]) => {
    const { api, shop } = await open({ tax_registered: true, tax_inclusive })
    const { refund, read } = await paid(api, shop, [[priceKobo, 1]])
    const { totalKobo, taxKobo } = await read()
    const parts: { amountKobo: number; taxKobo: number }[] = []
    for (let left = totalKobo; left > 0; ) {
      const some = Math.min(left, 1 + Math.floor((Math.random() * 2 * totalKobo) / most))
      const reply = await refund(parts.length + 1 >= most ? left : some)
      expect(reply.status, reply.text).toBe(201)
      parts.push(reply.body)
      left -= reply.body.amountKobo
    }
    const sumOf = (field: 'amountKobo' | 'taxKobo') => parts.reduce((sum, part) => sum + part[field], 0)
    const shown = JSON.stringify(parts.map((part) => [part.amountKobo, part.taxKobo]))
    expect([sumOf('amountKobo'), sumOf('taxKobo')], shown).toEqual([totalKobo, taxKobo])
  })
})

describe('400 validation_failed', () => {
  const itemId = 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k'

  test.for<[string, object, string]>([
    ['nothing', { amountKobo: 0 }, 'body.amountKobo'],
    ['less than nothing', { amountKobo: -1 }, 'body.amountKobo'],
    ['half a kobo', { amountKobo: 0.5 }, 'body.amountKobo'],
    ['beyond the limit', { amountKobo: 100_000_000_001 }, 'body.amountKobo'],
    ['an amount as text', { amountKobo: '5' }, 'body.amountKobo'],
    ['no amount', { amountKobo: undefined }, 'body.amountKobo'],
    ['no order', { orderId: undefined }, 'body.orderId'],
    ['the order’s number', { orderId: 'ORD-7K2M9QX4' }, 'body.orderId'],
    ['no reason', { reason: undefined }, 'body.reason'],
    ['an empty reason', { reason: '' }, 'body.reason'],
    ['a reason in words', { reason: 'was damaged' }, 'body.reason'],
    ['a reason that begins with a dash', { reason: '-damaged' }, 'body.reason'],
    ['a reason of two lines', { reason: 'damaged\n' }, 'body.reason'],
    ['a reason of 65', { reason: 'x'.repeat(65) }, 'body.reason'],
    ['no lines', { items: [] }, 'body.items'],
    ['no pieces', { items: [{ itemId, quantity: 0 }] }, 'body.items[0].quantity'],
    ['a line twice', { items: [1, 2].map((quantity) => ({ itemId, quantity })) }, 'body.items[1].itemId'],
    ['an unknown field of a line', { items: [{ itemId, quantity: 1, restock: true }] }, 'body.items[0].restock'],
    ['an unknown field', { currency: 'NGN' }, 'body.currency'],
    ['a long note', { note: 'x'.repeat(501) }, 'body.note'],
  ])('%s', async ([, more, where]) => {
    const { api, shop } = await open()
    const reply = await refunding(api, shop, newOrderId(0)).refund(1, more)
    answers('createRefund', 'validation_failed', reply)
    const paths = reply.body.error.errors.map((problem: { path: string }) => problem.path)
    expect(new Set(paths)).toEqual(new Set([where]))
  })
})

describe('404 order_not_found', () => {
  test('nobody has this order', async () => {
    const { api, shop } = await open()
    answers('createRefund', 'order_not_found', await refunding(api, shop, newOrderId(0)).refund(1))
  })
})

describe('404 item_not_found', () => {
  test('names every line the order has not, also those of another order', async () => {
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
  test('an unpaid order has nothing to refund', async () => {
    const { api, shop } = await open()
    const order = await placeOrder(api, shop, { isPaid: false })
    answers('createRefund', 'order_not_paid', await refunding(api, shop, order.id).refund(1))
  })

  test('an order of nothing to pay has nothing to refund', async () => {
    const { api, shop } = await open()
    const order = await placeOrder(api, shop, { priceKobo: 0, isPaid: false })
    answers('createRefund', 'order_not_paid', await refunding(api, shop, order.id).refund(1))
  })
})

describe('409 order_fully_refunded', () => {
  test('nothing is left', async () => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    await refund(1000)
    const before = await contentsOf(api)
    answers('createRefund', 'order_fully_refunded', await refund(1))
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 refund_exceeds_refundable', () => {
  test('names what is left, and refunds nothing', async () => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    await refund(400)
    const before = await contentsOf(api)
    const reply = await refund(601)
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 600 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('a refund under way counts as gone', async () => {
    const { api, shop } = await open()
    const { order, refund } = await paid(api, shop, [[1000, 1]])
    await select(api, 'update orders set refund_pending_kobo = 300 where id = $1', [order.id])
    const reply = await refund(701)
    answers('createRefund', 'refund_exceeds_refundable', reply)
    expect(reply.body.error.details).toEqual({ refundableKobo: 700 })
  })
})

describe('409 refund_quantity_exceeds', () => {
  test('names the lines with too few pieces left', async () => {
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

describe('at once', () => {
  test('20 refunds of a tenth: exactly 10 succeed', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const { refund, read } = await paid(api, shop, [[1_000_000, 1]])
    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(100_000)))
    const made = replies.filter((reply) => reply.status === 201)
    expect(made).toHaveLength(10)
    for (const reply of replies) if (!made.includes(reply)) answers('createRefund', 'order_fully_refunded', reply)
    const order = await read()
    expect(order).toMatchObject({ refundedKobo: 1_000_000, refundableKobo: 0, paymentStatus: 'refunded', version: 12 })
    expect(made.reduce((sum, reply) => sum + reply.body.taxKobo, 0)).toBe(order.taxKobo)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(10)
    const kept = await select(api, 'select 1 from refunds where merchant_id = $1', [shop.merchantId])
    expect(kept).toHaveLength(10)
  })

  test('refunds and payments of one order lose nothing of each other', async () => {
    const { api, shop } = await open()
    const { order, refund, read } = await paid(api, shop, [[1_000_000, 1]])
    const pay = (index: number) => {
      const body = { amountKobo: 1000, method: 'cash', reference: `mixed-${index}` }
      return api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? refund(500) : pay(index))))
    expect(await read()).toMatchObject({ paidKobo: 1_010_000, refundedKobo: 5000, refundableKobo: 1_005_000 })
  })

  test('the last piece of a line is refunded once', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [[1000, 1]])
    const items = [{ itemId: itemIds[0], quantity: 1 }]
    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(1, { items })))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 201) answers('createRefund', 'refund_quantity_exceeds', reply)
  })
})
