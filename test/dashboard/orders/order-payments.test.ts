import { beforeEach, describe, expect, test } from 'vitest'
import { connectProvider } from '../../../src/access/connect-provider.ts'
import { paystack } from '../../../src/partners/payments/paystack.ts'
import { useApi, vault } from '../../support/api.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { textOf } from '../../support/page-text.ts'
import { mintToken, openShop, operator, placeOrder, type Shop } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const pathOf = (id: string, action = '') => `/dashboard/orders/${id}${action}`

async function orderOf(id: string) {
  return (await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
}

describe('the payment link of an order', () => {
  test('the dashboard creates a payment link, and shows its URL to copy or to send by WhatsApp', async () => {
    const context = { ...api().context, vault, isProduction: true }
    await connectProvider(context, operator, shop.tenant, { provider: paystack, secretKey: 'sk_live_local' })
    const customer = { name: 'Adaeze Okafor', email: 'adaeze@example.com', phone: '+2348031234567' }
    const { id, number } = await placeOrder(api(), shop, { isPaid: false, body: { customer } })
    const label = '>Create a payment link for ₦15,000.00</a>'
    expect((await member.get(pathOf(id))).text).toContain(label)
    const done = await member.submit(pathOf(id, '/payment-link'), pathOf(id, '/payment-link'), {})
    expect(done.status).toBe(303)
    const { url } = (await api().send('GET', `/api/v1/orders/${id}/payment-link`, { token: shop.token })).body
    const { text } = await member.get(pathOf(id))
    expect(text).toContain(`<code data-copy>${url}</code>`)
    const query = new URLSearchParams({ text: `Pay for your order ${number}: ${url}` })
    expect(text).toContain(`href="https://wa.me/2348031234567?${query}"`)
    expect(text).toContain('>Send the payment link</a>')
    expect(text).not.toContain(label)
  })

  test('the dashboard shows why no payment link was created', async () => {
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    const refused = await member.submit(pathOf(id, '/payment-link'), pathOf(id, '/payment-link'), {})
    expect([refused.status, refused.text.includes('has not connected a payment provider')]).toEqual([422, true])
  })

  test('the page of a paid or cancelled order shows no payment link', async () => {
    const { id } = await placeOrder(api(), shop)
    expect((await member.get(pathOf(id))).text).not.toContain('Payment link')
  })
})

describe('a payment of an order', () => {
  const form = { amount: '15,000.00', method: 'cash', reference: 'TILL-1', paidAt: '2026-11-21T09:30' }

  test('the dashboard records a payment of an order and shows the payment’s time in Lagos time', async () => {
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    const done = await member.submit(pathOf(id, '/payment'), pathOf(id, '/payment'), form)
    expect(done.status).toBe(303)
    const { data } = (await api().send('GET', `/api/v1/payments?orderId=${id}`, { token: shop.token })).body
    expect(data).toMatchObject([{ amountKobo: 1_500_000, method: 'cash', paidAt: '2026-11-21T08:30:00.000Z' }])
  })

  test('a payment with an already recorded reference or an invalid amount is refused, and the form shows the entered values again', async () => {
    const first = await placeOrder(api(), shop, { isPaid: false })
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    await member.submit(pathOf(first.id, '/payment'), pathOf(first.id, '/payment'), form)
    const known = await member.submit(pathOf(id, '/payment'), pathOf(id, '/payment'), form)
    expect([known.status, known.text.includes('value="TILL-1"')]).toEqual([422, true])
    const wrong = await member.submit(pathOf(id, '/payment'), pathOf(id, '/payment'), { ...form, amount: '-5' })
    expect(wrong.text).toContain('id="p-amount"')
    expect(await orderOf(id)).toMatchObject({ paidKobo: 0 })
  })
})

describe('the problem of a payment', () => {
  const form = { amount: '15,000.00', method: 'cash', reference: 'TILL-1' }

  test.each([
    ['amount', { amount: '15,000.01' }, 'If it was received, tick “Record more than the amount due”.'],
    ['paidAt', { paidAt: '2030-01-01T10:00' }, 'Enter a time between the creation of the order and now.'],
    ['reference', { reference: 'TILL-0' }, 'Another payment with this reference is already recorded.'],
  ])('a refused payment form shows a message at the field %s, and this message is written for the dashboard instead of copied from the API', async (field, wrong, message) => {
    const first = await placeOrder(api(), shop, { isPaid: false })
    await member.submit(pathOf(first.id, '/payment'), pathOf(first.id, '/payment'), { ...form, reference: 'TILL-0' })
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    const refused = await member.submit(pathOf(id, '/payment'), pathOf(id, '/payment'), { ...form, ...wrong })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(new RegExp(`id="p-${field}"[^>]*>[^<]*${message}`))
    expect(await orderOf(id)).toMatchObject({ paidKobo: 0 })
  })
})

test('the form that voids a payment shows the payment, its order and its customer, and says that the customer gets no money back', async () => {
  const { id, number } = await placeOrder(api(), shop)
  const [, path = ''] = /href="(\/dashboard\/payments\/[^"]+\/void)"/.exec((await member.get(pathOf(id))).text) ?? []
  const { text } = await member.get(path)
  expect(text).toMatch(/<dt>Reference<\/dt><dd><code>[^<]+<\/code>/)
  expect(text).toContain('<dt>Amount</dt><dd><span class="money">₦15,000.00</span>')
  expect(text).toMatch(/<dt>Method<\/dt><dd>[a-z ]+<\/dd>/)
  expect(text).toMatch(/<dt>Paid<\/dt><dd><time datetime="[^"]+"/)
  expect(text).toContain(`<dt>Order</dt><dd><a href="${pathOf(id)}">${number}</a>`)
  expect(text).toContain('<dt>Customer</dt><dd>Adaeze Okafor</dd>')
  const condition = 'Void a payment only if it was recorded by mistake, or if its money did not arrive.'
  const effect = 'No money moves: the customer gets no money back.'
  expect(textOf(text)).toContain(`${condition} ${effect} To give money back, refund the order`)
  expect(text).toContain(`href="${pathOf(id, '/refund')}"`)
  const asked = await member.ask(path, { ...formOf(text, path), reason: 'wrong_order' })
  expect(textOf(asked.text)).toContain(effect)
})

describe('a refund of an order', () => {
  const path = (id: string) => pathOf(id, '/refund')
  const refundsOf = async (id: string) =>
    (await api().send('GET', `/api/v1/refunds?orderId=${id}`, { token: shop.token })).body.data

  test('the refund form first asks to confirm the amount and the customer without creating a refund, and then creates the refund once', async () => {
    const { id } = await placeOrder(api(), shop)
    const { customer } = await orderOf(id)
    const form = { amount: '5000', reason: 'damaged' }
    const opened = (await member.get(path(id))).text
    expect(opened.match(/<button[^>]*>Check the refund<\/button>/g)).toHaveLength(1)
    const asked = await member.ask(path(id), { ...formOf(opened, path(id)), ...form })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('Nothing has been changed yet.')
    expect(asked.text).toContain(`>Record the refund of ₦5,000.00 to ${customer.name}</button>`)
    expect(await refundsOf(id)).toEqual([])
    const done = await member.submit(path(id), path(id), { ...form })
    const [refund] = await refundsOf(id)
    expect(refund).toMatchObject({ amountKobo: 500_000, reason: 'damaged', createdBy: { type: 'member' } })
    expect(done.location).toBe(`/dashboard/refunds/${refund.id}?done=orders.id.refund`)
  })

  test('if the quantity of a refund is not a whole number or exceeds the refundable units, the form shows the problem at the item’s field', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const field = `quantity-${items[0]?.id}`
    for (const [quantity, message] of [
      ['2', 'At most 1 unit can be refunded.'],
      ['1.5', 'Enter a whole number.'],
      ['-1', 'Enter a whole number.'],
    ] as const) {
      const refused = await member.submit(path(id), path(id), { [field]: quantity, reason: 'damaged' })
      expect([refused.status, refused.text.includes(`value="${quantity}"`)]).toEqual([422, true])
      expect(refused.text).toMatch(new RegExp(`id="p-${field}"[^>]*>${message}`))
    }
    expect(await refundsOf(id)).toEqual([])
  })

  test('after a partial refund, the refund form says to enter an amount if the units cost more than the refundable amount', async () => {
    const { id } = await placeOrder(api(), shop)
    const hint = 'If the units cost more than is refundable, enter the amount.'
    expect((await member.get(path(id))).text).not.toContain(hint)
    await member.submit(path(id), path(id), { amount: '5000', reason: 'damaged' })
    expect((await member.get(path(id))).text).toContain(hint)
  })

  test('a refund of items returns the price of the items, and restocks the chosen items', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const itemId = items[0]?.id ?? ''
    const form = { [`quantity-${itemId}`]: '1', restock: itemId, reason: 'wrong_size' }
    const done = await member.submit(path(id), path(id), form)
    expect(done.status).toBe(303)
    expect(await refundsOf(id)).toMatchObject([
      { amountKobo: 1_500_000, items: [{ itemId, quantity: 1, restock: true, amountKobo: 1_500_000 }] },
    ])
  })

  test('before a refund of a manually recorded payment, the confirmation asks whether the member has transferred the money', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const itemId = items[0]?.id ?? ''
    const { text } = await member.get(path(id))
    const form = { ...formOf(text, path(id)), [`quantity-${itemId}`]: '1', restock: itemId, reason: 'damaged' }
    const asked = await member.ask(path(id), form)
    const units = '1 × Ankara maxi dress, M / Indigo'
    expect(asked.text).toContain(`Have you transferred ₦15,000.00 for ${units} to the customer?`)
    expect(asked.text).toContain(`Restocked: ${units}.`)
    expect(await refundsOf(id)).toEqual([])
    expect((await member.post(path(id), formOf(asked.text, path(id)))).status).toBe(303)
    expect(await refundsOf(id)).toMatchObject([{ amountKobo: 1_500_000, status: 'succeeded' }])
  })

  test('before a refund by a payment provider, the confirmation names the amount, the order and the provider', async () => {
    const { id, number } = (await paidByPaystack(api(), shop, { priceKobo: 1_000_000 })).order
    const { customer } = await orderOf(id)
    const { text } = await member.get(path(id))
    const form = { ...formOf(text, path(id)), reason: 'damaged' }
    const excessive = await member.ask(path(id), { ...form, amount: '10000.01' })
    expect([excessive.status, excessive.text.includes('id="p-amount"')]).toEqual([422, true])
    const asked = await member.ask(path(id), { ...form, amount: '4000' })
    const question = `Refund ₦4,000.00 for the order ${number} to the original payment method by Paystack?`
    expect(asked.text).toContain(`${question} Paystack sends the money, which cannot be stopped.`)
    expect(asked.text).toContain(`>Refund ₦4,000.00 to ${customer.name}</button>`)
    expect(await refundsOf(id)).toEqual([])
  })

  test('the page of an order and the list of refunds name who refunded which items', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const form = { [`quantity-${items[0]?.id}`]: '1', reason: 'damaged' }
    const { location = '' } = await member.submit(path(id), path(id), form)
    const units = '1 × Ankara maxi dress, M / Indigo'
    const order = (await member.get(pathOf(id))).text
    expect(order).toContain(`<td data-title="Items">${units}</td>`)
    expect(order).toContain('<td data-title="By">Ada Obi <small>member</small></td>')
    expect(order).toContain(`for ${units} was created by Ada Obi.`)
    const list = (await member.get('/dashboard/refunds')).text
    expect(list).toContain(`<td data-title="Items" class="detail">${units}</td>`)
    expect(list).toContain('<td data-title="By" class="labelled">Ada Obi</td>')
    const refund = (await member.get(location)).text
    expect(refund).toContain('Ankara maxi dress, M / Indigo')
    expect(refund).toContain('<dt>Created by</dt><dd>Ada Obi <small>member</small>')
  })

  test('when a rejected refund form is submitted again, it is rejected with the same message', async () => {
    const { id } = await placeOrder(api(), shop)
    const opened = formOf((await member.get(path(id))).text, path(id))
    const form = { ...opened, amount: '15000.01', reason: 'damaged', confirmed: 'yes' }
    for (const submission of ['first', 'second']) {
      const refused = await member.ask(path(id), form)
      expect([submission, refused.status]).toEqual([submission, 422])
      expect(refused.text).toContain('At most ₦15,000.00 can be refunded.')
    }
    expect(await refundsOf(id)).toEqual([])
  })

  test('a refund form that was opened before another refund of the order creates no second refund', async () => {
    const { id } = await placeOrder(api(), shop)
    const tabs = [await member.get(path(id)), await member.get(path(id))]
    const [first, second] = tabs.map(({ text }) => {
      const sent = { amount: '5000', reason: 'damaged', confirmed: 'yes' }
      return { ...formOf(text, path(id)), ...sent }
    })
    expect((await member.ask(path(id), first ?? {})).status).toBe(303)
    const refused = await member.ask(path(id), second ?? {})
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('is now ₦10,000.00. Check whether the order was already refunded.')
    expect(await refundsOf(id)).toHaveLength(1)
    const { refundable } = formOf(refused.text, path(id))
    expect([refundable, refused.text.includes('name="amount" type="text" value="5000"')]).toEqual(['1000000', true])
  })

  test('the refund form refuses an amount that is too high, too many units, and a refund of nothing', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const quantity = `quantity-${items[0]?.id}`
    const cases = [
      { amount: '15000.01' },
      { amount: '100', [quantity]: '2' },
      { [quantity]: 'two' },
      { amount: '100', restock: items[0]?.id ?? '' },
      { amount: '0' },
      {},
    ]
    for (const fields of cases) {
      const refused = await member.submit(path(id), path(id), { ...fields, reason: 'damaged' })
      expect([fields, refused.status]).toEqual([fields, 422])
    }
    expect(await refundsOf(id)).toEqual([])
  })
})

test('in test mode, the forms of a payment link and of a payment do not offer providers that are not available in test mode', async () => {
  const tenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
  const { token } = await mintToken(api().context, tenant, {})
  const { id } = await placeOrder(api(), { ...shop, tenant, merchantId: tenant.merchantId, token }, { isPaid: false })
  await selectTestMode(member)
  const forms = ['/payment-link', '/payment'].map((name) => member.get(pathOf(id, name)))
  for (const { status, text } of await Promise.all(forms)) {
    expect(status).toBe(200)
    expect(text).not.toContain('flutterwave')
  }
})
