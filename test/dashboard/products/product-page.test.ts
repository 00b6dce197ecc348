import { beforeEach, describe, expect, test } from 'vitest'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { dress, productActions } from './product-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
let product: ReplyBody
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
  product = await create(dress)
})

const { call, create, stored, pageOf, variantOf, save } = productActions(api, () => ({ shop, member, product }))

describe('the details of a product', () => {
  const edit = pageOf
  const editFields = (fields: Record<string, string>) =>
    member.submit(edit('/edit'), edit('/edit'), {
      ...{ title: 'Ankara maxi dress', optionName1: 'Size', optionValues1: 'M, L, XL' },
      images: 'https://cdn.example.com/ankara.jpg Front view',
      ...fields,
    })

  test('a member changes the title, the pictures, the tags and the options of a product', async () => {
    const done = await editFields({
      ...{ title: 'Ankara “gown” 👗 ثوب <b>', tags: 'ankara\nwomen\n', category: 'Dresses', lowStockThreshold: '3' },
      images: 'https://cdn.example.com/ankara.jpg Front view\nhttps://cdn.example.com/back.jpg',
      ...{ optionValues1: 'M, L, XL, XXL', taxExempt: 'yes', description: 'Lined.\nWax print.' },
    })
    expect([done.status, done.location]).toEqual([303, `${pageOf()}?done=products.id.edit`])
    const after = await stored()
    expect(after).toMatchObject({
      ...{ title: 'Ankara “gown” 👗 ثوب <b>', tags: ['ankara', 'women'], category: 'Dresses', lowStockThreshold: 3 },
      ...{ description: 'Lined.\nWax print.', taxExempt: true },
      options: [{ name: 'Size', values: ['M', 'L', 'XL', 'XXL'] }],
    })
    expect(after.images.map(({ id, url, alt }: ReplyBody) => [id === product.images[0].id, url, alt])).toEqual([
      [true, 'https://cdn.example.com/ankara.jpg', 'Front view'],
      [false, 'https://cdn.example.com/back.jpg', null],
    ])
    const { text } = await member.get(pageOf())
    expect(text).toContain('👗 ثوب &lt;b&gt;')
    expect(text.match(/<img class="picture"[^>]*referrerpolicy="no-referrer"/g)).toHaveLength(2)
  })

  test.for([
    ['a title of 300 characters', { title: 'x'.repeat(300) }, 'title', 'at most 200 characters'],
    ['no title', { title: '' }, 'title', 'Fill in this field.'],
    ['a picture with an http: address', { images: 'http://cdn.example.com/a.jpg' }, 'images', 'Must be an https URL.'],
    ['a picture with a javascript: address', { images: 'javascript:alert(1)' }, 'images', 'Must be an https URL.'],
    ['a removed value that a variant has', { optionValues1: 'M' }, 'optionValues1', 'that you removed'],
    ['a title that changes the direction of the text', { title: 'a\u202eb' }, 'title', 'change the direction'],
  ] as const)('a form with %s is shown again and changes nothing', async ([, fields, field, message]) => {
    const refused = await editFields(fields)
    expect([refused.status, refused.text.includes(`href="#f-${field}"`)]).toEqual([422, true])
    expect(refused.text).toContain(message)
    expect((await stored()).version).toBe(product.version)
  })

  test('a form that was opened before another member changed the product never overwrites the change', async () => {
    const opened = formOf((await member.get(edit('/edit'))).text, edit('/edit'))
    await call('PATCH', `/products/${product.id}`, { title: 'Changed by another member' })
    const fields = { ...opened, title: 'Mine', optionName1: 'Size', optionValues1: 'M, L, XL' }
    const refused = await member.post(edit('/edit'), fields)
    expect([refused.status, refused.text.includes('The product was changed after you opened this form.')]).toEqual([
      422,
      true,
    ])
    const again = { ...fields, ...formOf(refused.text, edit('/edit')) }
    expect((await member.post(edit('/edit'), again)).status).toBe(422)
    expect((await stored()).title).toBe('Changed by another member')
  })

  test('option values with commas are shown one per line and are saved unchanged', async () => {
    await call('PATCH', `/products/${product.id}`, { options: [{ name: 'Size', values: ['M', 'L', 'XL, wide'] }] })
    product = await stored()
    const { text } = await member.get(edit('/edit'))
    expect(text).toContain('>\nM\nL\nXL, wide\n</textarea>')
    await editFields({ optionValues1: 'M\r\nL\r\nXL, wide\r\n', title: 'Gown' })
    expect((await stored()).options).toEqual([{ name: 'Size', values: ['M', 'L', 'XL, wide'] }])
  })

  test('a tag with a comma stays unchanged when a member adds another tag to the product', async () => {
    await call('PATCH', `/products/${product.id}`, { tags: ['Lagos, Island', 'women'] })
    expect((await member.get(edit('/edit'))).text).toContain('>\nLagos, Island\nwomen</textarea>')
    await editFields({ title: 'Gown', tags: 'Lagos, Island\r\nwomen\r\nnew' })
    expect(await stored()).toMatchObject({ title: 'Gown', tags: ['Lagos, Island', 'women', 'new'] })
  })
})

describe('the variants of a product', () => {
  const added = () => pageOf('/variants/new')
  const add = (fields: Record<string, string>) =>
    member.submit(added(), added(), { option1: 'XL', price: '17000', settings: 'tracked', ...fields })

  test('a member adds a variant with its stock', async () => {
    const done = await add({ sku: 'ANK-XL', onHand: '4', barcode: '6154000012345', weight: '450', cost: '9000' })
    expect([done.status, done.location]).toEqual([303, `${pageOf()}?done=products.id.variants.new`])
    expect((await stored()).variants[2]).toMatchObject({
      ...{ sku: 'ANK-XL', title: 'XL', priceKobo: 1_700_000, costKobo: 900_000, barcode: '6154000012345' },
      ...{ weightGrams: 450, inventory: { onHand: 4, tracked: true, allowBackorder: false } },
    })
  })

  test.for([
    ['the SKU of another variant', { sku: 'ank-m' }, 'sku', 'Another variant already has this SKU.'],
    ['the values of another variant', { option1: 'M' }, 'option1', 'Another variant of the product already has'],
    ['a value that the option lacks', { option1: 'S' }, 'option1', 'Choose a value of each option.'],
    [
      'a regular price below the price',
      { compareAtPrice: '100' },
      'compareAtPrice',
      'Enter a regular price above the price.',
    ],
    ['negative stock', { onHand: '-4' }, 'onHand', 'Use a whole number from 0'],
    ['a negative price', { price: '-1' }, 'price', 'Enter an amount in naira'],
    ['a SKU with letters outside ASCII', { sku: 'ÀNK' }, 'sku', 'Must be printable ASCII'],
    ['a weight above the maximum', { weight: '1000001' }, 'weight', 'Use a whole number from 0'],
  ] as const)('a new variant with %s is rejected, and the problem is shown at its field', async ([
    ,
    fields,
    field,
    message,
  ]) => {
    const refused = await add(fields)
    expect([refused.status, refused.text.includes(`href="#f-${field}"`)]).toEqual([422, true])
    expect(refused.text).toContain(message)
    expect((await stored()).variants).toHaveLength(2)
  })

  test('a price and a cost of 0 are accepted in the forms of a variant and in the table of variants', async () => {
    expect((await save({ [`price-${variantOf(1)}`]: '0' })).status).toBe(303)
    const free = { option1: 'M', sku: 'ANK-M', price: '0', cost: '0', settings: 'tracked' }
    const path = pageOf(`/variants/${variantOf(0)}`)
    expect((await member.submit(path, path, free)).status).toBe(303)
    expect((await add({ price: '0.00', cost: '0' })).status).toBe(303)
    expect((await stored()).variants).toMatchObject([
      { priceKobo: 0, costKobo: 0 },
      { priceKobo: 0 },
      { priceKobo: 0, costKobo: 0 },
    ])
  })

  test('a member changes a variant, and an empty field removes its value', async () => {
    const path = pageOf(`/variants/${variantOf(0)}`)
    const fields = { option1: 'M', price: '15000', settings: 'tracked', sku: 'ANK-M' }
    expect(
      (await member.submit(path, path, { ...fields, barcode: '123', compareAtPrice: '18000', cost: '5' })).status,
    ).toBe(303)
    expect((await stored()).variants[0]).toMatchObject({ barcode: '123', compareAtPriceKobo: 1_800_000, costKobo: 500 })
    const sent = { ...fields, sku: 'ANK-M2', settings: ['tracked', 'allowBackorder'] }
    expect((await member.post(path, { ...formOf((await member.get(path)).text, path), ...sent })).status).toBe(303)
    expect((await stored()).variants[0]).toMatchObject({
      ...{ sku: 'ANK-M2', barcode: null, compareAtPriceKobo: null, costKobo: null },
      inventory: { allowBackorder: true, tracked: true },
    })
    const { text } = await member.get(path)
    expect(text).toContain('Backorders are allowed<small>Orders may exceed the stock.</small>')
    expect((await member.get(`/dashboard/stock/${variantOf(0)}`)).text).toContain(
      '<dt>Backorders</dt><dd>allowed: orders may exceed the stock</dd>',
    )
  })

  test('a change of a variant is refused if the form was opened before another change', async () => {
    const path = pageOf(`/variants/${variantOf(0)}`)
    const opened = formOf((await member.get(path)).text, path)
    await save({ [`price-${variantOf(1)}`]: '1' })
    const refused = await member.post(path, { ...opened, option1: 'M', price: '2', settings: 'tracked', sku: 'ANK-M' })
    expect([refused.status, refused.text.includes('The product was changed after you opened this form.')]).toEqual([
      422,
      true,
    ])
  })

  test('a member deletes a variant after a confirmation, but cannot delete the last variant of an active product', async () => {
    const remove = async (place: number) => {
      const path = pageOf(`/variants/${variantOf(place)}`)
      return member.submit(path, `${path}/delete`)
    }
    const path = pageOf(`/variants/${variantOf(0)}`)
    const asked = await member.ask(`${path}/delete`, formOf((await member.get(path)).text, `${path}/delete`))
    expect([asked.status, asked.text.includes('Nothing has been changed yet.')]).toEqual([200, true])
    expect((await stored()).variants).toHaveLength(2)
    expect((await remove(0)).status).toBe(303)
    expect((await stored()).variants).toHaveLength(1)
    const refused = await remove(1)
    expect([refused.status, refused.text.includes('An active product must have a variant.')]).toEqual([422, true])
  })

  test('for a product without options, the page for a new variant says that the product has none, and has no button to add a variant', async () => {
    product = await create({ title: 'Fila', variants: [{ priceKobo: 500_000 }] })
    const { text } = await member.get(added())
    expect(text).toContain('this product has none yet')
    expect(text).not.toContain('Add variant</button>')
  })
})

describe('the status of a product', () => {
  const press = (name: string) => member.submit(pageOf(), pageOf(`/${name}`))

  test('archiving a product requires a confirmation, an archived product can be activated again, and an active product cannot be deleted', async () => {
    const asked = await member.ask(pageOf('/archive'), formOf((await member.get(pageOf())).text, pageOf('/archive')))
    expect([asked.status, (await stored()).status]).toEqual([200, 'active'])
    expect((await press('archive')).status).toBe(303)
    expect((await stored()).status).toBe('archived')
    expect((await press('activate')).status).toBe(303)
    expect((await stored()).status).toBe('active')
    const { csrf = '', form = '' } = formOf((await member.get(pageOf())).text, pageOf('/archive'))
    const version = String((await stored()).version)
    const refused = await member.post(pageOf('/delete'), { csrf, form, version })
    expect([refused.status, refused.text.includes('Archive it instead.')]).toEqual([422, true])
  })

  test('an archived product cannot be activated if another product now uses its SKU', async () => {
    await press('archive')
    await create({ title: 'Copy', variants: [{ sku: 'ANK-M', priceKobo: 1 }] })
    const refused = await press('activate')
    expect([refused.status, refused.text.includes('Another product has an SKU of this product now.')]).toEqual([
      422,
      true,
    ])
  })

  test('a draft is deleted after a confirmation, and a product is not archived if it changed after the archive form was opened', async () => {
    const opened = formOf((await member.get(pageOf())).text, pageOf('/archive'))
    await call('PATCH', `/products/${product.id}`, { title: 'Changed' })
    expect((await member.post(pageOf('/archive'), opened)).text).toContain('changed after you opened this form')
    product = await create({ title: 'Draft', variants: [{ priceKobo: 1 }] })
    const done = await press('delete')
    expect([done.status, done.location]).toEqual([303, '/dashboard/products?done=products.id.delete'])
    expect((await member.get(pageOf())).status).toBe(404)
  })

  test('a draft that an order contains cannot be deleted', async () => {
    await placeOrder(api(), shop)
    const [{ product_id: id }] = await select(
      api(),
      `select product_id from product_variants where merchant_id = $1 and sku like 'SKU-%'`,
      [shop.merchantId],
    )
    await select(api(), `update products set status = 'draft', published_at = null where id = $1`, [id])
    product = await call('GET', `/products/${id}`)
    const refused = await press('delete')
    expect([refused.status, refused.text.includes('Archive it instead.')]).toEqual([422, true])
  })
})

test('a viewer sees a product with its prices and without forms', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const { status, text } = await viewer.get(pageOf())
  expect([status, text.includes('₦15,000.00'), text.includes('ANK-M')]).toEqual([200, true, true])
  for (const word of ['Save prices', 'Edit product', 'Add variant', 'Archive product', 'name="price-']) {
    expect(text).not.toContain(word)
  }
})

test('the pages of another merchant’s product are not found', async () => {
  const other = await signedIn(api(), (await openShop(api().context)).merchantId, 'operations')
  for (const path of ['', '/edit', '/variants/new', `/variants/${variantOf(0)}`]) {
    expect((await other.get(pageOf(path))).status).toBe(404)
  }
})
