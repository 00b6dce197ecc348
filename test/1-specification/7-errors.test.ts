import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { openShop, placeOrder } from '../support/shop.ts'

const api = useApi()

test('spec 7: reusing an idempotency key within 24 hours with a different body returns 409 idempotency_conflict', async () => {
  const shop = await openShop(api().context)
  const { id: orderId } = await placeOrder(api(), shop)
  const refund = (amountKobo: number) =>
    api().send('POST', '/api/v1/refunds', {
      token: shop.token,
      headers: { 'Idempotency-Key': 'refund-1' },
      body: { orderId, amountKobo, reason: 'damaged' },
    })
  expect((await refund(1_000)).status).toBe(201)
  api().clock.advance(24 * 60 * 60 * 1000 - 1)
  const reply = await refund(2_000)
  expect([reply.status, reply.body.error.code]).toEqual([409, 'idempotency_conflict'])
})

test('spec 7: a successful list request returns 200', async () => {
  const { token } = await openShop(api().context)
  expect((await api().send('GET', '/api/v1/orders', { token })).status).toBe(200)
})
