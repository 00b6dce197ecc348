import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

/** Warnings before the goods of an unpaid order leave the shop. */

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

async function orderWith(paymentMethod: string): Promise<string> {
  return (await placeOrder(api(), shop, { isPaid: false, body: { paymentMethod } })).id
}

async function statusOf(id: string): Promise<string> {
  return (await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body.status
}

async function move(id: string, to: string): Promise<void> {
  const path = `/api/v1/orders/${id}/transition`
  expect((await api().send('POST', path, { token: shop.token, body: { to } })).status).toBe(200)
}

async function press(id: string, to: string) {
  const path = `/dashboard/orders/${id}`
  const { text } = await member.get(path)
  const form = text.split('<form ').find((part) => part.includes(`name="to" value="${to}"`)) ?? ''
  const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return member.ask(`${path}/transition`, Object.fromEntries(hidden.map(([, name, value]) => [name, value])))
}

test('an unpaid order with the payment method bank transfer is set to shipped only after a confirmation that states the amount due', async () => {
  const id = await orderWith('bank_transfer')
  const prepared = await press(id, 'processing')
  expect(prepared.text).toContain('₦15,000.00 is unpaid. The payment method is bank transfer')
  await move(id, 'processing')
  const asked = await press(id, 'shipped')
  expect(asked.text).toContain('₦15,000.00 is unpaid. The payment method is bank transfer')
  expect(asked.text).toContain('>Set to shipped although ₦15,000.00 is unpaid</button>')
  expect(await statusOf(id)).toBe('processing')
  const path = `/dashboard/orders/${id}/transition`
  await member.submit(`/dashboard/orders/${id}`, path, { from: 'processing', to: 'shipped' })
  expect(await statusOf(id)).toBe('shipped')
})

test('for an unpaid order with payment on delivery, the dashboard asks for a confirmation before it sets the order to delivered, but not to shipped', async () => {
  const id = await orderWith('pay_on_delivery')
  await move(id, 'processing')
  expect((await press(id, 'shipped')).status).toBe(303)
  const asked = await press(id, 'delivered')
  expect(asked.text).toContain('No payment of ₦15,000.00 is recorded.')
  expect(await statusOf(id)).toBe('shipped')
})

test('the dashboard sets a paid order to shipped without a confirmation page', async () => {
  const { id } = await placeOrder(api(), shop)
  expect((await press(id, 'shipped')).status).toBe(303)
})

test('the main action of an unpaid order requests payment, and the main action of an order with payment on delivery dispatches the order', async () => {
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const mainOf = async (id: string) => {
    const { text } = await owner.get(`/dashboard/orders/${id}`)
    return /<a class="main" href="\/dashboard\/orders\/\w+\/([\w-]+)"/.exec(text)?.[1]
  }
  const [unpaid, onDelivery] = [await orderWith('bank_transfer'), await orderWith('pay_on_delivery')]
  await move(unpaid, 'processing')
  await move(onDelivery, 'processing')
  expect(await mainOf(unpaid)).toBe('payment-link')
  expect(await mainOf(onDelivery)).toBe('dispatch')
})
