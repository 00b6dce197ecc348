import { beforeEach, expect, test } from 'vitest'
import { pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import { useApi } from '../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { orderTo, plainPhone } from '../support/logistics/parcel-run.ts'
import { describeInBrowser, useBrowser } from '../support/reference/browser.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../support/shop.ts'
import { selectTestMode } from './full-shop.ts'

/**
 * Dispatches a shipment of an order from the order's page in the dashboard, with the simulated carriers of test mode.
 */

const api = useApi()

let shop: Shop
let liveId: Shop['merchantId']
let owner: SignedInMember
beforeEach(async () => {
  const opened = await openShop(api().context)
  liveId = opened.merchantId
  const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
  const { id: tokenId, token } = await mintToken(api().context, tenant, {})
  shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
  owner = await signedIn(api(), liveId, 'owner')
  await selectTestMode(owner)
})

const pathOf = (id: string) => `/dashboard/orders/${id}/dispatch`

async function addPickup(): Promise<void> {
  const { name, phone, line1, area } = pickupInputExample
  const page = '/dashboard/settings'
  const { status, text } = await owner.submit(page, `${page}/pickup`, { name, phone, line1, area, state: 'Lagos' })
  expect(status, text).toBe(303)
}

async function processingOrder(phone?: string): Promise<string> {
  const id = await orderTo(api(), shop, phone)
  expect((await orderOf(id)).status).toBe('processing')
  return id
}

async function orderOf(id: string) {
  return (await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
}

test('an order page shows offers, and dispatch books a rider of the chosen carrier', async () => {
  await addPickup()
  const id = await processingOrder()
  expect((await owner.get(`/dashboard/orders/${id}`)).text).toContain(`href="${pathOf(id)}"`)
  const quoted = await owner.submit(pathOf(id), pathOf(id))
  expect(quoted.status).toBe(200)
  const offers = [...quoted.text.matchAll(/<option value="(off_\w+)"[^>]*>([^<]+)</g)]
  expect(offers.length).toBeGreaterThan(1)
  expect(quoted.text).toContain('12 Admiralty Way')
  const [, offerId = '', label = ''] = offers.at(-1) ?? []
  const form = { ...formOf(quoted.text, pathOf(id)), offerId }
  const dispatched = await owner.post(pathOf(id), form)
  expect(dispatched).toMatchObject({ status: 303 })
  const [, shipmentId] = /\/shipments\/(shp_\w+)/.exec(dispatched.location ?? '') ?? []
  const shipment = await api().send('GET', `/api/v1/logistics/shipments/${shipmentId}`, { token: shop.token })
  expect(shipment.body).toMatchObject({ orderId: id, status: 'awaiting_courier' })
  expect(label.startsWith(shipment.body.carrier.name)).toBe(true)
  const { number } = await orderOf(id)
  expect(shipment.body.reference.startsWith(`${number}-`)).toBe(true)
  // All units of the order are in the shipment. The page of the order therefore has no link to the shipping form, and
  // the service rejects the form if another tab submits it.
  expect((await owner.get(`/dashboard/orders/${id}`)).text).not.toContain(`href="${pathOf(id)}"`)
  const again = await owner.submit(pathOf(id), pathOf(id))
  expect(again).toMatchObject({ status: 422, text: expect.stringContaining('is in a shipment') })
})

test('the dispatch form collects cash on delivery, which the page of the shipment shows', async () => {
  await addPickup()
  const address = {
    recipientName: 'Bisi Ade',
    phone: plainPhone,
    line1: '12 Admiralty Way',
    city: 'Lekki',
    state: 'Lagos',
  }
  const body = { paymentMethod: 'pay_on_delivery', shippingAddress: address }
  const { id } = await placeOrder(api(), shop, { isPaid: false, body })
  const excess = await owner.submit(pathOf(id), pathOf(id), { cash: '600,000' })
  expect(excess).toMatchObject({ status: 422, text: expect.stringContaining('The cash exceeds the amount') })
  const above = await owner.submit(pathOf(id), pathOf(id), { cash: 'twelve' })
  expect(above).toMatchObject({ status: 422, text: expect.stringContaining('Enter an amount in naira') })
  const quoted = await owner.submit(pathOf(id), pathOf(id), { cash: '12,500' })
  expect(quoted.text).toContain('Cash on delivery is not available.')
  const again = formOf(quoted.text, pathOf(id))
  const { location = '', text } = await owner.post(pathOf(id), again)
  expect(location, text).toMatch(/shp_/)
  const shown = (await owner.get(location)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(shown).toMatch(/Cash on delivery ₦12,500.00 Collected cash not yet/)
})

test('the dispatch form with expired offers still has the cash on delivery', async () => {
  await addPickup()
  const address = {
    recipientName: 'Bisi Ade',
    phone: plainPhone,
    line1: '12 Admiralty Way',
    city: 'Lekki',
    state: 'Lagos',
  }
  const body = { paymentMethod: 'pay_on_delivery', shippingAddress: address }
  const { id } = await placeOrder(api(), shop, { isPaid: false, body })
  const quoted = await owner.submit(pathOf(id), pathOf(id), { cash: '12,500' })
  api().clock.advance(60 * 60 * 1000)
  const expired = await owner.post(pathOf(id), formOf(quoted.text, pathOf(id)))
  expect(expired).toMatchObject({ status: 422, text: expect.stringContaining('Get new offers.') })
  expect(expired.text).toMatch(/name="cash"[^>]* value="12500.00"/)
})

test('the order page lists the best-value offer of the fastest service level first, and the dispatch uses the chosen offer’s price as the maximum price', async () => {
  await addPickup()
  const id = await processingOrder()
  const { text } = await owner.submit(pathOf(id), pathOf(id))
  const choices = [...text.matchAll(/<option value="(off_\w+)" data-amount="([\d,.]+)"/g)]
  const [, firstId, firstPrice] = choices[0] ?? []
  expect(text).toMatch(new RegExp(`name="maxPrice"[^>]* value=""[^>]* placeholder="${firstPrice}"`))
  const cheapest = choices.toSorted(([, , one = ''], [, , other = '']) => naira(one) - naira(other))[0]
  expect(cheapest?.[1]).not.toBe(firstId)
  const [, offerId = '', price = ''] = cheapest ?? []
  const { location = '' } = await owner.post(pathOf(id), { ...formOf(text, pathOf(id)), offerId, maxPrice: '' })
  const [, shipmentId] = /\/shipments\/(shp_\w+)/.exec(location) ?? []
  const { body } = await api().send('GET', `/api/v1/logistics/shipments/${shipmentId}`, { token: shop.token })
  expect(body).toMatchObject({ plan: [{ offerId }], priceCeilingKobo: Math.round(naira(price) * 100) })
})

const naira = (text: string) => Number(text.replaceAll(',', ''))

test('a carrier’s offer above the maximum price is not dispatched, and the dashboard requests offers again', async () => {
  await addPickup()
  const id = await processingOrder()
  const quoted = await owner.submit(pathOf(id), pathOf(id))
  const form = { ...formOf(quoted.text, pathOf(id)), maxPrice: '1' }
  expect(await owner.post(pathOf(id), form)).toMatchObject({
    status: 422,
    text: expect.stringContaining('Every offer costs more than the maximum price.'),
  })
  expect((await orderOf(id)).shipments).toEqual([])
})

test('without a pickup address, the dispatch form says where to add a pickup address', async () => {
  const id = await processingOrder()
  const reply = await owner.submit(pathOf(id), pathOf(id))
  expect(reply).toMatchObject({ status: 422, text: expect.stringContaining('Add one on the page Settings.') })
})

test('if no carrier accepts, the dispatch form says so, and the order page shows the failed shipment', async () => {
  await addPickup()
  // The digits of the phone number make the carriers reject all three dispatch attempts.
  const id = await processingOrder(`${dispatchPhonePrefix}111`)
  const quoted = await owner.submit(pathOf(id), pathOf(id))
  const form = formOf(quoted.text, pathOf(id))
  const refusal = { status: 422, text: expect.stringContaining('No carrier accepted the shipment.') }
  expect(await owner.post(pathOf(id), form)).toMatchObject(refusal)
  // With the browser's Back button, the member returns to the offers and submits them again. The shipment that was
  // dispatched with these offers has already failed.
  expect(await owner.post(pathOf(id), form)).toMatchObject(refusal)
  const { text } = await owner.get(`/dashboard/orders/${id}`)
  expect(text).toContain('>failed<')
  expect(text).toContain(`href="${pathOf(id)}"`)
})

test('a member with the viewer role gets no dispatch form, and a dispatch with a quote of another order is refused', async () => {
  await addPickup()
  const [first, second] = [await processingOrder(), await processingOrder()]
  const quoted = await owner.submit(pathOf(first), pathOf(first))
  const form = formOf(quoted.text, pathOf(first))
  expect(await owner.post(pathOf(second), form)).toMatchObject({
    status: 422,
    text: expect.stringContaining('Get new offers.'),
  })
  expect((await orderOf(second)).shipments).toEqual([])
  const viewer = await signedIn(api(), liveId, 'viewer')
  await selectTestMode(viewer)
  expect((await viewer.get(`/dashboard/orders/${first}`)).text).not.toContain(pathOf(first))
  expect((await viewer.get(pathOf(first))).status).toBe(403)
})

describeInBrowser('in a browser', () => {
  const openVisit = useBrowser()

  test('the maximum price field shows the price of the chosen offer as a placeholder, and stays empty', async () => {
    await addPickup()
    const id = await processingOrder()
    const { context, page, close } = await openVisit()
    await context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: api().url })))
    await page.goto(`${api().url}${pathOf(id)}`)
    await page.getByRole('button', { name: 'Get offers' }).click()
    const choice = page.getByLabel('First carrier')
    const maximum = page.getByLabel('Maximum price in naira')
    await choice.selectOption({ index: 1 })
    const [, price = ''] = /₦([\d,.]+)$/.exec((await choice.locator('option').nth(1).textContent()) ?? '') ?? []
    expect(price).not.toBe('')
    expect(await maximum.getAttribute('placeholder')).toBe(price)
    expect(await maximum.inputValue()).toBe('')
    await close()
  })
})

test('the forms of a payment link and of a payment offer no provider in test mode that is not available there', async () => {
  const { id } = await placeOrder(api(), shop, { isPaid: false })
  const forms = ['payment-link', 'payment'].map((name) => owner.get(`/dashboard/orders/${id}/${name}`))
  for (const { status, text } of await Promise.all(forms)) {
    expect(status).toBe(200)
    expect(text).not.toContain('flutterwave')
  }
})
