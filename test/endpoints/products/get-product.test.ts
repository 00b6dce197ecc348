import { describe, expect, test } from 'vitest'
import { newProductId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { makeVariant, productsPath, sell } from '../../support/commerce/product.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()

describe('200 responses of getProduct', () => {
  test('after an order, getProduct returns the new stock quantities and an unchanged product version', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { path, variant } = await makeVariant(api, shop, { onHand: 9 })
    await sell(api, shop, variant.id, 4)
    const { body, headers } = await api.send('GET', path, { token: shop.token })
    expect(body.variants[0].inventory).toMatchObject({ onHand: 9, reserved: 4, available: 5, low: true })
    expect(body).toMatchObject({ totalAvailable: 5, version: 1 })
    expect(headers.get('etag')).toMatch(/^"v1-/)
  })
})

describe('404 product_not_found', () => {
  test('getProduct returns 404 product_not_found for an unknown id', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', `${productsPath}/${newProductId(0)}`, { token: shop.token })
    answers('getProduct', 'product_not_found', reply)
  })
})
