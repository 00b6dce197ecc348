import { beforeEach, describe, expect, test } from 'vitest'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, type Shop, stockVariant } from '../../support/shop.ts'
import { dress, productActions } from './product-actions.ts'

/** The table on the page of a product, in which members correct the prices and the stock of its variants. */

const api = useApi()

let shop: Shop
let member: SignedInMember
let product: ReplyBody
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
  product = await create(dress)
})

const { call, create, stored, pageOf, variantOf, typed, save } = productActions(api, () => ({ shop, member, product }))

function tableIn(text: string): Record<string, string> {
  const inputs = text.matchAll(/<input [^>]*name="((?:price|onHand)-[^"]+)"[^>]*value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
}

const levels = async () =>
  (await stored()).variants.map(({ priceKobo, inventory }: ReplyBody) => [priceKobo, inventory.onHand])

describe('the table of variants', () => {
  test('a form that is refused and then corrected does not overwrite a price and a stock level that another member changed in the meantime', async () => {
    const opened = formOf((await member.get(pageOf())).text, pageOf())
    await call('PATCH', `/products/${product.id}/variants/${variantOf(0)}`, { priceKobo: 1_550_000 })
    await call('POST', `/products/${product.id}/variants/${variantOf(0)}/inventory`, { delta: -1, reason: 'damage' })
    const refused = await member.post(pageOf(), { ...opened, ...typed(), [`price-${variantOf(1)}`]: 'cheap' })
    expect(refused.status).toBe(422)
    const corrected = { ...formOf(refused.text, pageOf()), ...tableIn(refused.text), reason: 'correction' }
    await member.post(pageOf(), { ...corrected, [`price-${variantOf(1)}`]: '15000' })
    expect(await levels()).toEqual([
      [1_550_000, 19],
      [1_500_000, 12],
    ])
  })

  test('one form changes prices and stock of several variants, with one audit row for the prices and one for the stock', async () => {
    const done = await save({
      [`price-${variantOf(0)}`]: '14,000',
      [`price-${variantOf(1)}`]: '15000.50',
      [`onHand-${variantOf(1)}`]: '9',
    })
    expect([done.status, done.location]).toEqual([303, `${pageOf()}?done=products.id`])
    expect(await levels()).toEqual([
      [1_400_000, 20],
      [1_500_050, 9],
    ])
    const actions = await select(
      api(),
      `select action from audit_log where merchant_id = $1 and actor_type = 'member' and action in ('variant.update', 'inventory.adjust')`,
      [shop.merchantId],
    )
    expect(actions.map(({ action }) => action).sort()).toEqual(['inventory.adjust', 'variant.update'])
    const { text } = await member.get(`/dashboard/stock/${variantOf(1)}`)
    expect(text).toContain('9 (-3)')
  })

  test.for([
    ['a price of a comma', 'price', ',', 'Enter an amount in naira'],
    ['a price with a comma before two digits', 'price', '12,50', 'Enter an amount in naira'],
    ['a price with a comma at its end', 'price', '12,500,', 'Enter an amount in naira'],
    ['a price with a point between thousands', 'price', '20.000', 'such as 12500, 12,500.50 or ₦12,500.'],
    ['a price with a comma before the kobo', 'price', '20.000,00', 'Enter an amount in naira'],
    ['a price with a comma after two digits', 'price', '2,00,000', 'Enter an amount in naira'],
    ['a price with two separators of thousands', 'price', '1,200 000', 'Enter an amount in naira'],
    ['a price in another currency', 'price', '$20', 'Enter an amount in naira'],
    ['a currency without a price', 'price', '₦', 'Enter an amount in naira'],
    ['a price without a number', 'price', 'cheap', 'Enter an amount in naira'],
    ['no price', 'price', '', 'Fill in this field.'],
    ['a price above the maximum', 'price', '1,000,000,000.01', 'Enter at most 1,000,000,000 naira.'],
    ['a price with too many digits', 'price', '999999999999999', 'Enter at most 1,000,000,000 naira.'],
    ['negative stock', 'onHand', '-1', 'Use a whole number from 0 to'],
    ['stock above the maximum', 'onHand', '1000000001', 'Use a whole number from 0 to'],
    ['stock with a fraction', 'onHand', '1.5', 'Use a whole number from 0 to'],
  ] as const)('a form with %s changes no row and shows what the member typed', async ([, name, value, message]) => {
    const before = await levels()
    const refused = await save({ [`${name}-${variantOf(0)}`]: value, [`price-${variantOf(1)}`]: '1234' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(message)
    expect(refused.text).toContain(`href="#f-${name}-${variantOf(0)}"`)
    expect(refused.text).toContain('value="1234"')
    expect(await levels()).toEqual(before)
  })

  test.for([
    ['₦20,000', 2_000_000],
    ['₦ 20,000.00', 2_000_000],
    ['N20000', 2_000_000],
    ['n20,000.5', 2_000_050],
    ['NGN 1,250,000', 125_000_000],
    ['20 000', 2_000_000],
    ['20\u00a0000.05', 2_000_005],
  ] as const)('the price %s is saved as %d kobo', async ([text, kobo]) => {
    expect((await save({ [`price-${variantOf(0)}`]: text })).status).toBe(303)
    expect((await levels())[0]?.[0]).toBe(kobo)
  })

  test('if another member changed a price or a stock level after the form was opened, the form saves nothing', async () => {
    const opened = (await member.get(pageOf())).text
    await save({ [`price-${variantOf(0)}`]: '10000', [`onHand-${variantOf(0)}`]: '30' })
    const before = await levels()
    const fields = { ...formOf(opened, pageOf()), ...typed(), [`price-${variantOf(1)}`]: '99' }
    for (const [name, value, message] of [
      ['price', '12000', 'The price was changed to ₦10,000.00 after you opened this page.'],
      ['onHand', '19', 'The units on hand were changed to 30 after you opened this page.'],
    ] as const) {
      const refused = await member.post(pageOf(), { ...fields, [`${name}-${variantOf(0)}`]: value })
      expect([refused.status, refused.text.includes(message)]).toEqual([422, true])
    }
    expect(await levels()).toEqual(before)
  })

  test('two members can change different rows at once', async () => {
    const other = await signedIn(api(), shop.merchantId, 'owner')
    const opened = formOf((await other.get(pageOf())).text, pageOf())
    await save({ [`price-${variantOf(0)}`]: '10000' })
    const done = await other.post(pageOf(), { ...opened, ...typed(), [`price-${variantOf(1)}`]: '11000' })
    expect(done.status).toBe(303)
    expect(await levels()).toEqual([
      [1_000_000, 20],
      [1_100_000, 12],
    ])
  })

  test('if two members save the stock of the same row at the same time, only one of them succeeds', async () => {
    const members = [member, await signedIn(api(), shop.merchantId, 'owner')]
    const forms = await Promise.all(members.map(async (each) => formOf((await each.get(pageOf())).text, pageOf())))
    const replies = await Promise.all(
      members.map((each, place) =>
        each.post(pageOf(), { ...forms[place], ...typed(), [`onHand-${variantOf(0)}`]: String(30 + place) }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 422])
    const { data } = await call('GET', `/products/${product.id}/variants/${variantOf(0)}/movements`)
    expect(data).toHaveLength(2)
  })

  test('only one of two members who save the price of the same row at once succeeds', async () => {
    const members = [member, await signedIn(api(), shop.merchantId, 'owner')]
    const forms = await Promise.all(members.map(async (each) => formOf((await each.get(pageOf())).text, pageOf())))
    const replies = await Promise.all(
      members.map((each, place) =>
        each.post(pageOf(), { ...forms[place], ...typed(), [`price-${variantOf(0)}`]: String(9000 + place) }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 422])
  })

  test('the table of variants shows the units that orders reserve', async () => {
    expect((await member.get(pageOf())).text).not.toContain('Reserved')
    const body = {
      ...{ customer: { name: 'Ada Obi', email: 'ada@example.com' }, paymentMethod: 'bank_transfer' },
      items: [{ variantId: variantOf(0), quantity: 3 }],
    }
    await call('POST', '/orders', body)
    expect((await member.get(pageOf())).text).toMatch(/data-title="Reserved" class="number">3</)
  })

  test('a form that is submitted twice changes the stock once', async () => {
    const opened = formOf((await member.get(pageOf())).text, pageOf())
    const fields = { ...opened, ...typed(), [`onHand-${variantOf(0)}`]: '5' }
    const statuses = [(await member.post(pageOf(), fields)).status, (await member.post(pageOf(), fields)).status]
    expect(statuses).toEqual([303, 409])
    const { data } = await call('GET', `/products/${product.id}/variants/${variantOf(0)}/movements`)
    expect(data.map(({ reason }: ReplyBody) => reason).sort()).toEqual(['count', 'opening'])
  })

  test('a form without a change, and a form with a variant of another product, are refused', async () => {
    expect((await save({})).text).toContain('Nothing was changed. Change a price or a quantity.')
    const { variantId } = await stockVariant(api(), shop.merchantId)
    const foreign = await save({ [`price-${variantId}`]: '100', [`price-${variantOf(0)}`]: '100' })
    expect([foreign.status, foreign.text.includes('A variant was removed')]).toEqual([422, true])
    expect((await levels())[0]).toEqual([1_500_000, 20])
  })

  test('a price that is not below the compare-at price is refused at its row', async () => {
    await call('PATCH', `/products/${product.id}/variants/${variantOf(0)}`, { compareAtPriceKobo: 1_800_000 })
    const refused = await save({ [`price-${variantOf(0)}`]: '18000' })
    expect([refused.status, refused.text.includes('Enter a price below the regular price of ₦18,000.00,')]).toEqual([
      422,
      true,
    ])
  })
})
