import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const api = useApi()

let sold: SoldOrder
let member: SignedInMember
let path: string
let quantity: string
beforeEach(async () => {
  sold = await soldOrder(api())
  await sold.pay()
  member = await signedIn(api(), sold.shop.merchantId, 'operations')
  path = `/dashboard/orders/${sold.order.id}/return`
  quantity = `quantity-${sold.itemId}`
})

async function returns() {
  const { token } = sold.shop
  return (await api().send('GET', `/api/v1/returns?orderId=${sold.order.id}`, { token })).body.data
}

test('a member creates a return from the page of an order, and the page of the return first shows the items, the customer and the next action', async () => {
  expect((await member.get(`/dashboard/orders/${sold.order.id}`)).text).toContain(`href="${path}"`)
  expect((await member.get(path)).text).toMatch(/<p>Enter how many units of each item [^<]+ wants to return\./)
  const form = { [quantity]: '2', reason: 'damaged', note: 'The zip was broken.' }
  const { status, location = '' } = await member.submit(path, path, form)
  const [found] = await returns()
  expect([status, location]).toEqual([303, `/dashboard/returns/${found.id}?done=orders.id.return`])
  expect(found).toMatchObject({
    ...{ status: 'requested', reason: 'damaged', note: 'The zip was broken.' },
    items: [{ itemId: sold.itemId, quantity: 2 }],
  })
  const { text } = await member.get(location)
  const content = text.slice(text.indexOf('<main'))
  expect(content).toMatch(/<button class="main">Approve<\/button>/)
  const order = [
    '<h1>Return of <span class="nowrap">ORD-',
    'Ankara maxi dress, M / Indigo',
    '<dt>Customer</dt>',
    `<code>${found.id}</code>`,
  ]
  const places = order.map((each) => content.indexOf(each))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places[0]).toBeGreaterThan(0)
  const list = (await member.get('/dashboard/returns')).text
  expect(list).toMatch(/>Return of <span class="nowrap">ORD-\w+<\/span><\/a> <small>Adaeze Okafor</)
  expect(list).toContain('2 × Ankara maxi dress')
})

test('the form of a new return states how many units are in another return, and links to the list of returns if no unit is left', async () => {
  await sold.request(1)
  expect((await member.get(path)).text).toContain('The customer has 3 units, of which 1 unit is in another return.')
  await sold.request(2)
  const { text } = await member.get(path)
  expect(text).toContain('Each unit that the customer has is in a return already.')
  expect(text).not.toContain(quantity)
  const { number } = await sold.read()
  const list = `href="/dashboard/returns?order=${number}"`
  expect(text).toContain(`<a class="main" ${list}`)
  const order = (await member.get(`/dashboard/orders/${sold.order.id}`)).text
  expect([order.includes(`href="${path}"`), order.includes(`<a class="main" ${list}`)]).toEqual([false, true])
})

test('the form of a return offers no unit that a carrier lost', async () => {
  const setLost = (quantity: number) =>
    select(api(), 'update order_items set lost_quantity = $2 where id = $1', [sold.itemId, quantity])
  await setLost(1)
  expect((await member.get(path)).text).toContain('The customer has 2 units.')
  await setLost(3)
  const { text } = await member.get(path)
  expect([text.includes('so nothing can be returned'), text.includes(quantity)]).toEqual([true, false])
})

test('if the form of a return has no units, too many units or no reason, it is shown again with the problem and the entered values', async () => {
  await sold.request(2)
  const cases = [
    [{ [quantity]: '0', reason: 'damaged' }, 'Enter the quantity of at least one item.'],
    [{ [quantity]: 'two', reason: 'damaged' }, `id="p-${quantity}"`],
    [{ [quantity]: '2', reason: 'damaged' }, 'At most 1 unit of this item can be returned.'],
    [{ [quantity]: '1', reason: '' }, 'id="p-reason"'],
    [{ [quantity]: '1', reason: 'damaged', note: 'x'.repeat(501) }, 'id="p-note"'],
  ] as const
  for (const [fields, problem] of cases) {
    const refused = await member.submit(path, path, fields)
    expect([fields, refused.status, refused.text.includes(problem)]).toEqual([fields, 422, true])
    expect(formValuesOf(refused.text, path)[quantity]).toBe(fields[quantity])
  }
  expect(await returns()).toHaveLength(1)
})

test('a form that is submitted twice at once creates one return', async () => {
  const form = { ...formValuesOf((await member.get(path)).text, path), [quantity]: '1', reason: 'other' }
  const replies = await Promise.all([1, 2].map(() => member.post(path, form)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await returns()).toHaveLength(1)
})

test('the form of a new return is not shown for an order without handed-over units, nor to a viewer or another merchant', async () => {
  const { id } = await placeOrder(api(), sold.shop)
  expect((await member.get(`/dashboard/orders/${id}`)).text).not.toContain(`/orders/${id}/return"`)
  const { status, text } = await member.get(`/dashboard/orders/${id}/return`)
  expect([status, text.includes('nothing can be returned')]).toEqual([200, true])
  const viewer = await signedIn(api(), sold.shop.merchantId, 'viewer')
  expect((await viewer.get(path)).status).toBe(403)
  const other = await signedIn(api(), (await openShop(api().context)).merchantId, 'operations')
  expect((await other.get(path)).status).toBe(404)
})

test('the form that receives a return proposes to restock all requested units', async () => {
  const id = await sold.approved(2)
  const receive = `/dashboard/returns/${id}/receive`
  const { text } = await member.get(receive)
  const filled = formValuesOf(text, receive)
  expect(filled[`restock-${sold.itemId}`]).toBe('2')
  expect((await member.post(receive, filled)).status).toBe(303)
  expect(await sold.readReturn(id)).toMatchObject({ status: 'received', items: [{ restockedQuantity: 2 }] })
})
