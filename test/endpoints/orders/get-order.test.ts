import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShop, orderBody, placeOrder, stockVariant } from '../../support/shop.ts'

const started = useApi()

describe('200 responses of getOrder', () => {
  test('getOrder returns the same order as the earlier createOrder reply', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId)
    const second = await stockVariant(api, shop.merchantId, { priceKobo: 1 })
    const sent = {
      items: [
        { variantId: second.variantId, quantity: 3 },
        { variantId, quantity: 2 },
      ],
      shippingAddress: { line1: '12 Admiralty Way', city: 'Lekki', phone: '+2348031234567' },
      note: 'Gift: “leave out” the receipt\n\tπ 👗 \\ "',
      customerNote: 'Call.',
      tags: ['wholesale', 'VIP'],
      metadata: { zebra: '1', a: '', ünï: '☃' },
      externalReference: 'shop-10042',
      source: 'whatsapp',
      shippingKobo: 250_000,
    }
    const body = orderBody(variantId, sent)
    const created = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
    const read = await api.send('GET', `/api/v1/orders/${created.body.id}`, { token: shop.token })
    expect(read.body).toEqual(created.body)
    expect(read.body).toMatchObject({ note: sent.note, metadata: sent.metadata, tags: ['wholesale', 'VIP'] })
  })

  test('getOrder returns the current amounts and status of an order', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop, { priceKobo: 1_000_000 })
    const refund = { orderId: order.id, amountKobo: 300_000, reason: 'damaged' }
    await api.send('POST', '/api/v1/refunds', { token: shop.token, body: refund })
    const read = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
    expect(read.body).toMatchObject({
      status: 'processing',
      paymentStatus: 'partially_refunded',
      totalKobo: 1_000_000,
      paidKobo: 1_000_000,
      refundedKobo: 300_000,
      refundableKobo: 700_000,
      balanceKobo: 0,
      version: 3,
      expiresAt: null,
      allowedTransitions: ['on_hold', 'shipped', 'delivered', 'cancelled'],
    })
  })
})

describe('404 order_not_found', () => {
  test('getOrder returns 404 order_not_found for an unknown id', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const path = `/api/v1/orders/${newOrderId(api.clock.nowMs())}`
    answers('getOrder', 'order_not_found', await api.send('GET', path, { token: shop.token }))
  })
})

describe('400 validation_failed', () => {
  test.for([
    'ORD-7K2M9QX4',
    'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k',
    'ord_01jd3f8q6hf5n8v1zr4c7e2m9',
    'ord_01JD3F8Q6HF5N8V1ZR4C7E2M9K',
    'ord_81jd3f8q6hf5n8v1zr4c7e2m9k',
    'ord_01jd3f8q6hf5n8v1zr4c7e2m9k%00',
    'ord_01jd3f8q6hf5n8v1zr4c7e2m9k%0A',
    '%E0%A4%A',
    '%zz',
    "'%20or%201=1",
    'a%2Fb',
    `ord_${'0'.repeat(5000)}`,
  ])('getOrder returns 400 validation_failed for the order id %s', async (id) => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })
    answers('getOrder', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: 'path.id', code: 'invalid_format' }])
  })
})
