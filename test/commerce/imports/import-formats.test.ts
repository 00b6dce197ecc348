import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import {
  csvOf,
  shopifyDress,
  shopifyFile,
  woocommerceFile,
  woocommerceRows,
} from '../../support/commerce/import-files.ts'
import { makeProduct, productBody } from '../../support/commerce/product.ts'
import { productsOf, reportOf } from '../../support/commerce/product-import.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

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

  test('a Shopify product with the option “Title” and without an inventory tracker is imported without options and with untracked stock', async () => {
    const { api, shop } = await open()
    const row = { Handle: 'cap', Title: 'Cap', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' }
    await reportOf(api, shop, shopifyFile([{ ...row, 'Variant Price': '500', 'Variant Inventory Qty': '-3' }]))
    expect(await productsOf(api, shop)).toMatchObject([
      { status: 'draft', options: [], variants: [{ optionValues: {}, inventory: { tracked: false, onHand: 0 } }] },
    ])
  })

  test('the import of a WooCommerce export creates simple products, and variable products with their variations', async () => {
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

  test('another merchant can import an export of products, and its products then have the same values', async () => {
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

test('the import reads a file in Windows-1252 with semicolons as separators, and reports this encoding and this separator', async () => {
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
