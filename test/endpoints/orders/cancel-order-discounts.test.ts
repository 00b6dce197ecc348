import { expect, test } from 'vitest'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { useApi } from '../../support/api.ts'
import { discount, readDiscount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()
const dayMs = 24 * 3_600_000

const open = async () => {
  const api = started()
  const shop = await openShop(api.context)
  const cancel = (id: string) => {
    return api.send('POST', `/api/v1/orders/${id}/cancel`, { token: shop.token, body: { reason: 'customer' } })
  }
  return { api, shop, cancel }
}

test('an order that is cancelled before payment releases its use of a discount only once, even if the cancellation is repeated', async () => {
  const { api, shop, cancel } = await open()
  const { id, code } = await discount(api, shop, { usageLimit: 1 })
  const { body: placed } = await order(api, shop, {}, { discountCodes: [code] })
  const cancelled = await cancel(placed.id)
  expect(cancelled.status, cancelled.text).toBe(200)
  expect(cancelled.body.discounts).toEqual(placed.discounts)
  expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 0, state: 'active' })
  expect((await order(api, shop, {}, { discountCodes: [code] })).status).toBe(201)
  await cancel(placed.id)
  expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 1, state: 'exhausted' })
})

test('an expired order releases its use of a discount', async () => {
  const { api, shop } = await open()
  const { id, code } = await discount(api, shop, { usageLimit: 1 })
  await order(api, shop, {}, { discountCodes: [code] })
  api.clock.advance(dayMs)
  await expireOrders(api.context)
  expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 0, state: 'active' })
})

test('the discount use of a paid order still counts towards the usage limit after the order is cancelled', async () => {
  const { api, shop, cancel } = await open()
  const { id, code } = await discount(api, shop, { usageLimit: 1 })
  const placed = await placeOrder(api, shop, { body: { discountCodes: [code] } })
  expect((await cancel(placed.id)).status).toBe(200)
  expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 1, state: 'exhausted' })
})

test('if the payment of a cancelled order is voided, the order releases its use of a discount', async () => {
  const { api, shop, cancel } = await open()
  const { id, code } = await discount(api, shop, { usageLimit: 1, usageLimitPerCustomer: 1 })
  const placed = await placeOrder(api, shop, { isPaid: false, body: { discountCodes: [code] } })
  const send = (path: string, body: object) => api.send('POST', path, { token: shop.token, body })
  const pay = async (amountKobo: number, reference: string) =>
    (await send(`/api/v1/orders/${placed.id}/payments`, { amountKobo, method: 'bank_transfer', reference })).body
  const payments = [await pay(100, 'GTB-1'), await pay(placed.totalKobo - 100, 'GTB-2')]
  await cancel(placed.id)
  const counts: number[] = []
  for (const payment of payments) {
    expect((await send(`/api/v1/payments/${payment.id}/void`, { reason: 'not_received' })).status).toBe(200)
    counts.push((await readDiscount(api, shop, id)).redemptionCount)
  }
  expect(counts).toEqual([1, 0])
  expect((await order(api, shop, {}, { discountCodes: [code] })).status).toBe(201)
})
