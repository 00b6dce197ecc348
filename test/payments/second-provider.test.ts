import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { paystack } from '../../src/partners/payments/paystack.ts'
import { paymentAdapters } from '../../src/partners/payments/providers.ts'
import { applyCallbacks } from '../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { answers } from '../support/answers.ts'
import { sendRaw, useApi, vault } from '../support/api.ts'
import { asOwner } from '../support/database.ts'
import { openShop, operator, placeOrder } from '../support/shop.ts'
import { openTestpay, testpayCallback, testpayMigration } from './testpay.ts'

/**
 * Tests a second payment provider, whose name occurs only in its adapter, in the list of adapters and in the database.
 */

const testpay = await openTestpay()
afterAll(() => void testpay.close())

const urls = Object.fromEntries([
  ['paystack', 'http://127.0.0.1:1'],
  [testpay.adapter.name, testpay.url],
])
const started = useApi({ paymentProviders: { urls, adapters: [...paymentAdapters, testpay.adapter] } })

const secretKey = 'tp_live_0001'

beforeAll(() => asOwner(started(), testpayMigration))

test('a payment through a second payment provider confirms its order, and a refund through that provider is paid and becomes succeeded', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { merchantId, tenant, token } = shop
  const context = { ...api.context, vault, isProduction: true }
  const connected = await connectProvider(context, operator, tenant, { provider: testpay.adapter, secretKey })
  expect(connected).toEqual({ is: 'connected', lastFour: '0001' })
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
  const receive = async (callback: ReturnType<typeof testpayCallback>, provider = 'testpay') => {
    api.clock.advance(1)
    const path = `/callbacks/${provider}/${merchantId}`
    const { status } = await sendRaw(api, { method: 'POST', path, ...callback })
    await applyCallbacks(api.payments, merchantId)
    return status
  }
  const read = async (path: string) => (await api.send('GET', `/api/v1${path}`, { token })).body

  const charge = { kind: 'charge.paid', reference: 'P1', kobo: order.totalKobo, order: order.id } as const
  expect(await receive(testpayCallback('tp_live_other', charge))).toBe(401)
  // The callback of one provider is not accepted at the route of another.
  expect(await receive(testpayCallback(secretKey, charge), 'paystack')).toBe(401)
  expect(await receive(testpayCallback(secretKey, charge))).toBe(200)
  expect(await read(`/orders/${order.id}`)).toMatchObject({ status: 'processing', paidKobo: order.totalKobo })
  expect((await read(`/payments?orderId=${order.id}`)).data).toMatchObject([{ provider: 'testpay', reference: 'P1' }])

  const body = { orderId: order.id, amountKobo: 400_000, reason: 'damaged' }
  const { id } = (await api.send('POST', '/api/v1/refunds', { token, body })).body
  await payRefunds(api.payments, merchantId)
  expect(testpay.refunds).toMatchObject([{ note: id, kobo: 400_000 }])
  expect(testpay.keys).toEqual([secretKey])
  const underWay = { provider: 'testpay', status: 'processing', providerReference: 'tp-1' }
  expect(await read(`/refunds/${id}`)).toMatchObject(underWay)

  const refund = { id: 'tp-1', note: id, kobo: 400_000, state: 'paid' } as const
  expect(await receive(testpayCallback(secretKey, { kind: 'refund.updated', payment: 'P1', refund }))).toBe(200)
  expect(await read(`/refunds/${id}`)).toMatchObject({ ...underWay, status: 'succeeded' })
  expect(await read(`/orders/${order.id}`)).toMatchObject({ refundedKobo: 400_000, refundPendingKobo: 0 })
})

test('a request for a payment link must name the provider if two providers are connected, except when the order already has an open link', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const context = { ...api.context, vault, isProduction: true }
  await connectProvider(context, operator, shop.tenant, { provider: testpay.adapter, secretKey })
  const order = await placeOrder(api, shop, { isPaid: false })
  const path = `/api/v1/orders/${order.id}/payment-link`
  const create = () => api.send('POST', path, { token: shop.token, body: {} })
  const { body: link } = await create()
  expect(link).toMatchObject({
    provider: 'testpay',
    status: 'open',
    url: `https://testpay.example/${testpay.pages.length}`,
  })
  expect(testpay.pages.at(-1)).toMatchObject({ reference: link.reference, kobo: order.totalKobo })

  api.clock.advance(1000)
  await connectProvider(context, operator, shop.tenant, { provider: paystack, secretKey: 'sk_live_0001' })
  expect(await create()).toMatchObject({ status: 200, body: link })
  const other = await placeOrder(api, shop, { isPaid: false })
  const refused = await api.send('POST', `/api/v1/orders/${other.id}/payment-link`, { token: shop.token, body: {} })
  answers('createPaymentLink', 'payment_provider_required', refused)
  expect(refused.body.error.details.providers.toSorted()).toEqual(['paystack', 'testpay'])

  const charge = { kind: 'charge.paid', reference: link.reference, kobo: order.totalKobo, order: order.id } as const
  await sendRaw(api, {
    method: 'POST',
    path: `/callbacks/testpay/${shop.merchantId}`,
    ...testpayCallback(secretKey, charge),
  })
  await applyCallbacks(api.payments, shop.merchantId)
  expect((await api.send('GET', path, { token: shop.token })).body).toEqual({ ...link, status: 'paid' })
})

test('if the merchant replaces the key of a payment provider, a payment link of that provider becomes void, and the next request creates a link with the new key', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const context = { ...api.context, vault, isProduction: true }
  const connect = (key: string) =>
    connectProvider(context, operator, shop.tenant, { provider: testpay.adapter, secretKey: key })
  await connect(secretKey)
  const order = await placeOrder(api, shop, { isPaid: false })
  const path = `/api/v1/orders/${order.id}/payment-link`
  const create = () => api.send('POST', path, { token: shop.token, body: {} })
  const read = async () => (await api.send('GET', path, { token: shop.token })).body
  const { body: first } = await create()
  api.clock.advance(1000)
  await connect(`${secretKey}0`)
  expect(await read()).toEqual({ ...first, status: 'void', voidReason: 'provider_key_replaced' })
  const second = await create()
  expect(second).toMatchObject({ status: 201, body: { status: 'open', voidReason: null } })
  expect(second.body.reference).not.toBe(first.reference)
  expect(await read()).toEqual(second.body)
})
