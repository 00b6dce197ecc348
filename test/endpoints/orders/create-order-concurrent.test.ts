import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { orderBody, placeOrder, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = () => openShopWith(started(), {})

describe('concurrent orders for the same records', () => {
  test('only one of 50 concurrent orders for the last unit is created, and the others return insufficient_stock with the variant', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 1 })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const customer = { name: 'Adaeze', email: `adaeze${index}@example.com` }
        return api.send('POST', path, { token: shop.token, body: orderBody(variantId, { customer }) })
      }),
    )
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    const refused = replies.filter((reply) => reply.status !== 201)
    expect(refused).toHaveLength(49)
    for (const reply of refused) {
      answers('createOrder', 'insufficient_stock', reply)
      expect(reply.body.error.details.items).toMatchObject([{ variantId, requested: 1, available: 0 }])
    }
    const ledger = `
      select stock.reserved, (select sum(reserved_delta) from stock_movements where variant_id = stock.variant_id)::int
        as moved
      from inventory stock where variant_id = $1`
    expect(await select(api, ledger, [variantId])).toEqual([{ reserved: 1, moved: 1 }])
    expect(await select(api, 'select 1 from customers where merchant_id = $1', [shop.merchantId])).toHaveLength(1)
  })

  test('10 concurrent orders that cross the low-stock threshold emit one event', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10, threshold: 5 })
    await Promise.all(
      Array.from({ length: 10 }, () => api.send('POST', path, { token: shop.token, body: orderBody(variantId) })),
    )
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toMatchObject([{ data: { available: 5 } }])
    const stock = 'select available from inventory where variant_id = $1'
    expect(await select(api, stock, [variantId])).toEqual([{ available: 0 }])
  })

  test('10 concurrent orders that list the same two variants in opposite order all get a response, without a deadlock', async () => {
    const { api, shop } = await open()
    const first = await stockVariant(api, shop.merchantId)
    const second = await stockVariant(api, shop.merchantId)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const stocked = index % 2 === 0 ? [first, second] : [second, first]
        const items = stocked.map(({ variantId }) => ({ variantId, quantity: 1 }))
        const customer = { name: 'Adaeze', email: `ring${index}@example.com` }
        return api.send('POST', path, { token: shop.token, body: orderBody(first.variantId, { items, customer }) })
      }),
    )
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201))
  })

  test('only one of several concurrent orders with the same externalReference is created, and the others return external_reference_in_use', async () => {
    const { api, shop } = await open()
    const stocked = await Promise.all(Array.from({ length: 10 }, () => stockVariant(api, shop.merchantId)))
    const replies = await Promise.all(
      stocked.map(({ variantId }, index) => {
        const customer = { name: 'Adaeze', email: `reference${index}@example.com` }
        const body = orderBody(variantId, { customer, externalReference: 'shop-1' })
        return api.send('POST', path, { token: shop.token, body })
      }),
    )
    const [created, ...more] = replies.filter((reply) => reply.status === 201)
    expect(more).toEqual([])
    for (const reply of replies) {
      if (reply === created) continue
      answers('createOrder', 'external_reference_in_use', reply)
      expect(reply.body.error.details).toEqual({ existingId: created?.body.id })
    }
  })

  test('concurrent orders with the same new e-mail address in different cases create one customer', async () => {
    const { api, shop } = await open()
    const stocked = await Promise.all(Array.from({ length: 10 }, () => stockVariant(api, shop.merchantId)))
    const replies = await Promise.all(
      stocked.map(({ variantId }, index) => {
        const email = index % 2 === 0 ? 'NGOZI@example.com' : 'ngozi@Example.com'
        const body = orderBody(variantId, { customer: { name: 'Ngozi', email } })
        return api.send('POST', path, { token: shop.token, body })
      }),
    )
    expect(new Set(replies.map((reply) => reply.body.customer.id)).size).toBe(1)
    expect(await select(api, 'select 1 from customers where merchant_id = $1', [shop.merchantId])).toHaveLength(1)
  })

  test('100 orders get 100 different order numbers, each with a check character', async () => {
    const { api, shop } = await open()
    const placed = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const customer = { name: 'Adaeze', email: `number${index}@example.com` }
        return placeOrder(api, shop, { isPaid: false, body: { customer } })
      }),
    )
    expect(new Set(placed.map(({ number }) => number)).size).toBe(100)
  })
})
