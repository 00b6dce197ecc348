import { beforeEach, describe, expect, test } from 'vitest'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { type PageReply, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../support/reference/browser.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

async function call(method: string, path: string, body?: object) {
  const reply = await api().send(method, `/api/v1${path}`, {
    token: shop.token,
    ...(body === undefined ? {} : { body }),
  })
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}

const list = '/dashboard/products'
const path = `${list}/new`

describe('the list of products', () => {
  const titlesOn = (text: string) =>
    [...text.matchAll(/<a href="\/dashboard\/products\/prd_\w+">([^<]*)</g)].map(([, title]) => title)
  const found = async (query: Record<string, string>) =>
    titlesOn((await member.get(`${list}?${new URLSearchParams(query)}`)).text)

  beforeEach(async () => {
    const product = (title: string, more: object, variant: object = {}) =>
      call('POST', '/products', { title, variants: [{ priceKobo: 100_000, ...variant }], ...more })
    await product('Àdìrẹ shirt', { status: 'active', tags: ['blue'] }, { sku: 'ADR-1', inventory: { onHand: 9 } })
    await product('Fila', { category: 'Caps' }, { sku: 'CAP-1', barcode: '6154000012345', inventory: { onHand: 2 } })
    await product('Box 6154000012345', { status: 'active' }, { sku: 'BOX' })
    const old = await product('Gele', { status: 'active' })
    await call('PATCH', `/products/${old.id}`, { status: 'archived' })
  })

  test('the list of products finds products by title, SKU and barcode, regardless of accents, and by each filter', async () => {
    expect((await found({})).sort()).toEqual(['Box 6154000012345', 'Fila', 'Àdìrẹ shirt'])
    expect(await found({ q: 'adire' })).toEqual(['Àdìrẹ shirt'])
    expect(await found({ q: 'adr-1' })).toEqual(['Àdìrẹ shirt'])
    expect(await found({ q: '6154000012345' })).toEqual(['Fila', 'Box 6154000012345'])
    expect(await found({ q: '6154000012345', status: 'active' })).toEqual(['Box 6154000012345'])
    expect(await found({ status: 'archived' })).toEqual(['Gele'])
    expect(await found({ category: 'caps' })).toEqual(['Fila'])
    expect(await found({ tag: 'blue' })).toEqual(['Àdìrẹ shirt'])
    expect(await found({ stock: 'out' })).toEqual(['Box 6154000012345'])
  })

  test('the list shows the lowest and the highest price, the available units and the state of each product', async () => {
    const variants = [
      { optionValues: { Size: 'M' }, priceKobo: 150_000, inventory: { onHand: 3 } },
      { optionValues: { Size: 'L' }, priceKobo: 250_000, inventory: { onHand: 1_200 } },
    ]
    const images = [{ url: 'https://cdn.example.com/agbada.jpg?a=1&b="2"'.replaceAll('"', '%22') }]
    const options = [{ name: 'Size', values: ['M', 'L'] }]
    await call('POST', '/products', { title: '<b>Agbada</b>', status: 'active', options, images, variants })
    const { text } = await member.get(`${list}?q=agbada`)
    const [, row = ''] = text.split('<tbody><tr>')
    const [first = ''] = row.split('</tr>')
    for (const shown of ['&lt;b&gt;Agbada', '2 variants', '₦1,500.00', '₦2,500.00', '1,203', 'active']) {
      expect(first).toContain(shown)
    }
    expect(first).toContain('src="https://cdn.example.com/agbada.jpg?a=1&amp;b=%222%22" alt=""')
  })

  test('the list of products has pages, and each page applies the chosen filters', async () => {
    const products = Array.from({ length: 26 }, (_, place) => ({ title: `Cap ${place}`, variants: [{ priceKobo: 1 }] }))
    for (const product of products) await call('POST', '/products', product)
    const first = (await member.get(`${list}?q=cap`)).text
    const next = /href="([^"]*cursor=[^"]*)">Next page/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const pages = [titlesOn(first), titlesOn((await member.get(next)).text)]
    expect(pages.map(({ length }) => length)).toEqual([25, 2])
    expect(pages.flat().sort()).toEqual([...products.map(({ title }) => title), 'Fila'].sort())
  })

  test('a search text with one character is refused at its field', async () => {
    const { status, text } = await member.get(`${list}?q=x`)
    expect([status, text.includes('id="p-q"')]).toEqual([200, true])
  })

  test('the list of products links to the stock list and the export and, for members who may change products, to the import and the form for a new product', async () => {
    const { text } = await member.get(list)
    for (const to of ['/stock', '/imports', '/exports/products', '/products/new'])
      expect(text).toContain(`href="/dashboard${to}"`)
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    const shown = (await viewer.get(list)).text
    for (const to of ['/imports', '/products/new']) expect(shown).not.toContain(`href="/dashboard${to}"`)
  })

  test('the product list of a merchant without products links to the form for the first product', async () => {
    const { merchantId } = await openShop(api().context)
    const { text } = await (await signedIn(api(), merchantId, 'owner')).get(list)
    expect(text).toContain('Create the first product')
  })
})

test('pages of products and orders may load pictures from https hosts, and other pages only from the service', async () => {
  const sourcesOf = ({ headers }: PageReply) => /img-src [^;]*/.exec(String(headers['content-security-policy']))?.[0]
  const policyOf = ({ headers }: PageReply) => String(headers['content-security-policy'])
  const [products, form, orders, stock] = [
    await member.get(list),
    await member.get(path),
    await member.get('/dashboard/orders'),
    await member.get('/dashboard/stock'),
  ]
  expect([products, form, orders, stock].map(sourcesOf)).toEqual([
    "img-src 'self' https:",
    "img-src 'self' https:",
    "img-src 'self' https:",
    "img-src 'self'",
  ])
  expect(policyOf(products).replace(' https:', '')).toBe(policyOf(stock))
  expect(sourcesOf(await member.get('/dashboard/products-of-others'))).toBe("img-src 'self'")
})

describeInBrowser('in a browser', () => {
  const open = useBrowser()

  test('the browser shows the pictures of a product, and sends no Referer header to the host of the pictures', async () => {
    const images = [{ url: 'https://cdn.example.com/fila.svg', alt: 'Front view' }]
    const { id } = await call('POST', '/products', { title: 'Fila', images, variants: [{ priceKobo: 1 }] })
    const { context, page, complaints, close } = await open()
    await context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url: api().url })))
    const referrers: (string | undefined)[] = []
    await page.route('https://cdn.example.com/**', async (route) => {
      referrers.push(route.request().headers().referer)
      const body = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
      await route.fulfill({ contentType: 'image/svg+xml', body })
    })
    for (const address of [list, `${list}/${id}`]) {
      await page.goto(api().url + address)
      await page.waitForFunction(`document.querySelector('img.picture').naturalWidth > 0`)
    }
    expect([referrers, complaints]).toEqual([[undefined, undefined], []])
    await close()
  })
})

describe('a new product', () => {
  const submit = (fields: Record<string, string>) =>
    member.submit(path, path, { title: 'Kaftan', status: 'active', ...fields })
  const products = async (): Promise<ReplyBody[]> => (await call('GET', '/products')).data

  test('a product with one variant is created in one form', async () => {
    const done = await submit({
      ...{ price: '12,500.50', onHand: '7', sku: 'KAF-1', barcode: '615400', weight: '300', tags: 'men\r\nwhite\r\n' },
      images: 'https://cdn.example.com/a.jpg\nhttps://cdn.example.com/b.jpg Back',
      ...{ description: 'Cotton', category: 'Kaftans', brand: 'Adire', lowStockThreshold: '2' },
    })
    const [created] = await products()
    expect([done.status, done.location]).toEqual([303, `${list}/${created.id}?done=products.new`])
    expect(created).toMatchObject({
      ...{ title: 'Kaftan', status: 'active', options: [], description: 'Cotton', category: 'Kaftans', brand: 'Adire' },
      ...{ tags: ['men', 'white'], lowStockThreshold: 2 },
      images: [
        { url: 'https://cdn.example.com/a.jpg', alt: null },
        { url: 'https://cdn.example.com/b.jpg', alt: 'Back' },
      ],
      variants: [{ sku: 'KAF-1', priceKobo: 1_250_050, barcode: '615400', weightGrams: 300, inventory: { onHand: 7 } }],
    })
  })

  test('a product needs only a title and a price', async () => {
    expect((await submit({ price: '0' })).status).toBe(303)
    expect((await products())[0]).toMatchObject({ title: 'Kaftan', variants: [{ priceKobo: 0 }] })
  })

  test.for([
    ['no title', { title: '', price: '1' }, 'title', 'Fill in this field.'],
    ['a title of 300 characters', { title: 'é'.repeat(300), price: '1' }, 'title', 'at most 200 characters'],
    ['no price', {}, 'price', 'Fill in this field.'],
    ['a negative price', { price: '-1' }, 'price', 'Enter an amount in naira'],
    ['a price above the maximum', { price: '9999999999' }, 'price', 'Enter at most 1,000,000,000 naira.'],
    ['negative stock', { price: '1', onHand: '-2' }, 'onHand', 'Use a whole number from 0'],
    ['an http: picture', { price: '1', images: 'http://a.example/b.jpg' }, 'images', 'Must be an https URL.'],
    ['a javascript: picture', { price: '1', images: 'javascript:alert(1)' }, 'images', 'Must be an https URL.'],
    ['a SKU outside ASCII', { price: '1', sku: 'Ì' }, 'sku', 'Must be printable ASCII'],
    ['an option without values', { price: '1', optionName1: 'Size' }, 'optionValues1', 'Enter the values'],
    ['an option without a name', { price: '1', optionValues2: 'M' }, 'optionName2', 'Enter the name'],
    [
      'a value that is listed twice',
      { price: '1', optionName1: 'Size', optionValues1: 'M, L, m' },
      ...['optionValues1', 'Enter the value m only once.'],
    ],
    [
      'more than 100 combinations',
      {
        price: '1',
        optionName1: 'A',
        optionValues1: '1,2,3,4,5,6,7,8,9,10,11',
        optionName2: 'B',
        optionValues2: '1,2,3,4,5,6,7,8,9,10',
      },
      ...['optionValues2', 'These options have 110 combinations. A product has at most 100 variants.'],
    ],
  ] as const)('a form with %s is shown again with its values, and creates nothing', async ([
    ,
    fields,
    field,
    message,
  ]) => {
    const refused = await submit({ ...fields, description: 'Lined & <b>' })
    expect([refused.status, refused.text.includes(`href="#f-${field}"`)]).toEqual([422, true])
    expect(refused.text).toContain(message)
    expect(refused.text).toContain('Lined &amp; &lt;b&gt;</textarea>')
    expect(await products()).toEqual([])
  })

  test('the form shows an error at the SKU field if another product already has the SKU', async () => {
    await call('POST', '/products', { title: 'Other', variants: [{ sku: 'KAF-1', priceKobo: 1 }] })
    const refused = await submit({ price: '1', sku: 'kaf-1' })
    expect([refused.status, refused.text.includes('id="p-sku"')]).toEqual([422, true])
    expect(refused.text).toContain('Another product already has this SKU.')
  })

  const options = {
    optionName1: 'Size',
    optionValues1: 'M, L',
    optionName2: 'Colour',
    optionValues2: 'Red\nBlue, dark',
  }

  /**
   * Returns the values of all fields of a shown form, and the key of each row: the part after `row-` in a field name.
   */
  function shownForm(text: string): { keys: string[]; fields: Record<string, string> } {
    const inputs = [...text.matchAll(/<input[^>]* name="([\w-]+)"[^>]*? value="([^"]*)"/g)]
    const boxes = new Set([...text.matchAll(/name="([\w-]+)" type="checkbox"/g)].map(([, name]) => name))
    const fields = Object.fromEntries(
      inputs.flatMap(([, name = '', value = '']) => (boxes.has(name) ? [] : [[name, value]])),
    )
    const keys = Object.keys(fields).flatMap((name) => (name.startsWith('row-') ? [name.slice('row-'.length)] : []))
    return { keys, fields: { ...fields, ...options, status: 'active' } }
  }

  test('the form of a new product shows a row for each combination of options, and creates the product from the rows that the member completed', async () => {
    const shown = await submit({ ...options, price: '5000', onHand: '3', sku: 'KAF' })
    expect([shown.status, shown.text.includes('Check the 4 variants')]).toEqual([200, true])
    expect(shown.text).toContain('<details class="field"><summary>Sizes')
    expect(await products()).toEqual([])
    const { keys, fields } = shownForm(shown.text)
    const [first, , third, last] = keys
    expect(fields[`sku-${first}`]).toBe('KAF-M-RED')
    const done = await member.post(path, {
      ...fields,
      ...{ [`price-${third}`]: '6000', [`onHand-${third}`]: '0', [`skip-${last}`]: 'yes' },
    })
    expect(done.status).toBe(303)
    const [created] = await products()
    expect(created.options).toEqual([
      { name: 'Size', values: ['M', 'L'] },
      { name: 'Colour', values: ['Red', 'Blue, dark'] },
    ])
    expect(
      created.variants.map(({ sku, title, priceKobo, inventory }: ReplyBody) => [
        sku,
        title,
        priceKobo,
        inventory.onHand,
      ]),
    ).toEqual([
      ['KAF-M-RED', 'M / Red', 500_000, 3],
      ['KAF-M-BLUEDARK', 'M / Blue, dark', 500_000, 3],
      ['KAF-L-RED', 'L / Red', 600_000, 0],
    ])
  })

  test('when a member changes the options of a new product, the rows of its variants still contain the entered values', async () => {
    const { keys, fields } = shownForm((await submit({ ...options, price: '5000' })).text)
    const [first] = keys
    const more = { ...fields, optionValues1: 'S, M, L', [`price-${first}`]: '7777', intent: 'rows' }
    const again = await member.post(path, more)
    expect([again.status, again.text.includes('Check the 6 variants'), again.text.includes('value="7777"')]).toEqual([
      200,
      true,
      true,
    ])
    const unseen = await member.post(path, { ...more, intent: '' })
    expect([unseen.status, await products()]).toEqual([200, []])
  })

  test('rows of a new product with invalid values or duplicate SKUs are refused, with each problem at its field', async () => {
    await call('POST', '/products', { title: 'Other', variants: [{ sku: 'TAKEN', priceKobo: 1 }] })
    const { keys, fields } = shownForm((await submit({ ...options, price: '5000' })).text)
    const [first, second] = keys
    for (const [changed, field, message] of [
      [{ [`price-${first}`]: '-1' }, `price-${first}`, 'Enter an amount in naira'],
      [{ [`price-${first}`]: '' }, `price-${first}`, 'Fill in this field.'],
      [{ [`onHand-${second}`]: '-1' }, `onHand-${second}`, 'Use a whole number from 0'],
      [{ [`sku-${first}`]: 'X', [`sku-${second}`]: 'x' }, `sku-${second}`, 'Must not repeat x.'],
      [{ [`sku-${second}`]: 'taken' }, `sku-${second}`, 'Another product already has this SKU.'],
    ] as const) {
      const refused = await member.post(path, { ...fields, ...changed })
      expect([refused.status, refused.text.includes(`href="#f-${field}"`)], message).toEqual([422, true])
      expect(refused.text).toContain(message)
    }
    expect(await products()).toHaveLength(1)
  })

  test('a form that is submitted twice creates one product', async () => {
    const { text } = await member.get(path)
    const { fields } = shownForm(text)
    const sent = {
      ...fields,
      title: 'Kaftan',
      price: '1',
      optionName1: '',
      optionValues1: '',
      optionName2: '',
      optionValues2: '',
    }
    const statuses = [(await member.post(path, sent)).status, (await member.post(path, sent)).status]
    expect([statuses, (await products()).length]).toEqual([[303, 409], 1])
  })

  test('a viewer cannot open the form of a new product', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    expect((await viewer.get(path)).status).toBe(403)
  })
})
