import { describe, expect, test } from 'vitest'
import { ImportInterrupted, importProducts } from '../../../src/commerce/imports/import-products.ts'
import { useApi } from '../../support/api.ts'
import { shopifyDress, shopifyFile } from '../../support/commerce/import-files.ts'
import { productsOf, reportOf } from '../../support/commerce/product-import.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { openShop, operator } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

describe('repeated imports', () => {
  test('a repeated import creates only the products that do not exist yet, and reports the others as existing', async () => {
    const { api, shop } = await open()
    await reportOf(api, shop, shopifyFile(shopifyDress))
    const cap = { Handle: 'cap', Title: 'Cap', 'Variant SKU': 'CAP', 'Variant Price': '500' }
    const file = shopifyFile([...shopifyDress, cap])
    expect(await reportOf(api, shop, file, true)).toMatchObject({ created: 1, existing: 1, failed: 0 })
    expect(await reportOf(api, shop, file)).toMatchObject({ created: 1, existing: 1, failed: 0 })
    const before = await contentsOf(api)
    expect(await reportOf(api, shop, file)).toMatchObject({ created: 0, existing: 2, failed: 0 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('an import that stops midway is completed by running it again', async () => {
    const { api, shop } = await open()
    const rows = Array.from({ length: 250 }, (_, index) => {
      return { Handle: `cap-${index}`, Title: 'Cap', 'Variant SKU': `CAP-${index}`, 'Variant Price': '500' }
    })
    const bytes = shopifyFile(rows)
    const { tenant } = shop
    const stopped = await importProducts(api.context, {
      ...{ tenant, actor: operator, bytes, isDryRun: false },
      onProgress: async () => 'stop',
    })
    expect(stopped).toMatchObject({ is: 'stopped', report: { created: 100, lines: 102 } })
    expect(await reportOf(api, shop, bytes)).toMatchObject({ created: 150, existing: 100, failed: 0 })
  })

  test('a repeated import recognises a product without a SKU by its handle', async () => {
    const { api, shop } = await open()
    const file = shopifyFile([{ Handle: 'cap', Title: 'Cap', 'Variant Price': '500' }])
    await reportOf(api, shop, file)
    expect(await reportOf(api, shop, file)).toMatchObject({ created: 0, existing: 1, failed: 0 })
  })

  test('concurrent imports of the same file create each product once', async () => {
    const { api, shop } = await open()
    const rows = Array.from({ length: 30 }, (_, index) => {
      return { Handle: `cap-${index}`, Title: 'Cap', 'Variant SKU': `CAP-${index}`, 'Variant Price': '500' }
    })
    const reports = await Promise.all([1, 2, 3].map(() => reportOf(api, shop, shopifyFile(rows))))
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(30)
    expect(reports.reduce((sum, { existing }) => sum + existing, 0)).toBe(60)
    expect(reports.flatMap(({ problems }) => problems)).toEqual([])
    expect(await productsOf(api, shop)).toHaveLength(30)
  })
})

test('an import that an error interrupts reports the products that it created before the error, and creates no further products', async () => {
  const { api, shop } = await open()
  const rows = Array.from({ length: 30 }, (_, index) => {
    return { Handle: `cap-${index}`, Title: 'Cap', 'Variant SKU': `CAP-${index}`, 'Variant Price': '500' }
  })
  let readings = 0
  const nowMs = () => {
    readings += 1
    if (readings === 10) throw new Error('The clock has stopped')
    return api.clock.nowMs()
  }
  const request = { tenant: shop.tenant, actor: operator, bytes: shopifyFile(rows), isDryRun: false }
  const outcome = await importProducts({ ...api.context, clock: { nowMs } }, request).catch((error: unknown) => error)
  const products = await productsOf(api, shop)
  expect(outcome).toBeInstanceOf(ImportInterrupted)
  expect(outcome).toMatchObject({
    report: { created: products.length },
    message: `The import was interrupted after ${products.length} products: The clock has stopped. Run it again to create the others.`,
  })
  expect(products.length).toBeLessThan(15)
})

test('each imported product has a product.create audit row with the actor of the import', async () => {
  const { api, shop } = await open()
  await reportOf(api, shop, shopifyFile(shopifyDress))
  const [product] = await productsOf(api, shop)
  const rows = `select resource_type, resource_id, actor_type, actor_label from audit_log
    where merchant_id = $1 and action = 'product.create'`
  expect(await select(api, rows, [shop.merchantId])).toEqual([
    { resource_type: 'product', resource_id: product.id, actor_type: 'operator', actor_label: operator.label },
  ])
})
