import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { createdCustomer, orderOf } from '../../support/commerce/customer.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { type Fields, formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { customerActions, list, pathOf, person } from './customer-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const create = `${list}/new`
const { send, customer, read, submit } = customerActions(api, () => ({ shop, member }))
const countOf = async () => (await send('GET', '/customers')).body.data.length

const paidOrderOf = (customerId: string) => placeOrder(api(), shop, { body: { customer: undefined, customerId } })

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the list of customers', () => {
  test.for([
    ['a name without its accents', 'q=ngozi'],
    ['a part of an e-mail address', 'q=ngozi.eze%40'],
    ['a phone number in local notation', 'q=0805%20987%206543'],
    ['a phone number in international notation', 'q=%2B2348059876543'],
    ['a tag', 'tag=wholesale'],
  ] as const)('the list of customers finds a customer by %s', async ([, query]) => {
    const found = await customer({ ...person, name: 'Ngọzi Ezé', phone: '08059876543', tags: ['wholesale'] })
    const other = await customer()
    const { text } = await member.get(`${list}?${query}`)
    expect([text.includes(pathOf(found.id)), text.includes(pathOf(other.id))]).toEqual([true, false])
  })

  test('the list of customers shows the number of orders, the sum of payments and the date of the newest order for each customer', async () => {
    const { id } = await customer(person)
    await paidOrderOf(id)
    await orderOf(api(), shop, id)
    const text = textOf((await member.get(list)).text)
    expect(text).toContain('Ngozi Eze ngozi.eze@example.com 2 ₦15,000.00 21 Nov 2026')
    expect(text).toContain('The number of orders excludes cancelled orders.')
  })

  test('if a filter of the list is invalid, the page shows the problem at the field of that filter', async () => {
    const { status, text } = await member.get(`${list}?from=yesterday`)
    expect([status, text.includes('id="p-from"')]).toEqual([200, true])
  })
})

test('the main action on a customer’s page opens the form of a new order with the customer’s data, and is not shown to a viewer', async () => {
  const { id } = await customer(person)
  const path = `/dashboard/orders/new?customerId=${id}`
  expect((await member.get(pathOf(id))).text).toContain(
    `<a class="main" href="${path}">New order for this customer</a>`,
  )
  const form = (await member.get(path)).text
  for (const value of [person.name, person.email]) expect(form).toContain(value)
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  expect((await viewer.get(pathOf(id))).text).not.toContain('class="main"')
})

describe('the form that creates a customer', () => {
  const submitNew = (fields: Fields) => member.submit(create, create, { ...person, ...fields })

  test('a member creates a customer with a phone number in any spelling, tags, a note and consents', async () => {
    const more = { tags: 'wholesale\r\nVIP, Lagos', note: 'Calls first', marketing: ['sms', 'whatsapp'] }
    const { location = '' } = await submitNew({ phone: '0805 987-6543', ...more })
    const [, id = ''] = /customers\/(cus_\w+)/.exec(location) ?? []
    expect(await read(id)).toMatchObject({
      ...{ ...person, phone: '+2348059876543', tags: ['wholesale', 'VIP, Lagos'], note: 'Calls first' },
      marketing: { email: { granted: false }, sms: { granted: true }, whatsapp: { granted: true } },
    })
    const { text } = await member.get(pathOf(id))
    expect(text).toContain('<a href="tel:+2348059876543">+2348059876543</a>')
    expect(text).toContain('href="https://wa.me/2348059876543"')
    expect(text).toContain('<a href="mailto:ngozi.eze@example.com">')
    expect(text).toContain('SMS, WhatsApp')
  })

  test.for([
    ['name', { name: '' }, 'Fill in this field.'],
    ['name', { name: 'ن'.repeat(300) }, 'Must have at most 120 characters'],
    ['email', { email: 'ngozi' }, 'Must be an email address.'],
    ['phone', { phone: '0805987' }, 'Must be a Nigerian phone number'],
    ['tags', { tags: `ok\n${'🛍'.repeat(300)}` }, 'Must have at most 40 characters'],
    ['note', { note: 'x'.repeat(1001) }, 'Must have at most 1000 characters'],
  ] as const)('a customer with an invalid %s is refused, and the form shows the other values again', async ([
    field,
    fields,
    message,
  ]) => {
    const { status, text } = await submitNew({ note: '<b>"note"</b>', ...fields })
    expect(status).toBe(422)
    expect(text).toContain(`id="p-${field}"`)
    expect(text).toContain(message)
    if (field !== 'note') expect(text).toContain('&lt;b&gt;&quot;note&quot;&lt;/b&gt;')
    expect(await countOf()).toBe(0)
  })

  test('if another customer has the e-mail address, the form shows an error at the e-mail field with a link to that customer', async () => {
    await customer(person)
    const { status, text } = await submitNew({ email: 'NGOZI.EZE@example.com' })
    expect([status, text.includes('Another customer has this e-mail address.')]).toEqual([422, true])
    expect(text).toContain(`href="${list}?q=NGOZI.EZE%40example.com"`)
  })

  test('a name with markup, right-to-left letters and emoji is shown as text', async () => {
    const name = '<i>عائشة</i> 🛍️'
    const { location = '' } = await submitNew({ name })
    const [path = ''] = location.split('?')
    const shown = '&lt;i&gt;عائشة&lt;/i&gt; 🛍️'
    for (const page of [path, list, `${path}/edit`, `${path}/delete`, `${path}/anonymise`])
      expect((await member.get(page)).text).toContain(shown)
  })

  test('a customer form that is submitted twice creates one customer', async () => {
    const form = formOf((await member.get(create)).text, create)
    const replies = await Promise.all([1, 2].map(() => member.post(create, { ...form, ...person })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await countOf()).toBe(1)
  })
})

describe('the form that edits a customer', () => {
  test('the form shows the stored values, and saving them unchanged changes nothing', async () => {
    const more = { phone: '08059876543', tags: ['a', 'b'], note: 'Note', marketing: { email: { granted: true } } }
    const { id } = await customer({ ...person, ...more })
    const { text } = await member.get(pathOf(id, '/edit'))
    for (const shown of ['value="Ngozi Eze"', 'value="+2348059876543"', '>\na\nb</textarea>', 'value="email" checked'])
      expect(text).toContain(shown)
    const same = { ...person, phone: '+2348059876543', tags: 'a\r\nb', note: 'Note', marketing: 'email' }
    expect((await submit(id, '/edit', same)).status).toBe(303)
    expect((await read(id)).version).toBe(1)
  })

  test('a member changes a customer, and removes the phone number, the tags, the note and a consent', async () => {
    const more = { phone: '08059876543', tags: ['a'], note: 'Note', marketing: { email: { granted: true } } }
    const { id } = await customer({ ...person, ...more })
    const reply = await submit(id, '/edit', { name: 'Ngozi Obi', email: 'ngozi.obi@example.com' })
    expect(reply.location).toBe(`${pathOf(id)}?done=customers.id.edit`)
    expect(await read(id)).toMatchObject({
      ...{ name: 'Ngozi Obi', email: 'ngozi.obi@example.com', phone: null, tags: [], note: null },
      marketing: { email: { granted: false } },
    })
  })

  test('a change from a form that was opened before another change is refused, with a message', async () => {
    const { id } = await customer(person)
    const form = formOf((await member.get(pathOf(id, '/edit'))).text, pathOf(id, '/edit'))
    await send('PATCH', `/customers/${id}`, { note: 'From the till' })
    const stale = await member.post(pathOf(id, '/edit'), { ...form, ...person, name: 'Ngozi Obi' })
    expect([stale.status, stale.text.includes('was changed after you opened this form')]).toEqual([422, true])
    expect(stale.text).toContain('value="Ngozi Obi"')
    expect(stale.text).toContain(`<a href="${pathOf(id, '/edit')}">Open the current page</a>`)
    expect(await read(id)).toMatchObject({ name: 'Ngozi Eze', note: 'From the till' })
  })

  test('the e-mail address of another customer is refused', async () => {
    await customer(person)
    const { id } = await customer({ name: 'Bola' })
    const { status, text } = await submit(id, '/edit', person)
    expect([status, text.includes('Another customer has this e-mail address.')]).toEqual([422, true])
  })
})

describe('the page of a customer', () => {
  test('the page shows the newest 10 orders with a link to all orders, and the sum of the payments', async () => {
    const { id } = await customer(person)
    const orders = []
    for (let placed = 0; placed < 11; placed++) {
      api().clock.advance(1000)
      orders.push(placed < 2 ? await paidOrderOf(id) : await orderOf(api(), shop, id))
    }
    const { text } = await member.get(pathOf(id))
    expect(orders.map((order) => text.includes(`/dashboard/orders/${order.id}`))).toEqual([
      false,
      ...Array(10).fill(true),
    ])
    expect(text).toContain(`href="/dashboard/orders?customerId=${id}"`)
    expect(textOf(text)).toContain('Orders 11 without cancelled orders Spent ₦30,000.00 payments minus the refunds')
  })

  test('the page links to all orders of a customer whose older orders are not shown because newer ones were cancelled', async () => {
    const { id } = await customer(person)
    for (let count = 0; count < 2; count++) await orderOf(api(), shop, id)
    for (let count = 0; count < 9; count++) await orderOf(api(), shop, id, 'cancelled')
    expect((await member.get(pathOf(id))).text).toContain(`href="/dashboard/orders?customerId=${id}"`)
  })

  test('the page lists the refunds and returns of the customer’s orders, but not those of other customers’ orders', async () => {
    const { id } = await customer(person)
    expect((await member.get(pathOf(id))).text).not.toContain('Refunds and returns')
    const order = await paidOrderOf(id)
    await moveOrderTo(api(), shop, order.id, 'delivered')
    const other = await paidOrderOf((await customer()).id)
    const refunds = []
    for (const each of [order, other]) {
      const body = { orderId: each.id, amountKobo: 50_000, reason: 'damaged' }
      const headers = { 'Idempotency-Key': each.id }
      const created = await api().send('POST', '/api/v1/refunds', { token: shop.token, body, headers })
      refunds.push(created.body)
    }
    const items = [{ itemId: order.items[0]?.id, quantity: 1 }]
    const returned = (await send('POST', `/orders/${order.id}/returns`, { items, reason: 'wrong_size' })).body
    const { text } = await member.get(pathOf(id))
    expect(text).toContain(`href="/dashboard/refunds/${refunds[0].id}"`)
    expect(text).not.toContain(refunds[1].id)
    expect(text).toContain(`href="/dashboard/returns/${returned.id}"`)
    expect(textOf(text)).toContain(`Refund ${order.number} ₦500.00`)
  })
})

describe('the removal of a customer', () => {
  test.for([
    ['/anonymise', 'cannot be undone'],
    ['/delete', 'anonymise the customer instead'],
  ] as const)('the form at “%s” first names the data that is removed and the data that remains, and is refused if the customer was changed meanwhile', async ([
    action,
    words,
  ]) => {
    const { id } = await customer(person)
    const opened = await member.get(pathOf(id, action))
    expect(opened.text).toContain(words)
    const form = formOf(opened.text, pathOf(id, action))
    const asked = await member.ask(pathOf(id, action), { ...form, confirmed: '' })
    expect([asked.status, asked.text.includes('data-question')]).toEqual([200, true])
    await send('PATCH', `/customers/${id}`, { note: 'From the till' })
    expect((await member.post(pathOf(id, action), form)).status).toBe(422)
    expect(await read(id)).toMatchObject({ ...person, status: 'active' })
  })

  test('an anonymised customer has no personal data and no action except the deletion', async () => {
    const { id } = await customer({ ...person, phone: '08059876543', addresses: [{ line1: '12 Admiralty Way' }] })
    const edit = formOf((await member.get(pathOf(id, '/edit'))).text, pathOf(id, '/edit'))
    expect((await submit(id, '/anonymise')).location).toBe(`${pathOf(id)}?done=customers.id.anonymise`)
    const { text } = await member.get(pathOf(id))
    for (const gone of ['Ngozi', 'ngozi.eze', '8059876543', 'Admiralty', 'mailto:']) expect(text).not.toContain(gone)
    expect(text).toContain('anonymised')
    expect(text).not.toContain(pathOf(id, '/edit'))
    expect(text).toContain(pathOf(id, '/delete'))
    const { version } = await read(id)
    const late = await member.post(pathOf(id, '/edit'), { ...edit, ...person, version: String(version) })
    expect([late.status, late.text.includes('The customer is anonymised')]).toEqual([422, true])
  })

  test('the anonymisation page states before the confirmation that the customer has an open order, and links to the order', async () => {
    const { id } = await customer(person)
    const path = pathOf(id, '/anonymise')
    const opened = formOf((await member.get(path)).text, path)
    await orderOf(api(), shop, id)
    const [open] = (await send('GET', `/orders?customerId=${id}`)).body.data
    const { text } = await member.get(path)
    expect([text.includes('The customer has 1 order that is open,'), text.includes(`action="${path}"`)]).toEqual([
      true,
      false,
    ])
    expect(text).toContain(`<a href="/dashboard/orders/${open.id}">${open.number}</a>`)
    const late = await member.post(path, opened)
    expect([late.status, late.text.includes('The customer has 1 order that is open,')]).toEqual([422, true])
    expect((await read(id)).status).toBe('active')
  })

  test('the anonymisation page is shown while another transaction locks the customer and the orders', async () => {
    const { id } = await customer(person)
    await orderOf(api(), shop, id)
    const client = await api().database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from customers where id = $1 for update', [id])
      await client.query('select from orders where customer_id = $1 for update', [id])
      const { status, text } = await member.get(pathOf(id, '/anonymise'))
      expect([status, text.includes('The customer has 1 order that is open,')]).toEqual([200, true])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('the anonymisation page links to a delivered order with a shipment in progress, and to no other order', async () => {
    const { id } = await customer(person)
    const [blocking, other] = [await paidOrderOf(id), await paidOrderOf(id)]
    for (const order of [blocking, other]) await moveOrderTo(api(), shop, order.id, 'delivered')
    await storeShipment(api(), shop, { orderId: blocking.id })
    const { text } = await member.get(pathOf(id, '/anonymise'))
    expect(text).toContain(`<a href="/dashboard/orders/${blocking.id}">${blocking.number}</a>`)
    expect(text).not.toContain(other.id)
  })

  test('the form that deletes a customer names the addresses and the note only if the customer has them', async () => {
    const lost = 'the addresses and the note can no longer be read'
    const bare = await customer(person)
    expect((await member.get(pathOf(bare.id, '/delete'))).text).not.toContain('can no longer be read')
    expect((await member.get(pathOf(bare.id))).text).toContain('The address of an order is on the page of the order.')
    const full = await customer({
      ...{ name: 'Ngozi Eze', email: 'ngozi@example.com', note: 'Calls first' },
      addresses: [{ line1: '12 Admiralty Way', city: 'Lagos', state: 'Lagos' }],
    })
    expect((await member.get(pathOf(full.id, '/delete'))).text).toContain(lost)
  })

  test('a deleted customer is no longer in the list of customers, and the customer’s page returns 404', async () => {
    const { id } = await customer(person)
    expect((await submit(id, '/delete')).location).toBe(`${list}?done=customers.id.delete`)
    expect((await member.get(list)).text).not.toContain(id)
    expect((await member.get(pathOf(id))).status).toBe(404)
  })
})

test('the pages of customers show no actions to a viewer, and a viewer cannot change customers', async () => {
  const { id } = await customer({ ...person, addresses: [{ line1: '12 Admiralty Way' }] })
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  for (const path of [list, pathOf(id)])
    expect((await viewer.get(path)).text).not.toMatch(/href="[^"]*\/(new|edit|remove|delete|anonymise)"/)
  const { csrf = '' } = formOf((await viewer.get(list)).text, '/dashboard/sign-out')
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', version: '1' }
  for (const action of ['/edit', '/addresses/new', '/anonymise', '/delete'])
    expect((await viewer.post(pathOf(id, action), form)).status).toBe(403)
  expect((await read(id)).version).toBe(1)
})

test('the pages of another merchant’s customer are not found', async () => {
  const { id } = await createdCustomer(api(), await openShop(api().context))
  for (const action of ['', '/edit', '/addresses/new', '/anonymise', '/delete'])
    expect((await member.get(pathOf(id, action))).status).toBe(404)
})
