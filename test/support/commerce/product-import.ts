import { type ImportOutcome, importProducts } from '../../../src/commerce/imports/import-products.ts'
import type { TestApi } from '../api.ts'
import { operator, type Shop } from '../shop.ts'
import { productsPath } from './product.ts'

function run(api: TestApi, shop: Shop, bytes: Buffer | string, isDryRun = false): Promise<ImportOutcome> {
  const { tenant } = shop
  return importProducts(api.context, { tenant, actor: operator, bytes: Buffer.from(bytes), isDryRun })
}

export async function reportOf(api: TestApi, shop: Shop, bytes: Buffer | string, isDryRun = false) {
  const outcome = await run(api, shop, bytes, isDryRun)
  if (outcome.is === 'unreadable') throw new Error(outcome.message)
  return outcome.report
}

export async function productsOf(api: TestApi, shop: Shop) {
  const { body } = await api.send('GET', `${productsPath}?limit=100`, { token: shop.token })
  return body.data
}
