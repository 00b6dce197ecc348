import { describe, expect, test } from 'vitest'
import { ImportInterrupted, type ImportOutcome, importProducts } from '../../../src/commerce/imports/import-products.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import {
  csvOf,
  shopifyDress,
  shopifyFile,
  woocommerceFile,
  woocommerceRows,
} from '../../support/commerce/import-files.ts'
import { makeProduct, productBody, productsPath } from '../../support/commerce/product.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

function run(api: TestApi, shop: Shop, bytes: Buffer | string, isDryRun = false): Promise<ImportOutcome> {
  const { tenant } = shop
  return importProducts(api.context, { tenant, actor: operator, bytes: Buffer.from(bytes), isDryRun })
}

async function reportOf(api: TestApi, shop: Shop, bytes: Buffer | string, isDryRun = false) {
  const outcome = await run(api, shop, bytes, isDryRun)
  if (outcome.is === 'unreadable') throw new Error(outcome.message)
  return outcome.report
}

async function productsOf(api: TestApi, shop: Shop) {
  const { body } = await api.send('GET', `${productsPath}?limit=100`, { token: shop.token })
  return body.data
}

describe('formats of imported files', () => {
  test('a product of a Shopify export is created with its variants, its images and its opening stock', async () => {
    const { api, shop } = await open()
    const report = await reportOf(api, shop, shopifyFile(shopifyDress))
    expect(report).toMatchObject({
      ...{ format: 'Shopify', encoding: 'UTF-8', delimiter: ',', ignored: ['SEO Title'], lines: 4 },
      ...{ created: 1, existing: 0, failed: 0, problemCount: 0, problems: [] },
      products: [{ line: 2, title: 'Ankara maxi dress', variants: 2 }],
    })
    const [product] = await productsOf(api, shop)
    expect(product).toMatchObject({
      title: 'Ankara maxi dress',
      slug: 'ankara-maxi-dress',
      description: 'Wax print & lined.\nSide pockets.',
      status: 'active',
      brand: 'Adire Lagos',
      category: 'Dresses',
      tags: ['ankara', 'women'],
      options: [{ name: 'Size', values: ['M', 'L'] }],
      images: [
        { url: 'https://cdn.example.com/front.jpg', alt: 'Front view' },
        { url: 'https://cdn.example.com/back.jpg', alt: null },
      ],
      variants: [
        {
          sku: 'ANK-M',
          optionValues: { Size: 'M' },
          priceKobo: 1_250_000,
          compareAtPriceKobo: 1_500_050,
          costKobo: null,
          barcode: '6154000012345',
          weightGrams: 450,
          imageId: product.images[0].id,
          inventory: { tracked: true, onHand: 20, allowBackorder: false },
        },
        { sku: 'ANK-L', priceKobo: 1_300_000, inventory: { onHand: 12, allowBackorder: true } },
      ],
    })
    const movements = 'select reason, on_hand_delta from stock_movements where merchant_id = $1 order by on_hand_delta'
    expect(await select(api, movements, [shop.merchantId])).toEqual([
      { reason: 'opening', on_hand_delta: 12 },
      { reason: 'opening', on_hand_delta: 20 },
    ])
  })

  test('a Shopify product with the option “Title” and without an inventory tracker has no options and untracked stock', async () => {
    const { api, shop } = await open()
    const row = { Handle: 'cap', Title: 'Cap', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' }
    await reportOf(api, shop, shopifyFile([{ ...row, 'Variant Price': '500', 'Variant Inventory Qty': '-3' }]))
    expect(await productsOf(api, shop)).toMatchObject([
      { status: 'draft', options: [], variants: [{ optionValues: {}, inventory: { tracked: false, onHand: 0 } }] },
    ])
  })

  test('a WooCommerce export creates simple products, and variable products with their variations', async () => {
    const { api, shop } = await open()
    const report = await reportOf(api, shop, woocommerceFile(woocommerceRows))
    expect(report).toMatchObject({ format: 'WooCommerce', ignored: ['Meta: _custom'], created: 2, failed: 0 })
    const products = await productsOf(api, shop)
    const byTitle = new Map(products.map((product: { title: string }) => [product.title, product]))
    expect(byTitle.get('Aso oke cap')).toMatchObject({
      status: 'active',
      category: 'Caps',
      tags: ['cap', 'aso oke'],
      taxExempt: true,
      images: [{ url: 'https://cdn.example.com/cap.jpg' }, { url: 'https://cdn.example.com/cap-back.jpg' }],
      variants: [
        {
          sku: 'CAP-1',
          priceKobo: 450_000,
          compareAtPriceKobo: 500_000,
          weightGrams: 250,
          inventory: { tracked: true, onHand: 7, lowStockThreshold: 2 },
        },
      ],
    })
    expect(byTitle.get('Adire shirt')).toMatchObject({
      status: 'draft',
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { sku: 'SHIRT-S', priceKobo: 900_000, inventory: { tracked: false } },
        { sku: 'SHIRT-M', priceKobo: 950_000, inventory: { tracked: true, onHand: 3, allowBackorder: true } },
      ],
    })
  })

  test('an export of products is imported by another merchant with the same values', async () => {
    const { api, shop } = await open()
    const formula = '=cmd|calc'
    await makeProduct(api, shop, {
      ...{ title: formula, description: `'${formula}\n"quoted", text`, category: '+Dresses', brand: "'s Brand" },
      ...{ tags: ['a,b', 'ankara'], lowStockThreshold: 3, taxExempt: true, metadata: { season: '-SS26' } },
    })
    const { variants } = productBody(api)
    const [first] = variants
    await makeProduct(api, shop, {
      variants: [
        { ...first, imagePosition: 1, compareAtPriceKobo: 2_000_000, costKobo: 5, barcode: '1', weightGrams: 9 },
      ],
    })
    api.clock.advance(1)
    const exported = await api.send('GET', '/api/v1/exports/products?format=csv', { token: shop.token })
    const other = await openShop(api.context)
    const report = await reportOf(api, other, exported.text)
    expect(report).toMatchObject({ format: 'Commerce Service', created: 2, failed: 0, problems: [] })
    const bySlug = async (of: Shop) =>
      (await productsOf(api, of)).toSorted((one: { slug: string }, two: { slug: string }) =>
        one.slug < two.slug ? -1 : 1,
      )
    expect(withoutIds(await bySlug(other))).toEqual(withoutIds(await bySlug(shop)))
  })
})

/** Removes ids and times, which differ between two merchants. */
function withoutIds(products: object): unknown {
  const text = JSON.stringify(products).replaceAll(/"(?:prd|var|img)_[0-9a-z]{26}"|"2026-[0-9T:.-]+Z"/g, '"other"')
  return JSON.parse(text)
}

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

  test('a product without a SKU is recognised by its handle', async () => {
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

test('an import that an error interrupts reports the products that it has created, and creates no others', async () => {
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

describe('problems of imported files', () => {
  test.for<[string, Readonly<Record<string, string>>, string, string]>([
    ['a price with decimal comma', { 'Variant Price': '12.500,00' }, 'Variant Price', 'Must be a price in naira'],
    ['a negative price', { 'Variant Price': '-5' }, 'Variant Price', 'Must be a price in naira'],
    ['a missing price', { 'Variant Price': '' }, 'Variant Price', 'Is required.'],
    [
      'a price above the maximum',
      { 'Variant Price': '1000000001', 'Variant Compare At Price': '' },
      'Variant Price',
      'Must be at most 100000000000',
    ],
    ['a low compare-at price', { 'Variant Compare At Price': '1' }, 'Variant Compare At Price', 'Must be higher'],
    ['a text as stock', { 'Variant Inventory Qty': 'many' }, 'Variant Inventory Qty', 'Must be a whole number'],
    ['negative stock', { 'Variant Inventory Qty': '-1' }, 'Variant Inventory Qty', 'Must be at least 0'],
    ['a SKU with other letters', { 'Variant SKU': 'Ẹ-1' }, 'Variant SKU', 'Must be printable ASCII'],
    ['an insecure image', { 'Image Src': 'http://a.example/1.jpg' }, 'Image Src', 'url: '],
    ['a title that is missing', { Title: '' }, 'Title', 'Is required.'],
  ])('%s is reported by line and column, and only its product is left out', async ([, cell, column, message]) => {
    const { api, shop } = await open()
    const good = { Handle: 'cap', Title: 'Cap', 'Variant SKU': 'CAP', 'Variant Price': '500' }
    const [first = {}] = shopifyDress
    const file = shopifyFile([good, { ...first, ...cell }])
    for (const isDryRun of [true, false]) {
      const report = await reportOf(api, shop, file, isDryRun)
      expect(report).toMatchObject({ created: 1, failed: 1, problemCount: 1, problems: [{ line: 3, column }] })
      expect(report.problems[0]?.message).toContain(message)
    }
    expect(await productsOf(api, shop)).toMatchObject([{ title: 'Cap' }])
  })

  test('a dry run reports the same as the import, and writes nothing', async () => {
    const { api, shop } = await open()
    const file = shopifyFile([...shopifyDress, { Handle: 'b', Title: 'B', 'Variant Price': 'x' }])
    const before = await contentsOf(api)
    const dryRun = await reportOf(api, shop, file, true)
    expect(await contentsOf(api)).toEqual(before)
    expect(await reportOf(api, shop, file)).toEqual(dryRun)
  })

  test('a SKU or a handle that the file repeats is reported with the line of its first occurrence', async () => {
    const { api, shop } = await open()
    const cap = { Handle: 'cap', Title: 'Cap', 'Variant SKU': 'CAP', 'Variant Price': '500' }
    const other = { ...cap, Handle: 'other' }
    const report = await reportOf(
      api,
      shop,
      shopifyFile([cap, { ...other, 'Variant SKU': 'cap' }, { ...cap, 'Variant SKU': 'C' }]),
    )
    expect(report).toMatchObject({ created: 1, failed: 2 })
    expect(report.problems).toEqual([
      { line: 3, column: 'Variant SKU', message: 'Must not repeat the value of line 2.' },
      { line: 4, column: 'Handle', message: 'All lines of a product must follow each other.' },
      { line: 4, column: 'Handle', message: 'Must not repeat the value of line 2.' },
    ])
  })

  test('a SKU of another product is reported with the ids of its variant and product', async () => {
    const { api, shop } = await open()
    const product = await makeProduct(api, shop)
    const [small] = product.variants
    const rows = [
      {
        Handle: 'a',
        Title: 'A',
        'Option1 Name': 'Size',
        'Option1 Value': 'S',
        'Variant SKU': small.sku,
        'Variant Price': '1',
      },
      { Handle: 'a', 'Option1 Value': 'M', 'Variant SKU': 'NEW', 'Variant Price': '1' },
    ]
    const report = await reportOf(api, shop, shopifyFile(rows))
    expect(report).toMatchObject({ created: 0, failed: 1, problems: [{ line: 2, column: 'Variant SKU' }] })
    expect(report.problems[0]?.message).toContain(`variant ${small.id} of the product ${product.id}`)
  })

  test('a line with too few or too many cells fails its product', async () => {
    const { api, shop } = await open()
    const text = `${shopifyFile(shopifyDress.slice(0, 1)).toString()}\r\nankara-maxi-dress,x\r\n`
    const report = await reportOf(api, shop, text)
    expect(report).toMatchObject({ created: 0, failed: 1 })
    expect(report.problems).toContainEqual({
      line: 3,
      column: null,
      message: 'The line has 2 cells, but the header has 26.',
    })
  })

  test('a variation without its variable product, and a product of another type, are reported', async () => {
    const { api, shop } = await open()
    const rows = [
      { ID: '1', Type: 'variation', SKU: 'A', Name: 'A', Parent: 'id:9', 'Regular price': '1' },
      { ID: '2', Type: 'grouped', SKU: 'B', Name: 'B' },
      { ID: '3', Type: 'simple', Name: 'Without a SKU', 'Regular price': '1' },
    ]
    const report = await reportOf(api, shop, woocommerceFile(rows))
    expect(report).toMatchObject({ created: 0, failed: 3 })
    expect(report.problems).toMatchObject([
      { line: 2, column: 'Parent' },
      { line: 3, column: 'Type' },
      { line: 4, column: 'SKU', message: 'Is required: a repeated import recognises the product by it.' },
    ])
  })

  test('the report lists the first hundred problems and the number of all', async () => {
    const { api, shop } = await open()
    const rows = Array.from({ length: 150 }, (_, index) => ({ Handle: `a-${index}`, Title: 'A', 'Variant Price': 'x' }))
    const report = await reportOf(api, shop, shopifyFile(rows), true)
    expect(report).toMatchObject({ failed: 150, problemCount: 150 })
    expect(report.problems).toHaveLength(100)
  })
})

test('each created product has the audit row of a created product, by the actor of the import', async () => {
  const { api, shop } = await open()
  await reportOf(api, shop, shopifyFile(shopifyDress))
  const [product] = await productsOf(api, shop)
  const rows = `select resource_type, resource_id, actor_type, actor_label from audit_log
    where merchant_id = $1 and action = 'product.create'`
  expect(await select(api, rows, [shop.merchantId])).toEqual([
    { resource_type: 'product', resource_id: product.id, actor_type: 'operator', actor_label: operator.label },
  ])
})

test('an import with semicolons and in Windows-1252 is read, and its encoding is reported', async () => {
  const { api, shop } = await open()
  const rows = [
    ['Handle', 'Title', 'Variant Price', 'Vendor, Inc.'],
    ['cafe', 'Café', '500', 'x'],
  ]
  const bytes = Buffer.from(csvOf(rows, ';'), 'latin1')
  const report = await reportOf(api, shop, bytes)
  expect(report).toMatchObject({ encoding: 'Windows-1252', delimiter: ';', ignored: ['Vendor, Inc.'], created: 1 })
  expect(await productsOf(api, shop)).toMatchObject([{ title: 'Café' }])
})
