import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { createdCustomer, readCustomer } from '../../support/commerce/customer.ts'
import { openShop, orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()

/** Creates an order with the given customer details, one hour after the customer's record was created. */
async function open(known: object, sent: object) {
  const api = started()
  const shop = await openShop(api.context)
  const before = await createdCustomer(api, shop, { name: 'Adaeze Okafor', email: 'adaeze@example.com', ...known })
  api.clock.advance(3_600_000)
  const { variantId } = await stockVariant(api, shop.merchantId)
  const body = orderBody(variantId, { customer: { name: 'A. Okafor', email: 'ADAEZE@example.com', ...sent } })
  const reply = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
  expect(reply.body.customer.id).toBe(before.id)
  const { ordersCount, lastOrderAt, ...after } = await readCustomer(api, shop, before.id)
  expect({ ordersCount, lastOrderAt }).toEqual({ ordersCount: 1, lastOrderAt: reply.body.createdAt })
  const { ordersCount: _none, lastOrderAt: _never, ...was } = before
  return { was, after, now: reply.body.createdAt }
}

describe('an order for an existing customer, found by e-mail', () => {
  test('createOrder stores the phone number of the request for an existing customer who has none', async () => {
    const { was, after, now } = await open({}, { phone: '+2348031234567' })
    expect(after).toEqual({ ...was, phone: '+2348031234567', version: 2, updatedAt: now })
  })

  test('createOrder does not replace the stored phone number of an existing customer', async () => {
    const { was, after } = await open({ phone: '+2347012345678' }, { phone: '+2348031234567' })
    expect(after).toEqual(was)
  })

  test('createOrder without a phone number does not change an existing customer', async () => {
    const { was, after } = await open({}, {})
    expect(after).toEqual(was)
  })
})
