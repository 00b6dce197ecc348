import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { paid, refunding } from '../../support/commerce/refund.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { openShop, orderBody, placeOrder, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/refunds'
const open = (settings: Settings = {}) => openShopWith(started(), settings)

describe('201 responses of createRefund', () => {
  test('createRefund refunds a part of the payment and returns the remaining refundable amount', async () => {
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

  test.for([
    'too small',
    'changed.mind',
    '-',
    'Àṣọ kékeré 👗',
    'x'.repeat(100),
  ])('createRefund stores the reason %s exactly as it was sent', async (reason) => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop, { priceKobo: 1_000_000 })
    const body = { orderId: order.id, amountKobo: 400_000, reason }
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect([reply.status, reply.body.reason]).toEqual([201, reason])
    const query = `?reason=${encodeURIComponent(reason)}`
    const list = await api.send('GET', path + query, { token: shop.token })
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([reply.body.id])
  })

  test('a refund of the remaining amount sets the order’s payment status to refunded', async () => {
    const { api, shop } = await open()
    const { refund, read } = await paid(api, shop, [[1_000_000, 1]])
    await refund(400_000)
    const reply = await refund(600_000)
    expect(reply.body.order).toEqual({ refundedKobo: 1_000_000, refundableKobo: 0, paymentStatus: 'refunded' })
    expect(await read()).toMatchObject({ status: 'processing', paymentStatus: 'refunded', totalKobo: 1_000_000 })
  })

  test('createRefund emits one order.refunded per refund and no order.status_changed', async () => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1_000_000, 1]])
    const first = await refund(400_000)
    api.clock.advance(1)
    const second = await refund(600_000)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toMatchObject([
      { data: { refund: first.body, fullyRefunded: false } },
      { data: { refund: second.body, fullyRefunded: true } },
    ])
    // The only order.status_changed event comes from the payment of the order, because the refunds emit none.
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toHaveLength(1)
  })

  test('the refund of an overpayment contains no VAT, and the refund of the rest contains the whole VAT of the order', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const { order, refund } = await paid(api, shop, [[1_075_000, 1]])
    const body = { amountKobo: 107_500, method: 'cash', reference: 'tip', allowOverpayment: true }
    await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    expect((await refund(100_000)).body).toMatchObject({ taxKobo: 0 })
    // 7,500 kobo of this refund return the rest of the overpayment.
    expect((await refund(115_000)).body).toMatchObject({ taxKobo: 7500 })
    expect((await refund(967_500)).body).toMatchObject({ taxKobo: 67_500, order: { refundableKobo: 0 } })
  })

  test('a refund of items contains the VAT of the items, even if the order is overpaid', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const { order, itemIds, refund } = await paid(api, shop, [[1_075_000, 2]])
    const body = { amountKobo: 107_500, method: 'cash', reference: 'tip', allowOverpayment: true }
    await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    const items = [{ itemId: itemIds[0], quantity: 1 }]
    expect((await refund(1_075_000, { items })).body).toMatchObject({ taxKobo: 75_000 })
    expect((await refund(107_500)).body).toMatchObject({ taxKobo: 0 })
  })

  test('if an edit lowers the total of a paid order, the refund of the difference contains no VAT', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const { order, refund } = await paid(api, shop, [[1_075_000, 2]])
    const items = order.items.map(({ variantId }) => ({ variantId, quantity: 1 }))
    const edited = await api.send('PATCH', `/api/v1/orders/${order.id}`, { token: shop.token, body: { items } })
    expect(edited.body).toMatchObject({ totalKobo: 1_075_000, taxKobo: 75_000, balanceKobo: -1_075_000 })
    expect((await refund(1_075_000)).body).toMatchObject({ taxKobo: 0 })
    expect((await refund(1_075_000)).body).toMatchObject({ taxKobo: 75_000 })
  })

  test('the refund of a partial payment contains the payment’s share of the order’s VAT', async () => {
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
  ])('createRefund stores the reason %s as it was sent', async (reason) => {
    const { api, shop } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    expect((await refund(1, { reason })).body.reason).toBe(reason)
  })
})

describe('refunds by item', () => {
  test('in a refund by item, each item’s share of the amount is proportional to the value of its units', async () => {
    const { api, shop } = await open()
    const { refund, itemIds, read } = await paid(api, shop, [
      [1_000_000, 3],
      [500_000, 2],
    ])
    const items = [
      { itemId: itemIds[0], quantity: 1 },
      { itemId: itemIds[1], quantity: 2 },
    ]
    const reply = await refund(999_999, { items })
    const shares = new Map(reply.body.items.map((item: { itemId: string }) => [item.itemId, item]))
    expect(shares.get(itemIds[0])).toEqual({ itemId: itemIds[0], quantity: 1, restock: false, amountKobo: 500_000 })
    expect(shares.get(itemIds[1])).toEqual({ itemId: itemIds[1], quantity: 2, restock: false, amountKobo: 499_999 })
    expect((await read()).items).toMatchObject([{ refundedQuantity: 1 }, { refundedQuantity: 2 }])
  })

  test('a refund of units without an amount refunds their price, and the prices of all units add up to the order’s total', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { type: 'fixed_amount', amountKobo: 2 })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 34 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 3 }], discountCodes: [code] })
    const order = await placeOrder(api, shop, { body })
    const refunded = { orderId: order.id, reason: 'damaged', items: [{ itemId: order.items[0]?.id, quantity: 1 }] }
    const amounts: number[] = []
    for (let unit = 0; unit < 3; unit++) {
      const reply = await api.send('POST', '/api/v1/refunds', { token: shop.token, body: refunded })
      expect(reply.status, reply.text).toBe(201)
      amounts.push(reply.body.amountKobo)
    }
    // Each refund is a third of 100 kobo. After the first, second and third refund, the refunded sum is 33, 67 and 100
    // kobo.
    expect(amounts).toEqual([33, 34, 33])
  })

  test('items that cost nothing get no share of a refund', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [
      [0, 1],
      [700, 1],
    ])
    const reply = await refund(700, { items: itemIds.map((itemId) => ({ itemId, quantity: 1 })) })
    const amounts = reply.body.items.map((item: { amountKobo: number }) => item.amountKobo)
    expect(amounts.sort()).toEqual([0, 700])
  })

  test('a later read lists the ten items of a refund in the same sequence as the createRefund response', async () => {
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

  test('the units of an item can be refunded one at a time', async () => {
    const { api, shop } = await open()
    const { refund, itemIds, read } = await paid(api, shop, [[1000, 3]])
    for (let count = 0; count < 3; count++) {
      expect((await refund(1000, { items: [{ itemId: itemIds[0], quantity: 1 }] })).status).toBe(201)
    }
    expect((await read()).items).toMatchObject([{ refundedQuantity: 3 }])
  })
})

describe('VAT of refunds', () => {
  test.for([
    ['included VAT, in large parts', true, 1_000_003, 12],
    ['added VAT, in large parts', false, 1_000_003, 12],
    ['included VAT, in parts of a few kobo', true, 97, 40],
    ['added VAT, in parts of a few kobo', false, 97, 40],
  ] as const)('the partial refunds of an order with %s add up to the amount paid and to its VAT', async ([
    ,
    tax_inclusive,
    priceKobo,
    most,
  ]) => {
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
