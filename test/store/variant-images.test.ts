import { expect, test } from 'vitest'
import type { VariantId } from '../../registry/values/vocabulary.ts'
import { mutate } from '../../src/store/core/mutation.ts'
import { lockVariants } from '../../src/store/products/variants.ts'
import { useApi } from '../support/api.ts'
import { makeProduct, patchProduct } from '../support/commerce/product.ts'
import { openShop, operator } from '../support/shop.ts'

const started = useApi()

test('a variant has its own image, otherwise the first image of its product, otherwise null', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const variants = ['S', 'M'].map((size, index) => ({
    optionValues: { size, colour: 'Wine' },
    priceKobo: 1,
    ...(index === 0 ? { imagePosition: 1 } : {}),
  }))
  const product = await makeProduct(api, shop, { variants })
  const ids: VariantId[] = product.variants.map(({ id }: { id: VariantId }) => id)
  const mutation = { tenant: shop.tenant, actor: operator, action: 'variant.update' as const, resourceType: 'test' }
  const sold = () =>
    mutate(api.context, { ...mutation, resourceId: () => shop.merchantId }, async ({ trx, merchantId }) => {
      const rows = await lockVariants(trx, { merchantId, ids })
      return ids.map((id) => rows.find((row) => row.variantId === id)?.imageUrl)
    })
  expect(await sold()).toEqual(['https://cdn.example.com/back.jpg', 'https://cdn.example.com/front.jpg'])
  await patchProduct(api, shop, product.id, { images: [] })
  expect(await sold()).toEqual([null, null])
})
