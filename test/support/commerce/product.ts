import { newId } from '../../../src/base/ids.ts'
import type { Reply, ReplyBody, TestApi } from '../api.ts'
import type { Shop } from '../shop.ts'

export const productsPath = '/api/v1/products'

/** Returns an unused SKU in the form of an id. Tests that ignore ids when they compare bodies then ignore SKUs, too. */
export function freeSku(api: TestApi): string {
  return newId('sku', api.clock.nowMs())
}

/** Returns a valid body of a request to create a product: two sizes in one colour, with ten units of each. */
export function productBody(api: TestApi, more: object = {}) {
  const variant = (size: string) => ({
    sku: freeSku(api),
    optionValues: { size, colour: 'Indigo' },
    priceKobo: 1_500_000,
    inventory: { onHand: 10 },
  })
  return {
    title: 'Ankara maxi dress',
    status: 'active',
    options: [
      { name: 'size', values: ['S', 'M', 'L'] },
      { name: 'colour', values: ['Indigo', 'Wine'] },
    ],
    variants: [variant('S'), variant('M')],
    images: [
      { url: 'https://cdn.example.com/front.jpg', alt: 'Front view' },
      { url: 'https://cdn.example.com/back.jpg' },
    ],
    ...more,
  }
}

export async function makeProduct(api: TestApi, shop: Shop, more: object = {}): Promise<ReplyBody> {
  const reply = await api.send('POST', productsPath, { token: shop.token, body: productBody(api, more) })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/** Creates a product with one variant and no options. Returns the product and its API paths. */
export async function makeVariant(
  api: TestApi,
  shop: Shop,
  inventory: object = {},
  more: object = {},
): Promise<{ product: ReplyBody; variant: ReplyBody; path: string; variantPath: string }> {
  const variants = [{ sku: freeSku(api), priceKobo: 1_500_000, inventory }]
  const product = await makeProduct(api, shop, { options: [], images: [], variants, ...more })
  const [variant] = product.variants
  const path = `${productsPath}/${product.id}`
  return { product, variant, path, variantPath: `${path}/variants/${variant.id}` }
}

export function patchProduct(api: TestApi, shop: Shop, id: string, body: object, headers = {}): Promise<Reply> {
  return api.send('PATCH', `${productsPath}/${id}`, { token: shop.token, body, headers })
}

export function adjust(api: TestApi, shop: Shop, variantPath: string, body: object): Promise<Reply> {
  return api.send('POST', `${variantPath}/inventory`, { token: shop.token, body: { reason: 'correction', ...body } })
}

export function sell(api: TestApi, shop: Shop, variantId: string, quantity = 1): Promise<Reply> {
  const customer = { name: 'Adaeze Okafor', email: `${newId('eml', api.clock.nowMs())}@example.com` }
  const body = { customer, items: [{ variantId, quantity }], paymentMethod: 'bank_transfer' }
  return api.send('POST', '/api/v1/orders', { token: shop.token, body })
}
