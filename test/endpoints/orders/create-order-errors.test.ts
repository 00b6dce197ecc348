import { describe, expect, test } from 'vitest'
import { newCustomerId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { order } from '../../support/commerce/order.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { openShop, orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = () => openShopWith(started(), {})

describe('404 customer_not_found', () => {
  test('createOrder returns 404 customer_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    const more = { customer: undefined, customerId: newCustomerId(0) }
    answers('createOrder', 'customer_not_found', await order(api, shop, {}, more))
  })

  test('createOrder returns 404 customer_not_found for another merchant’s customer and for a deleted customer', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    const { id } = (await order(api, shop)).body.customer
    const more = { customer: undefined, customerId: id }
    answers('createOrder', 'customer_not_found', await order(api, other, {}, more))
    await select(api, 'update customers set deleted_at = now() where id = $1', [id])
    answers('createOrder', 'customer_not_found', await order(api, shop, {}, more))
  })
})

describe('404 variant_not_found', () => {
  test('createOrder returns 404 variant_not_found and lists every unknown variant', async () => {
    const { api, shop } = await open()
    const known = await stockVariant(api, shop.merchantId)
    const unknown = [newVariantId(0), newVariantId(0)]
    const items = [...unknown, known.variantId].map((variantId) => ({ variantId, quantity: 1 }))
    const body = orderBody(known.variantId, { items })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'variant_not_found', reply)
    expect(reply.body.error.details).toEqual({ variantIds: unknown })
  })
})

describe('409 product_not_available', () => {
  test.for([
    'draft',
    'archived',
  ] as const)('createOrder returns 409 product_not_available for a %s product', async (status) => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { status })
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    answers('createOrder', 'product_not_available', reply)
    expect(reply.body.error.details).toEqual({ variantIds: [variantId] })
  })

  test('createOrder returns 409 product_not_available for an archived variant of an active product', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    await select(api, 'update product_variants set archived_at = now() where id = $1', [variantId])
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    answers('createOrder', 'product_not_available', reply)
  })
})

describe('409 external_reference_in_use', () => {
  test('createOrder returns 409 external_reference_in_use with the id of the order that has the externalReference', async () => {
    const { api, shop } = await open()
    const first = await order(api, shop, {}, { externalReference: 'shop-1' })
    const before = await contentsOf(api)
    const { variantId } = (
      await select(api, 'select variant_id as "variantId" from order_items where order_id = $1', [first.body.id])
    )[0]
    const body = orderBody(variantId, { externalReference: 'shop-1' })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'external_reference_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.body.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createOrder accepts an externalReference that another merchant uses', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    expect((await order(api, shop, {}, { externalReference: 'shop-1' })).status).toBe(201)
    expect((await order(api, other, {}, { externalReference: 'shop-1' })).status).toBe(201)
  })
})
