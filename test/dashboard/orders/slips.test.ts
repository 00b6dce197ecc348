import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { textOf } from '../../support/page-text.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'viewer')
})

const slips = '/dashboard/orders/slips'

const address = {
  ...{ recipientName: 'Bisi <b>Ade</b>', phone: '+2348029876543', line1: '12 Admiralty Way', area: 'Lekki Phase 1' },
  ...{ city: 'Lekki', state: 'Lagos', landmark: 'Opposite the market', instructions: 'Ring twice.' },
}

const numbersIn = (text: string) =>
  [...text.matchAll(/<article class="slip"><h2>([^<]+)<\/h2>/g)].map(([, each]) => each)

test('a packing slip shows the recipient, the address with landmark and instructions, the items with SKU, the note and the cash to collect', async () => {
  const body = { paymentMethod: 'pay_on_delivery', shippingAddress: address, customerNote: 'It is a gift.' }
  const { id } = await placeOrder(api(), shop, { isPaid: false, body })
  const { text } = await member.get(`${slips}?id=${id}`)
  const { body: order } = await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(numbersIn(text)).toEqual([order.number])
  expect(text).toContain('Bisi &lt;b&gt;Ade&lt;/b&gt;')
  const shown = textOf(text)
  for (const part of [
    '+2348029876543',
    '12 Admiralty Way',
    'Lekki Phase 1',
    'Opposite the market',
    'Ring twice.',
    'It is a gift.',
  ])
    expect(shown).toContain(part)
  for (const { title, sku } of order.items) expect(shown).toMatch(new RegExp(`${title}.* ${sku}(?!\\S)`))
  const cash = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' }).format(order.totalKobo / 100)
  expect(shown).toContain(`Cash to collect ${cash}`)
})

test('if no orders are chosen, the page of packing slips shows the orders of the view “To pack”, without orders whose rider is on the way', async () => {
  const first = await placeOrder(api(), shop)
  api().clock.advance(1000)
  const payable = await placeOrder(api(), shop, { isPaid: false, body: { paymentMethod: 'pay_on_delivery' } })
  const shipped = await placeOrder(api(), shop)
  await moveOrderTo(api(), shop, shipped.id, 'shipped')
  const dispatched = await placeOrder(api(), shop)
  await storeShipment(api(), shop, { orderId: dispatched.id, status: 'awaiting_courier' })
  await placeOrder(api(), shop, { isPaid: false })
  expect((await member.get('/dashboard/orders')).text).toContain(`href="${slips}"`)
  const { text } = await member.get(slips)
  expect(numbersIn(text)).toEqual([first.number, payable.number])
  const view = await member.get('/dashboard/orders?view=to_pack')
  const shown = [first, payable, shipped, dispatched].filter(({ id }) => view.text.includes(`/orders/${id}"`))
  expect(shown.map(({ number }) => number)).toEqual(numbersIn(text))
})

test('the form on the list of orders opens the packing slips of the chosen orders, even if it is submitted a second time', async () => {
  const [first, second] = [await placeOrder(api(), shop), await placeOrder(api(), shop)]
  await placeOrder(api(), shop)
  const form = formOf((await member.get('/dashboard/orders')).text, slips)
  for (let time = 1; time <= 2; time++) {
    const { status, location = '' } = await member.post(slips, { ...form, id: [second.id, first.id, second.id] })
    expect([status, location]).toEqual([303, `${slips}?id=${second.id}&id=${first.id}`])
    expect(numbersIn((await member.get(location)).text)).toEqual([second.number, first.number])
  }
  const none = await member.post(slips, form)
  expect(none).toMatchObject({ status: 422, text: expect.stringContaining('Choose at least one order.') })
})

test('the packing slip of another merchant’s order or of an unknown id is not found, and slips for more than 100 orders are refused', async () => {
  const other = await placeOrder(api(), await openShop(api().context))
  const own = await placeOrder(api(), shop)
  expect((await member.get(`${slips}?id=${own.id}&id=${other.id}`)).status).toBe(404)
  expect((await member.get(`${slips}?id=nonsense`)).status).toBe(404)
  const many = Array.from({ length: 101 }, (_, index) => `id=${index}`).join('&')
  expect((await member.get(`${slips}?${many}`)).text).toContain('Choose at most 100 orders at once.')
  const form = formOf((await member.get('/dashboard/orders')).text, slips)
  const id = Array.from({ length: 101 }, (_, index) => String(index))
  const sent = await member.post(slips, { ...form, id })
  expect(sent).toMatchObject({ status: 422, text: expect.stringContaining('Choose at most 100 orders at once.') })
})

test('a packing slip contains only the units that are left to pack', async () => {
  const { id, number } = await placeOrder(api(), shop)
  await moveOrderTo(api(), shop, id, 'shipped')
  const { text } = await member.get(`${slips}?id=${id}`)
  expect(numbersIn(text)).toEqual([number])
  expect(text).toContain('No unit is left to pack.')
})
