import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { openShop, placeOrder } from '../support/shop.ts'

/** The search page of the dashboard, whose field is in the header of every page. */

const api = useApi()

async function openSearch() {
  const shop = await openShop(api().context)
  const order = await placeOrder(api(), shop, {
    body: { customer: { name: 'Ọláyínká Bello', email: 'olayinka@example.com', phone: '+2348031234567' } },
  })
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const search = async (text: string) =>
    (await member.get(`/dashboard/search?${new URLSearchParams({ q: text })}`)).text.split('<main').at(-1) ?? ''
  const { body } = await api().send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
  return { shop, order, customerId: body.customer.id, sku: body.items[0].sku, search }
}

test('the search finds an order by its number, by the name of its customer without accents, and by the phone number in each spelling', async () => {
  const { order, search } = await openSearch()
  for (const text of [order.number, order.number.toLowerCase(), 'olayinka', '08031234567', '+234 803 123 4567'])
    expect([text, await search(text)]).toEqual([text, expect.stringContaining(`/dashboard/orders/${order.id}"`)])
})

test('the search finds a customer, a product by its SKU, and a shipment by its reference', async () => {
  const { shop, order, customerId, sku, search } = await openSearch()
  const shipment = await storeShipment(api(), shop, { orderId: order.id, reference: 'parcel-77' })
  expect(await search('olayinka@example.com')).toContain(`/dashboard/customers/${customerId}"`)
  expect(await search(sku)).toContain('All matching products')
  expect(await search('parcel-77')).toContain(`/dashboard/shipments/${shipment.id}`)
})

test('the search finds an order by the reference of a payment and a shipment by the carrier’s tracking number, but not for another merchant', async () => {
  const { shop, search } = await openSearch()
  const other = await openSearch()
  const unpaid = await placeOrder(api(), shop, { isPaid: false })
  const body = { amountKobo: 100, method: 'bank_transfer', reference: 'GTB-1/77' }
  const paid = await api().send('POST', `/api/v1/orders/${unpaid.id}/payments`, { token: shop.token, body })
  expect(paid.status, paid.text).toBe(201)
  const shipment = await storeShipment(api(), shop, {
    attempts: [{ carrierReference: 'FEZ-9981' }],
  })
  const payment = await search(' GTB-1/77 ')
  expect(payment).toContain(`payment of the order <a href="/dashboard/orders/${unpaid.id}"`)
  expect(await search('FEZ-9981')).toContain(`/dashboard/shipments/${shipment.id}"`)
  for (const text of ['GTB-1/77', 'FEZ-9981', 'FEZ-998']) expect(await other.search(text)).toContain('Nothing matches')
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const listed = (await member.get('/dashboard/shipments?q=FEZ-9981')).text
  expect(listed).toContain(`/dashboard/shipments/${shipment.id}"`)
  expect(listed).not.toContain('No shipment matches')
  expect((await member.get('/dashboard/shipments?q=FEZ-998')).text).toContain('No shipment matches')
})

test('the search for an id links to the page of the record with that id', async () => {
  const { order, search } = await openSearch()
  expect(await search(` ${order.id} `)).toContain(`class="main" href="/dashboard/orders/${order.id}"`)
  expect(await search('req_01jd3f8q6hf5n8v1zr4c7e2m9k')).toContain('href="/dashboard/requests/req_')
})

test('the search for the id of a record shows no link to a member who may not read the record', async () => {
  const { tokenId, merchantId } = await openShop(api().context)
  const linkFor = async (role: 'owner' | 'viewer') => {
    const { text } = await (await signedIn(api(), merchantId, role)).get(`/dashboard/search?q=${tokenId}`)
    return text.includes(`href="/dashboard/tokens/${tokenId}"`)
  }
  expect([await linkFor('owner'), await linkFor('viewer')]).toEqual([true, false])
})

test('the search does not find records of another merchant, and escapes the search text that the page shows', async () => {
  const { order } = await openSearch()
  const other = await openSearch()
  expect(await other.search(order.number)).toContain('Nothing matches')
  const hostile = await other.search('<script>alert(1)</script>')
  expect(hostile).toContain('Nothing matches “&lt;script&gt;')
  expect(hostile).not.toContain('<script>')
})

test('a search text with too few or too many characters shows the search form again, without a record or an error', async () => {
  const { search } = await openSearch()
  expect(await search('a')).toContain('Enter an order number')
  expect(await search('a')).toMatch(
    /<input id="f-q" name="q" type="search" value="a"[\s\S]*<button class="main">Search<\/button>/,
  )
  expect(await search('a'.repeat(101))).toContain('Nothing matches')
  expect(await search('\u0000\u0007')).toContain('Nothing matches')
})
