import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { shopifyDress, shopifyFile, woocommerceFile } from '../../support/commerce/import-files.ts'
import { makeProduct } from '../../support/commerce/product.ts'
import { productsOf, reportOf } from '../../support/commerce/product-import.ts'
import { contentsOf } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

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
  ])('the import reports the line and the column of %s, and creates only the products that have no problem', async ([
    ,
    cell,
    column,
    message,
  ]) => {
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

  test('a dry run returns the same report as the import, and writes nothing', async () => {
    const { api, shop } = await open()
    const file = shopifyFile([...shopifyDress, { Handle: 'b', Title: 'B', 'Variant Price': 'x' }])
    const before = await contentsOf(api)
    const dryRun = await reportOf(api, shop, file, true)
    expect(await contentsOf(api)).toEqual(before)
    expect(await reportOf(api, shop, file)).toEqual(dryRun)
  })

  test('if a file repeats a SKU or a handle, the import reports the line of its first occurrence', async () => {
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

  test('if another product already has the SKU of an imported variant, the import reports the ids of that product and of its variant', async () => {
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

  test('a product with a line that has too few or too many cells is not imported', async () => {
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

  test('the import reports a variation whose variable product is missing, a product of an unsupported type and a missing SKU', async () => {
    const { api, shop } = await open()
    const rows = [
      { ID: '1', Type: 'variation', SKU: 'A', Name: 'A', Parent: 'id:9', Published: '1', 'Regular price': '1' },
      { ID: '2', Type: 'grouped', SKU: 'B', Name: 'B', Published: '1' },
      { ID: '3', Type: 'simple', Name: 'Without a SKU', 'Regular price': '1' },
    ]
    const report = await reportOf(api, shop, woocommerceFile(rows))
    expect(report).toMatchObject({ created: 0, failed: 3, problemCount: 3 })
    expect(report.problems).toMatchObject([
      { line: 2, column: 'Parent' },
      { line: 3, column: 'Type' },
      { line: 4, column: 'SKU', message: 'Is required: a repeated import recognises the product by its SKU.' },
    ])
  })

  test('the import report lists the first hundred problems, and states the total number of problems', async () => {
    const { api, shop } = await open()
    const rows = Array.from({ length: 150 }, (_, index) => ({ Handle: `a-${index}`, Title: 'A', 'Variant Price': 'x' }))
    const report = await reportOf(api, shop, shopifyFile(rows), true)
    expect(report).toMatchObject({ failed: 150, problemCount: 150 })
    expect(report.problems).toHaveLength(100)
  })
})
