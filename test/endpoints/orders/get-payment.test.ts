import { expect, test } from 'vitest'
import { newPaymentId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()

test('the URL in the Location header of recordPayment returns the payment, even after the payment is voided', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { token } = shop
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const body = { amountKobo: 400_000, method: 'cash', reference: 'till-7' }
  const recorded = await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token, body })
  const { order: _, ...payment } = recorded.body
  const get = () => api.send('GET', recorded.headers.get('location') ?? '', { token })
  expect((await get()).body).toEqual(payment)
  await api.send('POST', `/api/v1/payments/${payment.id}/void`, { token, body: { reason: 'wrong_amount' } })
  expect((await get()).body).toMatchObject({ voidReason: 'wrong_amount', voidedAt: expect.any(String) })
})

test('getPayment returns 404 payment_not_found for an unknown payment', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const reply = await api.send('GET', `/api/v1/payments/${newPaymentId(api.clock.nowMs())}`, { token })
  answers('getPayment', 'payment_not_found', reply)
})
