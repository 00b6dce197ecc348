import { describe, expect, test } from 'vitest'
import { importProducts } from '../../../src/commerce/imports/import-products.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { csvOf, fileOf, shopifyFile, woocommerceFile } from '../../support/commerce/import-files.ts'
import { makeProduct, makeVariant, patchProduct, productsPath } from '../../support/commerce/product.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

const started = useApi()

type Row = Readonly<Record<string, string>>

async function imported(api: TestApi, shop: Shop, bytes: Buffer | string) {
  const { tenant } = shop
  const request = { tenant, actor: operator, bytes: Buffer.from(bytes), isDryRun: false }
  const outcome = await importProducts(api.context, request)
  if (outcome.is === 'unreadable') throw new Error(outcome.message)
  const { body } = await api.send('GET', `${productsPath}?limit=100`, { token: shop.token })
  return { report: outcome.report, products: body.data }
}

async function dryRun(text: string) {
  const api = started()
  const { tenant } = await openShop(api.context)
  return importProducts(api.context, { tenant, actor: operator, bytes: Buffer.from(text), isDryRun: true })
}

async function importedInto(bytes: Buffer | string) {
  const api = started()
  return imported(api, await openShop(api.context), bytes)
}

const cap = { Handle: 'cap', Title: 'Cap', 'Variant SKU': 'CAP', 'Variant Price': '500' }
const shopify = (...rows: Row[]) => importedInto(shopifyFile(rows.map((row) => ({ ...cap, ...row }))))
const simple = { Type: 'simple', SKU: 'CAP', Name: 'Cap', 'Regular price': '500', Published: '1' }
const woocommerce = (...rows: Row[]) => importedInto(woocommerceFile(rows.map((row) => ({ ...simple, ...row }))))

describe('Shopify columns', () => {
  test.for<[string, Row, string, string]>([
    ['a price with three decimals', { 'Variant Price': '12.500' }, 'Variant Price', 'separates two digits of kobo'],
    [
      'a quantity with three decimals',
      { 'Variant Inventory Tracker': 'shopify', 'Variant Inventory Qty': '1.000' },
      'Variant Inventory Qty',
      'without “.”',
    ],
    ['a rounded barcode', { 'Variant Barcode': '6.154E+12' }, 'Variant Barcode', 'A spreadsheet has rounded it'],
    ['an option value without a name', { 'Option1 Value': 'M' }, 'Option1 Value', 'Must have the name of its option'],
    [
      'a repeated option name',
      { 'Option1 Name': 'Size', 'Option1 Value': 'M', 'Option2 Name': 'Size', 'Option2 Value': 'L' },
      'Option2 Name',
      'Must not repeat the option Size.',
    ],
    [
      'a long option value',
      { 'Option1 Name': 'A', 'Option1 Value': 'x', 'Option2 Name': 'B', 'Option2 Value': 'y'.repeat(61) },
      'Option2 Value',
      'Must have at most 60 characters, not 61.',
    ],
    ['a long option name', { 'Option1 Name': 'A'.repeat(41), 'Option1 Value': 'x' }, 'Option1 Name', 'at most 40'],
    ['a long tag', { Tags: `a,b,${'c'.repeat(41)}` }, 'Tags', `“${'c'.repeat(41)}”: Must have at most 40 characters`],
  ])('the import reports %s once, and names the column with the problem', async ([, cells, column, message]) => {
    const { report } = await shopify(cells)
    expect(report).toMatchObject({ created: 0, failed: 1, problemCount: 1, problems: [{ line: 2, column }] })
    expect(report.problems[0]?.message).toContain(message)
  })

  test('a tracked product without a quantity is imported with a stock of 0, and the import report contains a note', async () => {
    const { report, products } = await shopify({ 'Variant Inventory Tracker': 'shopify' })
    expect(report).toMatchObject({ created: 1, noteCount: 1 })
    expect(report.notes).toMatchObject([{ line: 2, column: 'Variant Inventory Qty' }])
    expect(products).toMatchObject([{ variants: [{ inventory: { tracked: true, onHand: 0 } }] }])
  })

  test.for([
    ['false', 'true', true, 'exempt from VAT'],
    ['true', 'false', false, 'subject to VAT'],
  ] as const)('the VAT of a product is that of its first line (taxable: %s), and the import report notes a variant with another one (taxable: %s)', async ([
    first,
    other,
    taxExempt,
    imported,
  ]) => {
    const rows = [first, first, other, ''].map((taxable, index) => ({
      ...{ ...cap, Title: index === 0 ? 'Cap' : '', 'Variant SKU': `CAP-${index}`, 'Variant Taxable': taxable },
      ...{ 'Option1 Name': index === 0 ? 'Size' : '', 'Option1 Value': `${index}` },
    }))
    const columns = [...Object.keys(cap), 'Option1 Name', 'Option1 Value', 'Variant Taxable']
    const { report, products } = await importedInto(fileOf(columns, rows))
    expect(products).toMatchObject([{ taxExempt, variants: [{}, {}, {}, {}] }])
    expect(report).toMatchObject({ noteCount: 1, notes: [{ line: 4, column: 'Variant Taxable' }] })
    expect(report.notes[0]?.message).toContain(imported)
  })

  test('the import does not track the stock of products if the file has no column for stock', async () => {
    const { report, products } = await importedInto('Handle,Title,Variant SKU,Variant Price\na,A,B,1\n')
    expect(report.notes).toEqual([])
    expect(products).toMatchObject([{ variants: [{ inventory: { tracked: false } }] }])
  })

  test('the import creates a separate product for each line without a handle', async () => {
    const rows = ['A', 'B', 'C'].map((name) => ({ Handle: '', Title: name, 'Variant SKU': name }))
    expect((await shopify(...rows)).report).toMatchObject({ created: 3, problems: [] })
  })

  test('an active product that is not published becomes a draft', async () => {
    expect((await shopify({ Status: 'active', Published: 'FALSE' })).products).toMatchObject([{ status: 'draft' }])
  })

  test('the import sorts images by position, and takes the alternative text of an image from any line that contains this image', async () => {
    const { products } = await shopify(
      { 'Image Src': 'https://a.example/2', 'Image Position': '2', 'Variant Image': 'https://a.example/variant' },
      { 'Variant SKU': '', 'Variant Price': '', 'Image Src': 'https://a.example/1', 'Image Position': '1' },
      { 'Variant SKU': '', 'Variant Price': '', 'Image Src': 'https://a.example/2', 'Image Alt Text': 'Back' },
    )
    const [product] = products
    expect(product.images).toMatchObject([
      { url: 'https://a.example/1' },
      { url: 'https://a.example/2', alt: 'Back' },
      { url: 'https://a.example/variant' },
    ])
    expect(product.variants[0].imageId).toBe(product.images[2].id)
  })

  test('the import rounds weights to whole grams, and stores no compare-at price if it equals the price', async () => {
    const { products } = await shopify({ 'Variant Grams': '453.592', 'Variant Compare At Price': '500.00' })
    expect(products).toMatchObject([{ variants: [{ weightGrams: 454, compareAtPriceKobo: null }] }])
  })

  test('the import removes scripts, styles and comments from an HTML description, and puts white space between the texts of adjacent blocks and table cells', async () => {
    const html =
      '<style>p { color: red }</style><!-- note --><div>Wax<div>print</div></div><table><tr><td>Size</td><td>M</td></tr></table><SCRIPT>run()</SCRIPT>End'
    expect((await shopify({ 'Body (HTML)': html })).products).toMatchObject([
      { description: 'Wax\nprint\nSize M\nEnd' },
    ])
  })

  test('the import report contains a replacement character instead of each control character of the file', async () => {
    const bytes = csvOf([
      ['Handle', 'Title', 'Variant Price', 'Other\u001b[2J'],
      ['a', 'A', '\u001b[31m5', ''],
    ])
    const { report } = await importedInto(bytes)
    expect(report.ignored).toEqual(['Other\u{fffd}[2J'])
    expect(report.problems[0]?.message).toContain('not “\u{fffd}[31m5”')
  })

  test('the import report lists columns without a name as ignored', async () => {
    const { report } = await importedInto('Handle,Title,Variant Price,,SEO\na,A,1,x,y\n')
    expect(report.ignored).toEqual(['column 4 without a name', 'SEO'])
  })
})

describe('WooCommerce columns', () => {
  const sale = { 'Sale price': '400' }

  test.for<[string, Row, number, number | null, number]>([
    ['applies without a period', {}, 40_000, 50_000, 0],
    ['does not apply after its end', { 'Date sale price ends': '2020-01-31 00:00:00' }, 50_000, null, 0],
    ['applies after its start at midnight', { 'Date sale price starts': '2020-01-31 0:00:00' }, 40_000, 50_000, 0],
    ['does not apply before its start', { 'Date sale price starts': '2099-01-31' }, 50_000, null, 1],
    ['applies before its end, with a note', { 'Date sale price ends': '2099-01-31' }, 40_000, 50_000, 1],
  ])('a WooCommerce sale price %s', async ([, cells, priceKobo, compareAtPriceKobo, noteCount]) => {
    const { report, products } = await woocommerce({ ...sale, ...cells })
    expect(report).toMatchObject({ created: 1, noteCount })
    expect(products).toMatchObject([{ variants: [{ priceKobo, compareAtPriceKobo }] }])
  })

  test('the import reports a sale date that is not a valid date', async () => {
    const { report } = await woocommerce({ ...sale, 'Date sale price ends': '31/01/2027' })
    expect(report).toMatchObject({ failed: 1, problems: [{ line: 2, column: 'Date sale price ends' }] })
  })

  test('a WooCommerce product without a quantity is imported with a stock of 0 if it is not in stock, and otherwise with untracked stock', async () => {
    expect((await woocommerce({ 'In stock?': '0' })).products).toMatchObject([
      { variants: [{ inventory: { tracked: true, onHand: 0 } }] },
    ])
    expect((await woocommerce({ 'In stock?': '1' })).products).toMatchObject([
      { variants: [{ inventory: { tracked: false } }] },
    ])
  })

  const shirt = { ID: '1', Type: 'variable', SKU: 'SHIRT', Name: 'Shirt', 'Regular price': '' }
  const variation = (SKU: string, cells: Row) => ({
    ...{ Type: 'variation', SKU, Parent: 'SHIRT', 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': SKU },
    ...cells,
  })

  test('the import leaves out a WooCommerce variation that is not published, and adds a note to the report', async () => {
    const { report, products } = await woocommerce(shirt, variation('S', {}), variation('M', { Published: '0' }))
    expect(report.notes).toMatchObject([{ line: 4, column: 'Published' }])
    expect(products).toMatchObject([{ options: [{ name: 'Size', values: ['S'] }], variants: [{ sku: 'S' }] }])
  })

  test('the import reports a variation that shares the stock of its product, and a variation that applies to any value of an option', async () => {
    const { report } = await woocommerce(
      shirt,
      variation('S', { Stock: 'parent' }),
      variation('M', { 'Attribute 1 value(s)': '' }),
    )
    expect(report.problems).toMatchObject([
      { line: 3, column: 'Stock' },
      { line: 4, column: 'Attribute 1 value(s)' },
      { line: 4, column: 'Attribute 1 value(s)', message: 'Must have exactly one value of each option in `options`.' },
    ])
    expect(report.problems[0]?.message).toContain('cannot share the stock')
  })

  test('the import report contains a note for each product attribute that is not an option', async () => {
    const cotton = { 'Attribute 2 name': 'Material', 'Attribute 2 value(s)': 'Cotton' }
    const size = { 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': 'S' }
    const { report } = await woocommerce({ ...shirt, ...size, ...cotton }, variation('S', {}), { SKU: 'X', ...cotton })
    expect(report).toMatchObject({ created: 2, noteCount: 2 })
    expect(report.notes.map(({ line, column }) => [line, column]).toSorted()).toEqual([
      [2, 'Attribute 2 name'],
      [4, 'Attribute 2 name'],
    ])
  })

  test('the import decodes escaped line breaks and commas in WooCommerce cells', async () => {
    const { products } = await woocommerce(
      { ...shirt, Description: 'One\\nTwo \\\\n', Tags: 'a\\, b,c' },
      variation('S', { 'Attribute 1 value(s)': 'S\\, small' }),
    )
    expect(products).toMatchObject([
      { description: 'One\nTwo \\n', tags: ['a, b', 'c'], options: [{ values: ['S, small'] }] },
    ])
  })
})

describe('columns of an export of this service', () => {
  test('importing an export into the same merchant creates nothing, because the import recognises all products, even archived ones and drafts without variants', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const empty = await makeProduct(api, shop, { status: 'draft', variants: undefined, options: [] })
    const { product, variant } = await makeVariant(api, shop)
    await patchProduct(api, shop, product.id, { status: 'archived' })
    const again = await makeVariant(api, shop, {}, { variants: [{ sku: variant.sku, priceKobo: 1 }] })
    await makeProduct(api, shop, { description: 'D:\\udacity', metadata: { path: 'D:\\udacity' } })
    api.clock.advance(1)
    const { text } = await api.send('GET', '/api/v1/exports/products?format=csv', { token: shop.token })
    const { report } = await imported(api, shop, text)
    expect(report).toMatchObject({ created: 0, existing: 4, failed: 0 })
    const ids = report.existingProducts.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([empty.id, product.id, again.product.id]))
    const elsewhere = await imported(api, await openShop(api.context), text)
    expect(elsewhere.report).toMatchObject({ created: 3, failed: 1, problems: [{ column: 'variants' }] })
    expect(elsewhere.products).toMatchObject([{}, {}, {}])
  })

  test('the import reports an unknown field in the JSON of a variant', async () => {
    const variants = JSON.stringify([{ sku: 'A', priceKobo: 1, prize: 2 }])
    const { report } = await importedInto(
      csvOf([
        ['title', 'slug', 'variants'],
        ['A', 'a', variants],
      ]),
    )
    expect(report.problems).toEqual([{ line: 2, column: 'variants', message: '0: Must not have the fields prize.' }])
  })

  test('a dry run reports a slug that equals the slug derived from the title of an earlier product in the file', async () => {
    const outcome = await dryRun(
      csvOf([
        ['title', 'slug', 'variants'],
        ['Cap', '', JSON.stringify([{ sku: 'A', priceKobo: 1 }])],
        ['Other', 'cap', JSON.stringify([{ sku: 'B', priceKobo: 1 }])],
      ]),
    )
    expect(outcome).toMatchObject({ report: { created: 1, problems: [{ line: 3, column: 'slug' }] } })
  })
})

describe('an imported product with several problems', () => {
  test('the import reports a repeated SKU and repeated option values in addition to an invalid price', async () => {
    const size = { 'Option1 Name': 'Size', 'Option1 Value': 'M' }
    const { report } = await shopify({ ...size, 'Variant Price': 'x' }, size)
    expect(report.problems).toMatchObject([
      { line: 2, column: 'Variant Price' },
      { line: 3, column: 'Variant SKU', message: 'Must not repeat CAP.' },
      { line: 3, column: 'Option1 Value', message: 'Must differ from the option values of the other variants.' },
    ])
  })

  test('the import reports a repeated SKU even if the required fields of the product are invalid', async () => {
    const variants = [
      { sku: 'A', priceKobo: -1 },
      { sku: 'a', priceKobo: 'x' },
    ]
    const row = ['', 'cap', JSON.stringify(variants), JSON.stringify([{ url: 'http://a.example/1.jpg' }, {}])]
    const outcome = await dryRun(csvOf([['title', 'slug', 'variants', 'images'], row]))
    if (outcome.is === 'unreadable') throw new Error(outcome.message)
    const { problems } = outcome.report
    expect(problems.map(({ column }) => column)).toEqual(expect.arrayContaining(['title', 'variants', 'images']))
    expect(problems.map(({ message }) => message).join()).toContain('Must not repeat a.')
  })

  test('the import reports both the missing SKU and the invalid price of a product', async () => {
    const { report } = await woocommerce({ SKU: '', 'Regular price': 'x' })
    expect(report.problems).toMatchObject([{ column: 'Regular price' }, { line: 2, column: 'SKU' }])
  })

  test('if only some SKUs of an imported product belong to a stored product, the import reports a problem that names the stored product', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { product, variant } = await makeVariant(api, shop)
    const size = (value: string) => ({ ...cap, 'Option1 Name': 'Size', 'Option1 Value': value })
    const rows = [{ ...size('S'), 'Variant SKU': variant.sku }, size('M')]
    const { report } = await imported(api, shop, shopifyFile(rows))
    expect(report.problems).toMatchObject([{ line: 2, column: 'Variant SKU' }])
    expect(report.problems[0]?.message).toContain(`product ${product.id}, which has only some of the SKUs`)
  })
})
