import { beforeEach, describe, expect, test } from 'vitest'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { paystack } from '../../src/partners/payments/paystack.ts'
import { useApi, vault } from '../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { openShop, operator, placeOrder, type Shop } from '../support/shop.ts'

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
    expect((await member.get(pathOf(id))).text).toContain('The order has no payment link.')
    const done = await member.submit(pathOf(id, '/payment-link'), pathOf(id, '/payment-link'), {})
    expect(done.status).toBe(303)
    const { url } = (await api().send('GET', `/api/v1/orders/${id}/payment-link`, { token: shop.token })).body
    const { text } = await member.get(pathOf(id))
    expect(text).toContain(`<code data-copy>${url}</code>`)
    const query = new URLSearchParams({ text: `Pay for your order ${number}: ${url}` })
    expect(text).toContain(`href="https://wa.me/2348031234567?${query}"`)
    expect(text).not.toContain('>Create payment link<')
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

  test('a payment with a reference that is already recorded or an invalid amount is refused, and the form keeps the values', async () => {
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

describe('a refund of an order', () => {
  const path = (id: string) => pathOf(id, '/refund')
  const refundsOf = async (id: string) =>
    (await api().send('GET', `/api/v1/refunds?orderId=${id}`, { token: shop.token })).body.data

  test('a refund of an amount is previewed without a change, then created once', async () => {
    const { id } = await placeOrder(api(), shop)
    const form = { amount: '5000', reason: 'damaged' }
    const preview = await member.submit(path(id), path(id), { ...form, intent: 'preview' })
    expect(preview.status).toBe(200)
    expect(preview.text).toContain('Nothing was refunded yet.')
    expect(preview.text).toMatch(/Refundable afterwards<\/dt><dd><span class="money">₦10,000\.00/)
    expect(await refundsOf(id)).toEqual([])
    const done = await member.submit(path(id), path(id), form)
    const [refund] = await refundsOf(id)
    expect(refund).toMatchObject({ amountKobo: 500_000, reason: 'damaged', createdBy: { type: 'member' } })
    expect(done.location).toBe(`/dashboard/refunds/${refund.id}?done=orders.id.refund`)
  })

  test('a refund of items has the amount of the items’ price, and restocks the chosen items', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const itemId = items[0]?.id ?? ''
    const form = { [`quantity-${itemId}`]: '1', restock: itemId, reason: 'wrong_size' }
    const done = await member.submit(path(id), path(id), form)
    expect(done.status).toBe(303)
    expect(await refundsOf(id)).toMatchObject([
      { amountKobo: 1_500_000, items: [{ itemId, quantity: 1, restock: true, amountKobo: 1_500_000 }] },
    ])
  })

  test('a refund form keeps an empty amount empty after a preview, so that the quantities determine the amount', async () => {
    const { id, items } = await placeOrder(api(), shop)
    const form = { [`quantity-${items[0]?.id}`]: '1', reason: 'damaged', intent: 'preview' }
    const preview = await member.submit(path(id), path(id), form)
    expect(preview.text).toContain(`name="quantity-${items[0]?.id}" type="text" value="1"`)
    expect(preview.text).toContain('name="amount" type="text" value=""')
    const typed = await member.submit(path(id), path(id), { ...form, amount: '5,000' })
    expect(typed.text).toContain('name="amount" type="text" value="5000.00"')
  })

  test('a refund form that is submitted again after its rejection shows the same rejection', async () => {
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
      return { ...formOf(text, path(id)), amount: '5000', reason: 'damaged', confirmed: 'yes' }
    })
    expect((await member.ask(path(id), first ?? {})).status).toBe(303)
    const refused = await member.ask(path(id), second ?? {})
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('is now ₦10,000.00. Check whether the order was already refunded.')
    expect(await refundsOf(id)).toHaveLength(1)
    const { refundable } = formOf(refused.text, path(id))
    expect([refundable, refused.text.includes('name="amount" type="text" value="5000"')]).toEqual(['1000000', true])
  })

  test('a refund of too high an amount, of too many units or of nothing is refused', async () => {
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
