import { describe, expect, test } from 'vitest'
import { newCustomerId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { addAddress, createdCustomer, customersPath, orderOf, readCustomer } from '../../support/commerce/customer.ts'
import { select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()

describe('200 responses of getCustomer', () => {
  test('getCustomer excludes cancelled orders from ordersCount and lastOrderAt, but includes their payments in totalSpentKobo', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await createdCustomer(api, shop)
    const pay = async (orderId: string, amountKobo: number) => {
      const body = { amountKobo, method: 'cash', reference: `${orderId}-${amountKobo}` }
      await api.send('POST', `/api/v1/orders/${orderId}/payments`, { token: shop.token, body })
    }
    const first = await orderOf(api, shop, id)
    await pay(first.id, 1_000_000)
    api.clock.advance(1000)
    const second = await orderOf(api, shop, id)
    await pay(second.id, 400_000)
    const lastOrderAt = second.createdAt
    api.clock.advance(1000)
    const cancelled = await orderOf(api, shop, id, 'cancelled')
    await pay(cancelled.id, 50_000)
    await orderOf(api, shop, (await createdCustomer(api, shop)).id)
    expect(await readCustomer(api, shop, id)).toMatchObject({ ordersCount: 2, totalSpentKobo: 1_450_000, lastOrderAt })
    const refund = { orderId: first.id, amountKobo: 300_000, reason: 'damaged' }
    await api.send('POST', '/api/v1/refunds', { token: shop.token, body: refund })
    expect(await readCustomer(api, shop, id)).toMatchObject({ ordersCount: 2, totalSpentKobo: 1_150_000, lastOrderAt })
  })

  test('the totalSpentKobo that getCustomer returns can exceed the maximum total of one order', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await createdCustomer(api, shop)
    for (const reference of ['a', 'b']) {
      const order = await orderOf(api, shop, id)
      const body = { amountKobo: 100_000_000_000, method: 'cash', reference, allowOverpayment: true }
      await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    }
    expect((await readCustomer(api, shop, id)).totalSpentKobo).toBe(200_000_000_000)
  })

  test('getCustomer returns addresses oldest first', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await createdCustomer(api, shop, { addresses: ['a', 'b', 'c'].map((line1) => ({ line1 })) })
    await addAddress(api, shop, id, { line1: 'd' })
    const { addresses } = await readCustomer(api, shop, id)
    expect(addresses.map(({ line1 }: { line1: string }) => line1)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('getCustomer returns a customer that createOrder created', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const [row] = await select(
      api,
      `insert into customers (merchant_id, id, name, email, created_at, updated_at)
       values ($1, $2, 'Ngozi Eze', 'ngozi@example.com', now(), now()) returning id`,
      [shop.merchantId, newCustomerId(api.clock.nowMs())],
    )
    const never = { granted: false, at: null }
    expect(await readCustomer(api, shop, row.id)).toMatchObject({
      version: 1,
      tags: [],
      marketing: { email: never, sms: never, whatsapp: never },
    })
  })
})

describe('404 customer_not_found', () => {
  test('getCustomer returns 404 customer_not_found for an unknown id', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const path = `${customersPath}/${newCustomerId(0)}`
    answers('getCustomer', 'customer_not_found', await api.send('GET', path, { token: shop.token }))
  })
})
