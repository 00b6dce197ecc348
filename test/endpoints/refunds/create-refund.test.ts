import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/refunds'

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
})
