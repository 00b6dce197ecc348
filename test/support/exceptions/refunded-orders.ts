import { expect } from 'vitest'
import { testPaymentReference } from '../../../registry/service/test-payments.ts'
import { randomCode } from '../../../src/base/ids.ts'
import type { Tenant } from '../../../src/store/core/mutation.ts'
import type { PaystackRefund } from '../../partners/payments/paystack-server.ts'
import type { TestApi } from '../api.ts'
import { paidByPaystack } from '../commerce/paystack.ts'
import { orderTo } from '../logistics/parcel-run.ts'
import { mintToken, type Shop } from '../shop.ts'

/** Orders that are paid through the simulated or a fake payment provider, and then cancelled or refunded. */

/**
 * Creates an order of one unit that was paid through the simulated payment provider. Also returns a function that sends
 * requests in test mode, and a function that cancels a refund.
 */
export async function paidInTestMode(api: TestApi, shop: Shop) {
  const testShop = await testModeOf(api, shop)
  const send = (path: string, body: object = {}) => api.send('POST', `/api/v1${path}`, { token: testShop.token, body })
  const orderId = await orderTo(api, testShop, undefined, { isPaid: false })
  const { body: order } = await api.send('GET', `/api/v1/orders/${orderId}`, { token: testShop.token })
  const amountKobo: number = order.totalKobo
  const reference = testPaymentReference({ amountKobo, behaviour: 'success' }, randomCode(12))
  const payment = { amountKobo, method: 'card', reference, provider: 'paystack' }
  expect((await send(`/orders/${orderId}/payments`, payment)).status).toBe(201)
  const cancelRefund = async (id: string) => {
    const cancelled = await send(`/refunds/${id}/cancel`)
    expect(cancelled.status, cancelled.text).toBe(200)
  }
  return { testShop, orderId, amountKobo, itemId: order.items[0].id as string, send, cancelRefund }
}

export const cancel = async (api: TestApi, { token }: Shop, orderId: string) => {
  const reply = await api.send('POST', `/api/v1/orders/${orderId}/cancel`, { token, body: { reason: 'customer' } })
  expect(reply.status, reply.text).toBe(200)
}

/**
 * Creates a refund of a Paystack payment of 1,000,000 kobo. The service has not submitted the refund to the provider
 * yet.
 */
export async function refunded(api: TestApi, shop: Shop, amountKobo = 400_000) {
  const paid = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  expect((await paid.refund(amountKobo)).status).toBe(201)
  return paid
}

/** A refund that the merchant created in the payment provider's own dashboard. */
export const theirs = (transactionReference: string): PaystackRefund => ({
  id: 77,
  transactionReference,
  amount: 400_000,
  merchantNote: 'by hand',
  createdAt: '',
  status: 'processed',
  reason: null,
  account: undefined,
})

export const refundAll = async (api: TestApi, { token }: Shop, order: { id: string; totalKobo: number }) => {
  const body = { orderId: order.id, amountKobo: order.totalKobo, reason: 'customer_request' }
  const reply = await api.send('POST', '/api/v1/refunds', { token, body })
  expect(reply.status, reply.text).toBe(201)
}

/** Returns the test-mode merchant of a shop, with a new token, in the form of a shop. */
export async function testModeOf(api: TestApi, { testMerchantId, ...live }: Shop) {
  const tenant: Tenant = { merchantId: testMerchantId, mode: 'test' }
  const minted = await mintToken(api.context, tenant, {})
  return { ...live, testMerchantId, tenant, merchantId: testMerchantId, token: minted.token, tokenId: minted.id }
}
