import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'
import { basic, create, discountActions, list, pathOf } from './discount-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const { send, submitNew, discountOf, created, customer } = discountActions(api, () => ({ shop, member }))
const countOf = async () => (await send('GET', '/discounts')).body.data.length

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the form that creates a discount', () => {
  test('a member creates a discount with one form, and the page and the list then show its terms as one sentence', async () => {
    expect((await member.get(list)).text).toContain(`href="${create}"`)
    const id = await created({ minimum: '20,000', usageLimitPerCustomer: '1', endsAt: '2031-12-03T18:00' })
    expect(await discountOf(id)).toMatchObject({
      ...{ code: 'DETTY10', title: 'DETTY10', percentageBps: 1000, minimumSubtotalKobo: 2_000_000 },
      ...{ usageLimitPerCustomer: 1, endsAt: '2031-12-03T17:00:00.000Z', status: 'active', state: 'active' },
    })
    const terms = '10 % off orders from ₦20,000, once for each customer, until 3 Dec 2031, 18:00'
    expect((await member.get(pathOf(id))).text).toContain(terms)
    expect((await member.get(list)).text).toContain(terms)
  })

  test.for([
    [{ type: 'fixed_amount', value: '₦2,500.50', minimumQuantity: '3' }, '₦2,500.50 off orders, from 3 units'],
    [{ type: 'free_shipping', value: '', firstOrderOnly: 'yes' }, 'Free shipping for orders, only for a first order'],
    [
      { value: '7.5%', maximum: '5000', usageLimit: '2' },
      '7.5 % off orders, at most ₦5,000 for each order, twice in total',
    ],
    [{ startsAt: '2031-01-01T00:00' }, '10 % off orders, from 1 Jan 2031, 00:00'],
  ] as const)('a discount with %o has the terms “%s”', async ([fields, terms]) => {
    const id = await created(fields)
    expect(textOf((await member.get(pathOf(id))).text)).toContain(` ${terms} `)
  })

  test('a discount applies only to the products and customers whose boxes the member ticked in the search results', async () => {
    const { productId } = await stockVariant(api(), shop.merchantId)
    const customerId = await customer({ name: 'Ngọzi Eze' })
    const searched = await submitNew({ intent: 'preview', productSearch: 'ankara', customerSearch: 'ngozi' })
    expect(searched.status).toBe(200)
    expect(searched.text).toContain(`name="products" value="${productId}"`)
    expect(searched.text).toContain(`name="customers" value="${customerId}"`)
    expect(searched.text).toContain('value="DETTY10"')
    expect(await countOf()).toBe(0)
    const id = await created({ products: productId, customers: customerId, productSearch: 'ankara' })
    expect(await discountOf(id)).toMatchObject({
      appliesTo: { scope: 'products', ids: [productId] },
      customerIds: [customerId],
    })
    const shown = textOf((await member.get(pathOf(id))).text)
    expect(shown).toContain('10 % off Ankara maxi dress, only for Ngọzi Eze')
  })

  test('the preview of a discount shows its terms and stores nothing', async () => {
    const { status, text } = await submitNew({ intent: 'preview', usageLimit: '100' })
    expect([status, text.includes('10 % off orders, 100 times in total')]).toEqual([200, true])
    expect(await countOf()).toBe(0)
  })

  test.for([
    ['code', { code: 'a b' }, 'Must be 3 to 32 letters'],
    ['code', { code: 'X'.repeat(300) }, 'Must be 3 to 32 letters'],
    ['code', { code: '<b>DETTY</b>' }, 'Must be 3 to 32 letters'],
    ['code', { code: '🎄🎄🎄🎄' }, 'Must be 3 to 32 letters'],
    ['value', { value: '' }, 'Fill in this field.'],
    ['value', { value: '101' }, 'Use a percentage from 0.01 to 100'],
    ['value', { type: 'free_shipping' }, 'Leave this field empty for free shipping.'],
    ['value', { type: 'fixed_amount', value: 'ten' }, 'Enter an amount in naira'],
    ['maximum', { type: 'fixed_amount', maximum: '5' }, 'Must be left out'],
    ['minimum', { minimum: '-5' }, 'Enter an amount in naira'],
    ['usageLimit', { usageLimit: '0' }, 'Must be at least 1, not 0.'],
    ['endsAt', { endsAt: 'tomorrow' }, 'Enter a date and a time'],
    ['endsAt', { startsAt: '2031-12-03T18:00', endsAt: '2031-12-03T18:00' }, 'The end must be later than the start.'],
    ['title', { title: 'ا'.repeat(300) }, 'Must have at most 120 characters'],
    ['productSearch', { productSearch: 'ankara' }, 'choose from the results'],
  ] as const)('a discount with an invalid %s is refused, and the form shows the values again: %o', async ([
    field,
    fields,
    message,
  ]) => {
    const { status, text } = await submitNew({ title: 'Owambe <i>', ...fields })
    expect(status).toBe(422)
    expect(text).toContain(`id="p-${field}"`)
    expect(text).toContain(message)
    if (field !== 'title') expect(text).toContain('value="Owambe &lt;i&gt;"')
    expect(await countOf()).toBe(0)
  })

  test('a code that another discount already has is rejected at its field, and the message contains no ids', async () => {
    const id = await created()
    const { status, text } = await submitNew({ code: 'detty10' })
    expect([status, text.includes('Another discount has this code'), text.includes(id)]).toEqual([422, true, false])
  })

  test('a discount form that is submitted twice creates one discount', async () => {
    const form = formOf((await member.get(create)).text, create)
    const replies = await Promise.all([1, 2].map(() => member.post(create, { ...form, ...basic })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await countOf()).toBe(1)
  })

  test('products and customers of another merchant are refused as limits of a discount, and are not shown', async () => {
    const other = await openShop(api().context)
    const { productId } = await stockVariant(api(), other.merchantId)
    const foreign = await submitNew({ products: productId })
    expect([foreign.status, foreign.text.includes('A chosen product no longer exists')]).toEqual([422, true])
    expect(foreign.text).not.toContain(productId)
    const unknown = await submitNew({ customers: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k' })
    expect([unknown.status, unknown.text.includes('A chosen customer no longer exists')]).toEqual([422, true])
    expect(await countOf()).toBe(0)
  })
})

describe('the end of a discount', () => {
  test.for([
    ['customers', 'everyone'],
    ['products', 'wholeOrder'],
  ] as const)('if the %s to which a new discount is limited are deleted before the form is submitted, the member must confirm the discount without this limit', async ([
    kind,
    wider,
  ]) => {
    const id =
      kind === 'customers'
        ? await customer()
        : (await send('POST', '/products', { title: 'Gele', variants: [{ priceKobo: 1 }] })).body.id
    const found = await submitNew({ [kind]: id, intent: 'preview' })
    expect(found.status, found.text).toBe(200)
    expect((await send('DELETE', `/${kind}/${id}`)).status).toBe(200)
    const gone = await submitNew({ [kind]: id })
    expect(gone).toMatchObject({ status: 422, text: expect.stringContaining('no longer exists.') })
    expect(gone.text).not.toContain(id)
    const hidden = { ...formOf(gone.text, create), ...basic }
    const refused = await member.post(create, hidden)
    expect([refused.status, refused.text.includes(`id="p-${wider}"`)]).toEqual([422, true])
    expect((await send('GET', '/discounts')).body.data).toEqual([])
    expect((await member.post(create, { ...hidden, [wider]: 'yes' })).status).toBe(303)
  })

  test('“End now” asks for a confirmation, and after that no further order can use the code', async () => {
    const id = await created()
    api().clock.advance(1)
    expect((await member.get(pathOf(id))).text).toContain(`href="${pathOf(id, '/end')}"`)
    const form = formOf((await member.get(pathOf(id, '/end'))).text, pathOf(id, '/end'))
    const asked = await member.ask(pathOf(id, '/end'), { ...form, confirmed: '' })
    expect([asked.status, asked.text.includes('data-question')]).toEqual([200, true])
    expect((await discountOf(id)).state).toBe('active')
    expect((await member.submit(pathOf(id, '/end'), pathOf(id, '/end'))).status).toBe(303)
    expect((await discountOf(id)).state).toBe('expired')
    expect((await member.get(pathOf(id))).text).not.toContain(`href="${pathOf(id, '/end')}"`)
  })

  test('a discount that has not started can be archived but not ended now', async () => {
    const id = await created({ startsAt: '2031-01-01T00:00' })
    const { text } = await member.get(pathOf(id))
    expect(text).not.toContain(`href="${pathOf(id, '/end')}"`)
    expect(text).toContain(`href="${pathOf(id, '/archive')}"`)
    const refused = await member.submit(pathOf(id, '/end'), pathOf(id, '/end'))
    expect([refused.status, refused.text.includes('The end must be later than the start.')]).toEqual([422, true])
  })

  test('an archived discount has no actions, and its code can be used again', async () => {
    const id = await created()
    expect((await member.submit(pathOf(id, '/archive'), pathOf(id, '/archive'))).status).toBe(303)
    expect((await discountOf(id)).status).toBe('archived')
    expect((await member.get(pathOf(id))).text).not.toContain(`href="${pathOf(id, '/edit')}"`)
    expect((await submitNew({})).status).toBe(303)
  })

  test('a form that was opened before another change of the discount neither ends nor archives the discount', async () => {
    const id = await created()
    api().clock.advance(1)
    const forms = await Promise.all(
      ['/end', '/archive'].map(async (action) => {
        const path = pathOf(id, action)
        return { path, form: formOf((await member.get(path)).text, path) }
      }),
    )
    await send('PATCH', `/discounts/${id}`, { usageLimit: 9 })
    for (const { path, form } of forms) expect((await member.post(path, form)).status).toBe(422)
    expect((await discountOf(id)).state).toBe('active')
  })
})

test('the page of a discount links to its orders and customers, and its totals exclude cancelled orders', async () => {
  const id = await created()
  const order = await placeOrder(api(), shop, { body: { discountCodes: ['DETTY10'] } })
  const other = { name: 'Bola <b>', email: 'bola@example.com' }
  const cancelled = await placeOrder(api(), shop, {
    isPaid: false,
    body: { customer: other, discountCodes: ['DETTY10'] },
  })
  expect((await send('POST', `/orders/${cancelled.id}/cancel`, { reason: 'customer' })).status).toBe(200)
  const { text } = await member.get(pathOf(id))
  expect(text).toContain(`href="/dashboard/orders/${order.id}"`)
  expect(text).toMatch(/href="\/dashboard\/customers\/cus_\w+">Adaeze Okafor</)
  expect(text).toContain('Bola &lt;b&gt;')
  expect(text).toContain('no longer counted')
  expect(textOf(text)).toContain('Reductions ₦1,500.00 Total of the orders ₦13,500.00')
})

test('the page of a discount states of how many orders its totals are, if cancelled orders are among the newest 5,000 redemptions', async () => {
  const id = await created()
  const owner = new pg.Client({ connectionString: api().ownerConnectionString })
  await owner.connect()
  const row = `lpad(i::text, 26, '0')`
  const at = `'2026-11-20T08:30:00Z'::timestamptz + i * interval '1 second'`
  await owner.query(
    `insert into orders (merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo,
      total_kobo, tax_inclusive, tax_rate_bps, item_quantity, created_at, updated_at)
    select $1, 'ord_' || ${row}, 'N' || i, 'processing', 'Ada', 'a@example.com', 'cash', 100, 100, true, 0, 1, ${at}, ${at}
    from generate_series(1, 5600) i`,
    [shop.merchantId],
  )
  await owner.query(
    `insert into discount_redemptions (merchant_id, id, discount_id, order_id, amount_kobo, customer_email, created_at, released_at)
    select $1, 'rdm_' || ${row}, $2, 'ord_' || ${row}, 100, 'a@example.com', ${at}, case when i > 4900 then ${at} end
    from generate_series(1, 5600) i`,
    [shop.merchantId, id],
  )
  await owner.end()
  const text = textOf((await member.get(pathOf(id))).text)
  expect(text).toContain('Used 4,900 Reductions ₦4,300.00 of the newest 4,300 orders')
})

test('the page of a discount does not call an order cancelled from which an edit has removed the discount', async () => {
  const id = await created()
  const order = await placeOrder(api(), shop, { isPaid: false, body: { discountCodes: ['DETTY10'] } })
  const edited = await send('PATCH', `/orders/${order.id}`, { discountCodes: [] })
  expect(edited.status, edited.text).toBe(200)
  const { text } = await member.get(pathOf(id))
  expect([text.includes('cancelled'), text.includes('no longer counted')]).toEqual([false, true])
})

test('the pages of discounts show no actions to a viewer, and a viewer cannot change discounts', async () => {
  const id = await created()
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const pages = await Promise.all([viewer.get(list), viewer.get(pathOf(id))])
  for (const { text } of pages) expect(text).not.toMatch(/href="[^"]*\/(new|edit|end|archive)"/)
  const { csrf = '' } = formOf((await viewer.get(list)).text, '/dashboard/sign-out')
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', version: '1' }
  for (const action of ['/edit', '/edit-used', '/end', '/archive'])
    expect((await viewer.post(pathOf(id, action), form)).status).toBe(403)
  expect((await discountOf(id)).version).toBe(1)
})

test('the pages of another merchant’s discount are not found', async () => {
  const { id } = await discount(api(), await openShop(api().context))
  for (const action of ['', '/edit', '/end', '/archive'])
    expect((await member.get(pathOf(id, action))).status).toBe(404)
})
