import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop, type Stocked, stockVariant } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
let stocked: Stocked
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
  stocked = await stockVariant(api(), shop.merchantId, { onHand: 20, threshold: 5 })
})

const pathOf = ({ variantId }: Stocked, action = '') => `/dashboard/stock/${variantId}${action}`

async function stockOf({ variantId }: Stocked) {
  const [row] = await select(api(), 'select on_hand, is_low from inventory where variant_id = $1', [variantId])
  return row
}

const adjust = (fields: Record<string, string>) =>
  member.submit(pathOf(stocked, '/adjust'), pathOf(stocked, '/adjust'), {
    method: 'change',
    reason: 'damage',
    ...fields,
  })

describe('the list of stock', () => {
  test('the stock list shows the quantities of variants, and finds variants by SKU and by low stock', async () => {
    const full = await stockVariant(api(), shop.merchantId)
    await adjust({ quantity: '-16' })
    const found = async (query: string) => {
      const { text } = await member.get(`/dashboard/stock?${query}`)
      return [text.includes(pathOf(stocked)), text.includes(pathOf(full))]
    }
    expect(await found('')).toEqual([true, true])
    expect(await found('lowStock=true')).toEqual([true, false])
    expect(await found(`q=SKU-${full.variantId}`)).toEqual([false, true])
    expect((await member.get('/dashboard/stock?lowStock=true')).text).toContain(
      '<span class="badge waiting">low</span>',
    )
  })
})

describe('the next step of the stock list', () => {
  const path = '/dashboard/stock'
  const countHint = '<p>Choose “Count” to correct the number of units of a variant.</p>'

  test('the stock list offers a filled-in form to restock a variant that is low in stock, and for every other variant a link to correct its count', async () => {
    const quiet = (await member.get(path)).text
    expect(quiet).toContain(`<p class="next">Nothing to do: no variant is low in stock.</p>${countHint}`)
    expect(quiet).not.toContain('class="main"')
    const count = `${pathOf(stocked, '/adjust')}?method=count&amp;reason=count`
    expect(quiet).toMatch(new RegExp(`<a class="other" href="${count.replace('?', '\\?')}" aria-label="Count: `))
    await adjust({ quantity: '-16' })
    const { text } = await member.get(path)
    const restock = `${pathOf(stocked, '/adjust')}?method=change&amp;reason=restock`
    expect(text).toContain(`<a class="main" href="${restock}">Restock Ankara maxi dress</a>`)
    expect(text).toContain(`</strong> Restock the variants that are low or sold out.</p>${countHint}`)
    const form = (await member.get(restock.replaceAll('&amp;', '&'))).text
    expect(form).toContain('<option value="restock" selected>')
  })

  test('the stock list offers to restock a sold-out variant without a low-stock threshold, and does not say that there is nothing to do', async () => {
    const soldOut = await stockVariant(api(), shop.merchantId, { onHand: 0, threshold: null })
    const { text } = await member.get(path)
    const restock = `${pathOf(soldOut, '/adjust')}?method=change&amp;reason=restock`
    expect(text).toContain(`<a class="main" href="${restock}">Restock Ankara maxi dress</a>`)
    expect(text).toContain('Restock the variants that are low or sold out.')
    expect(text).not.toContain('Nothing to do')
    const found = (await member.get(`${path}?q=SKU-${stocked.variantId}`)).text
    for (const none of ['Next step:', 'class="main"']) expect(found).not.toContain(none)
  })

  test('if an invalid cursor prevents the stock list from showing products, the page does not say that there is nothing to do', async () => {
    const { text } = await member.get(`${path}?cursor=nonsense`)
    expect(text).toContain(countHint)
    for (const none of ['Next step:', 'Nothing to do']) expect(text).not.toContain(none)
  })

  test('the stock list has ten products on a page, with a link to the next page', async () => {
    for (let index = 0; index < 10; index += 1) await stockVariant(api(), shop.merchantId)
    const variantsOf = (text: string) => text.match(/(?<=<td data-title="Variant" class="title"><a href=")[^"]*/g) ?? []
    const first = (await member.get(path)).text
    expect(variantsOf(first)).toHaveLength(10)
    const [, next = ''] = /href="([^"]*)">Next page</.exec(first) ?? []
    const second = (await member.get(next.replaceAll('&amp;', '&'))).text
    expect(variantsOf(second)).toHaveLength(1)
    expect(new Set([...variantsOf(first), ...variantsOf(second)]).size).toBe(11)
    expect(second).toContain('>First page<')
  })

  test('a member with the viewer role sees the stock list without the hint “Next step”', async () => {
    const { text } = await (await signedIn(api(), shop.merchantId, 'viewer')).get(path)
    expect(text).toContain(pathOf(stocked))
    for (const none of ['/adjust', 'Next step']) expect(text).not.toContain(none)
  })
})

test('the stock page of a variant shows the low-stock threshold, and the number of each order that changed the stock', async () => {
  expect((await member.get(pathOf(stocked))).text).toMatch(/<dt>Low-stock threshold<\/dt>\s*<dd>5<\/dd>/)
  const order = await placeOrder(api(), shop)
  const [variantId = ''] = order.items.map((item) => item.variantId ?? '')
  const { text } = await member.get(`/dashboard/stock/${variantId}`)
  expect(text).toContain(`<a href="/dashboard/orders/${order.id}">${order.number}</a>`)
})

describe('a stock adjustment', () => {
  test('the form of a stock adjustment names the product and the variant in its title, and below the title the SKU and the units on hand, reserved and available', async () => {
    const { text } = await member.get(pathOf(stocked, '/adjust'))
    const [, title = ''] = /<h1>Adjust the stock of ([^<]+)<\/h1>/.exec(text) ?? []
    expect((await member.get(pathOf(stocked))).text).toContain(`<h1>${title}</h1>`)
    expect(text).toMatch(/<p>SKU <code>[^<]+<\/code>: 20 on hand, 0 reserved for orders, 20 available\.<\/p>/)
  })

  test('a stock adjustment adds units, and is listed as an inventory movement', async () => {
    const done = await adjust({ quantity: '12', reason: 'restock', note: 'From <b>Balogun</b>' })
    expect([done.status, done.location]).toEqual([303, `${pathOf(stocked)}?done=stock.variantId.adjust`])
    expect(await stockOf(stocked)).toMatchObject({ on_hand: 32 })
    const { text } = await member.get(pathOf(stocked))
    expect(text).toContain('32 (+12)')
    expect(text).toContain('From &lt;b&gt;Balogun&lt;/b&gt;')
  })

  test('a stock adjustment can set the stock to a counted quantity', async () => {
    expect((await adjust({ method: 'count', quantity: '7', reason: 'count' })).status).toBe(303)
    expect(await stockOf(stocked)).toMatchObject({ on_hand: 7 })
  })

  test('a stock adjustment is refused if its page is outdated, if the resulting quantity is below zero, or if the entered quantity is not a valid number', async () => {
    for (const fields of [{ quantity: '5', onHand: '19' }, { quantity: '-21' }, { quantity: 'x' }, { quantity: '0' }]) {
      const refused = await adjust(fields)
      expect([fields, refused.status]).toEqual([fields, 422])
      expect(refused.text).toContain('name="onHand" value="20"')
    }
    expect(await stockOf(stocked)).toMatchObject({ on_hand: 20 })
  })
})

test('the stock page of an unknown variant or of another merchant’s variant is not found', async () => {
  const other = await stockVariant(api(), (await openShop(api().context)).merchantId)
  expect((await member.get(pathOf(other))).status).toBe(404)
  expect((await member.get('/dashboard/stock/var_1')).status).toBe(404)
})

test('a member with the viewer role sees stock without the adjustment form, and an adjustment by the member is refused', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const page = await viewer.get(pathOf(stocked))
  expect([page.status, page.text.includes('Adjust stock')]).toEqual([200, false])
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page.text)?.groups ?? {}
  const form = {
    csrf,
    form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k',
    method: 'change',
    quantity: '1',
    onHand: '20',
    reason: 'other',
  }
  expect((await viewer.post(pathOf(stocked, '/adjust'), form)).status).toBe(403)
  expect(await stockOf(stocked)).toMatchObject({ on_hand: 20 })
})
