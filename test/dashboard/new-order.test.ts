import { beforeEach, describe, expect, test } from 'vitest'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { paystack } from '../../src/partners/payments/paystack.ts'
import { useApi, vault } from '../support/api.ts'
import { discount } from '../support/commerce/discount.ts'
import { setPickup } from '../support/commerce/return-to-ship.ts'
import type { PageReply, SignedInMember } from '../support/dashboard.ts'
import { signedIn } from '../support/dashboard.ts'
import { asOwner } from '../support/database.ts'
import { formValuesOf } from '../support/form-values.ts'
import { textOf } from '../support/page-text.ts'
import { mintToken, openShop, operator, type Shop, type Stocked, stockVariant } from '../support/shop.ts'
import { selectTestMode } from './full-shop.ts'
import { expectNoChangeOf } from './no-change.ts'

const api = useApi()

const path = '/dashboard/orders/new'

let shop: Shop
let member: SignedInMember
let dress: Stocked
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
  dress = await stockVariant(api(), shop.merchantId, { priceKobo: 1_500_000, onHand: 5 })
})

const quantityOf = ({ variantId }: Stocked) => `quantity-${variantId}`

const buyer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '0803 123 4567' }

const call = async (method: 'GET' | 'POST' | 'PATCH', address: string, body?: object) =>
  (await api().send(method, `/api/v1${address}`, { token: shop.token, ...(body === undefined ? {} : { body }) })).body

const listOrders = async () => (await call('GET', '/orders')).data

/** Submits the form of a page, as a browser does when the member has changed some fields and pressed a button. */
function submit(page: PageReply, fields: Readonly<Record<string, string>>, intent = 'preview'): Promise<PageReply> {
  return member.post(path, { ...formValuesOf(page.text, path), intent, ...fields })
}

/** Opens the form, enters a new buyer and one dress, and returns the page with the total. */
async function previewed(fields: Readonly<Record<string, string>> = {}): Promise<PageReply> {
  return submit(await member.get(path), { ...buyer, [quantityOf(dress)]: '1', ...fields })
}

describe('a new order in the dashboard', () => {
  test('a member finds a product and a customer, sees the total, and creates the order', async () => {
    const address = { line1: '12 Admiralty Way', area: 'Lekki Phase 1', state: 'Lagos' }
    const customer = await call('POST', '/customers', { ...buyer, addresses: [address] })
    const search = await submit(await member.get(path), { findItems: 'ankara', findCustomer: '+234 803-123-4567' })
    expect(search.status).toBe(200)
    expect(textOf(search.text)).toContain('₦15,000.00 5')
    expect(search.text).toContain(`name="customerId" value="${customer.id}" checked`)
    const preview = await submit(search, { [quantityOf(dress)]: '2', shipping: '2,500' })
    expect([preview.status, textOf(preview.text).includes('Total ₦32,500.00')]).toEqual([200, true])
    expect(formValuesOf(preview.text, path)).toMatchObject({ ...address, findItems: 'ankara' })
    expect(await listOrders()).toEqual([])
    const created = await submit(preview, { note: 'Gate code 12' }, 'create')
    expect(created.status).toBe(303)
    const [{ id }] = await listOrders()
    expect(created.location).toBe(`/dashboard/orders/${id}?done=orders.new`)
    expect(await call('GET', `/orders/${id}`)).toMatchObject({
      ...{ source: 'whatsapp', note: 'Gate code 12', totalKobo: 3_250_000, paymentMethod: 'bank_transfer' },
      customer: { id: customer.id, phone: '+2348031234567' },
      items: [{ variantId: dress.variantId, quantity: 2 }],
      shippingAddress: address,
    })
  })

  test('a product is found by its SKU and by its barcode, and an archived product is not', async () => {
    await stockVariant(api(), shop.merchantId, { status: 'archived' })
    await call('PATCH', `/products/${dress.productId}/variants/${dress.variantId}`, { barcode: '6154000012345' })
    for (const findItems of ['6154000012345', `sku-${dress.variantId}`, 'ANKARA']) {
      const { text } = await submit(await member.get(path), { findItems })
      const fields = [...text.matchAll(/name="(quantity-[^"]+)"/g)].map(([, name]) => name)
      expect(fields).toEqual([quantityOf(dress)])
    }
    const none = await submit(await member.get(path), { findItems: 'kaftan' })
    expect(none.text).toContain('No product for sale matches the search.')
  })

  test('an order of a new customer is created with the customer’s phone number in the +234 format', async () => {
    const created = await submit(await previewed(), { source: 'dashboard' }, 'create')
    expect(created.status).toBe(303)
    const [{ id }] = await listOrders()
    expect(await call('GET', `/orders/${id}`)).toMatchObject({
      ...{ source: 'dashboard', shippingAddress: null },
      customer: { ...buyer, phone: '+2348031234567' },
    })
  })

  test('the address of a new order is stored with its customer once, unless the member does not want it', async () => {
    const address = { line1: '12 Admiralty Way', area: 'Lekki Phase 1', state: 'Lagos' }
    const addresses = async () => (await call('GET', '/customers')).data[0].addresses
    const { storeAddress: _, ...unticked } = formValuesOf((await previewed(address)).text, path)
    expect((await member.post(path, { ...unticked, intent: 'create' })).status).toBe(303)
    expect(await addresses()).toEqual([])
    for (const note of ['first', 'second']) {
      expect((await submit(await previewed({ ...address, note }), {}, 'create')).status).toBe(303)
      expect(await addresses()).toMatchObject([address])
    }
    expect(await listOrders()).toHaveLength(3)
  })

  test('a new order is created even if the storage of its address fails', async () => {
    await asOwner(
      api(),
      `create function crash() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`,
    )
    const trigger = 'create trigger crash before insert on customer_addresses for each row execute function crash()'
    await asOwner(api(), trigger)
    const created = await submit(await previewed({ line1: '12 Admiralty Way', state: 'Lagos' }), {}, 'create')
    await asOwner(api(), 'drop function crash cascade')
    const [{ id }] = await listOrders()
    expect(created).toMatchObject({ status: 303, location: `/dashboard/orders/${id}?done=orders.new` })
    expect((await call('GET', '/customers')).data[0].addresses).toEqual([])
  })

  test('the form shows the delivery prices of the carriers before the order exists, and a button uses one as the shipping price', async () => {
    const tenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token, id: tokenId } = await mintToken(api().context, tenant, {})
    await setPickup(api(), { ...shop, tenant, merchantId: shop.testMerchantId, token, tokenId })
    const { variantId } = await stockVariant(api(), shop.testMerchantId)
    await selectTestMode(member)
    const incomplete = await submit(await member.get(path), {}, 'prices')
    expect(textOf(incomplete.text)).toContain('Enter the items and the address first.')
    const address = { line1: '12 Admiralty Way', area: 'Lekki Phase 1', state: 'Lagos' }
    const fields = { ...buyer, ...address, [`quantity-${variantId}`]: '2' }
    const offered = await submit(await member.get(path), fields, 'prices')
    expect(textOf(offered.text)).toContain('Prices of the carriers for a weight of 1000 g.')
    const [, price = ''] = /name="useShipping" value="(\d+\.\d\d)"/.exec(offered.text) ?? []
    expect(Number(price)).toBeGreaterThan(0)
    const { intent: _, ...values } = formValuesOf(offered.text, path)
    const used = await member.post(path, { ...values, useShipping: price })
    expect(formValuesOf(used.text, path)).toMatchObject({ shipping: price, line1: '12 Admiralty Way' })
    expect((await api().send('GET', '/api/v1/orders', { token })).body.data).toEqual([])
  })

  test('a removed item and an item with the quantity 0 are not part of the order, and the other values stay', async () => {
    const cap = await stockVariant(api(), shop.merchantId)
    const scarf = await stockVariant(api(), shop.merchantId)
    const all = await previewed({ [quantityOf(cap)]: '1', [quantityOf(scarf)]: '1', line1: '5 Allen Avenue' })
    expect(textOf(all.text)).toContain('Total ₦45,000.00')
    const fewer = await submit(all, { [quantityOf(cap)]: '0', remove: scarf.variantId })
    expect(textOf(fewer.text)).toContain('Total ₦15,000.00')
    const values = formValuesOf(fewer.text, path)
    expect(values).toMatchObject({ ...buyer, line1: '5 Allen Avenue', [quantityOf(dress)]: '1', shownTotal: '1500000' })
    expect(Object.keys(values).filter((name) => name.startsWith('quantity-'))).toEqual([quantityOf(dress)])
  })

  test('when a member chooses another customer, the form no longer contains the address of the previous customer', async () => {
    const address = { line1: '12 Admiralty Way', state: 'Lagos' }
    const customer = await call('POST', '/customers', { ...buyer, addresses: [address] })
    const chosen = await submit(await member.get(path), { customerId: customer.id, [quantityOf(dress)]: '1' })
    expect(formValuesOf(chosen.text, path)).toMatchObject({ customerId: customer.id, line1: '12 Admiralty Way' })
    const changed = await submit(chosen, { changeCustomer: 'yes' })
    const values = formValuesOf(changed.text, path)
    expect(values).toMatchObject({ line1: '', name: '', [quantityOf(dress)]: '1' })
    expect(values.customerId).toBeUndefined()
  })

  test('an emptied address of a customer stays empty, so that the customer collects the order', async () => {
    const addresses = [{ line1: '12 Admiralty Way', city: 'Lagos', latitude: 6.4474, longitude: 3.4723 }]
    const { id: customerId } = await call('POST', '/customers', { ...buyer, addresses })
    const chosen = await submit(await member.get(path), { customerId, [quantityOf(dress)]: '1' })
    const emptied = await submit(chosen, { line1: '', city: '', state: '' })
    await submit(emptied, {}, 'create')
    await submit(chosen, {}, 'create')
    const orders = await listOrders()
    const shipped = await Promise.all(orders.map(({ id }: { id: string }) => call('GET', `/orders/${id}`)))
    const latitudes = new Set(shipped.map(({ shippingAddress }) => shippingAddress?.latitude))
    expect(latitudes).toEqual(new Set([undefined, 6.4474]))
  })
})

describe('the total of a new order', () => {
  test('an order without a previewed total is previewed instead of created', async () => {
    const page = await submit(await member.get(path), { ...buyer, [quantityOf(dress)]: '1' }, 'create')
    expect([page.status, textOf(page.text).includes('Nothing was created yet')]).toEqual([200, true])
    expect(await listOrders()).toEqual([])
  })

  test('a price that changed after the preview is shown before the order is created', async () => {
    const preview = await previewed()
    await call('PATCH', `/products/${dress.productId}/variants/${dress.variantId}`, { priceKobo: 1_600_000 })
    const refused = await submit(preview, {}, 'create')
    expect(refused.status).toBe(422)
    expect(textOf(refused.text)).toContain('The total is now ₦16,000.00 instead of ₦15,000.00.')
    expect(await listOrders()).toEqual([])
    expect((await submit(refused, {}, 'create')).status).toBe(303)
    expect(await listOrders()).toMatchObject([{ totalKobo: 1_600_000 }])
  })

  test('when two members sell the last unit, one creates the order and the other sees that no unit is available', async () => {
    const last = await stockVariant(api(), shop.merchantId, { onHand: 1 })
    const fields = { [quantityOf(dress)]: '0', [quantityOf(last)]: '1' }
    const [one, other] = await Promise.all([previewed(fields), previewed(fields)])
    const replies = await Promise.all([submit(one, {}, 'create'), submit(other, {}, 'create')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 422])
    const refused = replies.find(({ status }) => status === 422)
    expect(refused?.text).toContain(`id="p-${quantityOf(last)}" role="alert">No units are available.`)
    expect(formValuesOf(refused?.text ?? '', path)).toMatchObject({ ...buyer, [quantityOf(last)]: '1' })
    expect(await listOrders()).toHaveLength(1)
  })

  test('a form that is submitted twice at once creates one order', async () => {
    const preview = await previewed()
    const replies = await Promise.all([submit(preview, {}, 'create'), submit(preview, {}, 'create')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await listOrders()).toHaveLength(1)
  })
})

describe('the payment link of a new order', () => {
  const connect = () =>
    connectProvider({ ...api().context, vault, isProduction: true }, operator, shop.tenant, {
      ...{ provider: paystack, secretKey: 'sk_live_local' },
    })

  test('an order is created with its payment link, which the next page shows to copy and to send by WhatsApp', async () => {
    await connect()
    const created = await submit(await previewed(), {}, 'create-link')
    const [{ id, number }] = await listOrders()
    expect(created.location).toBe(`/dashboard/orders/${id}/payment-link?done=orders.new`)
    const { text } = await member.get(`/dashboard/orders/${id}/payment-link`)
    const { url } = await call('GET', `/orders/${id}/payment-link`)
    expect(text).toContain(`<code data-copy>${url}</code>`)
    const query = new URLSearchParams({ text: `Pay for your order ${number}: ${url}` })
    expect(text).toContain(`href="https://wa.me/2348031234567?${query}"`)
  })

  test('if a payment link is refused, its order is created only once, and the page states the reason for the missing link', async () => {
    const preview = await previewed()
    const created = await submit(preview, {}, 'create-link')
    expect([created.status, created.text.includes('has not connected a payment provider')]).toEqual([200, true])
    expect((await submit(preview, {}, 'create-link')).status).toBe(409)
    const orders = await listOrders()
    expect(orders).toHaveLength(1)
    expect(created.text).toContain(`href="/dashboard/orders/${orders[0].id}/payment-link"`)
  })
})

type Invalid = readonly [
  name: string,
  fieldsOf: () => Readonly<Record<string, string>>,
  fieldOf: () => string,
  message: string,
]

describe('invalid values of a new order', () => {
  test.for<Invalid>([
    ['a quantity that is no number', () => ({ [quantityOf(dress)]: 'two' }), () => quantityOf(dress), 'whole number'],
    ['a fraction as the quantity', () => ({ [quantityOf(dress)]: '1.5' }), () => quantityOf(dress), 'whole number'],
    ['a negative quantity', () => ({ [quantityOf(dress)]: '-1' }), () => quantityOf(dress), 'whole number'],
    ['a quantity above the maximum', () => ({ [quantityOf(dress)]: '1001' }), () => quantityOf(dress), 'at most 1000'],
    ['more units than are available', () => ({ [quantityOf(dress)]: '6' }), () => quantityOf(dress), 'Only 5 units'],
    ['an unknown discount code', () => ({ discountCodes: 'NOPE' }), () => 'discountCodes', 'NOPE: no discount has'],
    ['a shipping price that is no amount', () => ({ shipping: '-5' }), () => 'shipping', 'amount in naira'],
    ['a foreign phone number', () => ({ phone: '+44 20 7946 0958' }), () => 'phone', 'Nigerian phone number'],
    ['an invalid e-mail address', () => ({ email: 'adaeze' }), () => 'email', 'email address'],
    ['an address without a street', () => ({ area: 'Yaba' }), () => 'line1', 'Fill in this field'],
    ['a city of another state', () => ({ line1: '1 Main St', city: 'Kano', state: 'Lagos' }), () => 'state', 'Kano'],
  ])('%s shows the problem at its field, and all values stay', async ([, fieldsOf, fieldOf, message]) => {
    const preview = await previewed()
    const fields = fieldsOf()
    await expectNoChangeOf(api(), async () => {
      for (const intent of ['preview', 'create']) {
        const refused = await submit(preview, fields, intent)
        expect(refused.status, intent).toBe(422)
        const [, shown = ''] = refused.text.split(`id="p-${fieldOf()}"`)
        expect(shown.split('</p>')[0]).toContain(message)
        expect(refused.text).toContain(`href="#f-${fieldOf()}"`)
        expect(formValuesOf(refused.text, path)).toMatchObject(fields)
      }
    })
  })

  test('the total of a new order needs no customer, but the order does', async () => {
    const noCustomer = { name: '', email: '', phone: '' }
    const preview = await previewed(noCustomer)
    expect(textOf(preview.text)).toContain('Total ₦15,000.00')
    for (const [name, shown] of [
      ['email', { name: 'Adaeze', phone: '0803 123 4567' }],
      ['name', { email: 'adaeze@example.com' }],
    ] as const) {
      const again = await submit(preview, { ...noCustomer, ...shown }, 'preview')
      expect([again.status, textOf(again.text).includes('Total ₦15,000.00')]).toEqual([200, true])
      const refused = await submit(preview, { ...noCustomer, ...shown }, 'create')
      expect([refused.status, refused.text.includes(`id="p-${name}"`)]).toEqual([422, true])
    }
    const refused = await submit(preview, noCustomer, 'create')
    expect(refused.text).toContain('Choose a customer, or enter a new one.')
    expect(await listOrders()).toEqual([])
  })

  test('a discount code that ended since the preview is named, and the order is not created', async () => {
    const { id, code } = await discount(api(), shop)
    const preview = await previewed({ discountCodes: code.toLowerCase() })
    expect(textOf(preview.text)).toContain('Total ₦13,500.00')
    await call('POST', `/discounts/${id}/archive`)
    const refused = await submit(preview, {}, 'create')
    expect([refused.status, refused.text.includes('id="p-discountCodes"')]).toEqual([422, true])
    expect(await listOrders()).toEqual([])
  })

  test('a product that was archived since the preview shows a problem at its row', async () => {
    const preview = await previewed()
    await call('PATCH', `/products/${dress.productId}`, { status: 'archived' })
    const refused = await submit(preview, {}, 'create')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(`id="p-${quantityOf(dress)}" role="alert">This product is not for sale.`)
  })

  test('a product and a customer of another merchant are refused as unknown', async () => {
    const other = await openShop(api().context)
    const foreign = await stockVariant(api(), other.merchantId)
    const customer = await api().send('POST', '/api/v1/customers', { token: other.token, body: buyer })
    const item = await previewed({ [quantityOf(foreign)]: '1' })
    expect([item.status, item.text.includes('This product does not exist.')]).toEqual([422, true])
    const fields = { customerId: customer.body.id, [quantityOf(dress)]: '1' }
    const page = await submit(await member.get(path), fields)
    expect([page.status, page.text.includes('This customer does not exist.')]).toEqual([422, true])
    expect((await submit(await previewed(), { [quantityOf(foreign)]: '1' }, 'create')).status).toBe(422)
    expect(await listOrders()).toEqual([])
  })

  test('an invalid id of a customer is refused as invalid, and not as an unknown customer', async () => {
    const page = await submit(await member.get(path), { customerId: 'cus_x', [quantityOf(dress)]: '1' })
    expect([page.status, page.text.includes('id="p-findCustomer"')]).toEqual([422, true])
    expect(page.text).not.toContain('This customer does not exist')
  })

  test('an order has at most 100 items', async () => {
    const stocked = await Promise.all(Array.from({ length: 100 }, () => stockVariant(api(), shop.merchantId)))
    const items = Object.fromEntries(stocked.map((each) => [quantityOf(each), '1']))
    const tooMany = await previewed(items)
    expect([tooMany.status, tooMany.text.includes('at most 100 items')]).toEqual([422, true])
    const full = await submit(tooMany, { remove: dress.variantId })
    expect(textOf(full.text)).toContain('Total ₦1,500,000.00')
    expect((await submit(full, {}, 'create')).status).toBe(303)
  })

  test('a search text of one letter shows the problem at its field', async () => {
    const page = await submit(await member.get(path), { findItems: 'a', findCustomer: 'b' })
    expect(page.status).toBe(422)
    for (const field of ['findItems', 'findCustomer'])
      expect(page.text).toMatch(new RegExp(`id="p-${field}" role="alert">Must have at least 2 characters`))
  })

  test('a form without items and without a customer shows both problems', async () => {
    const page = await submit(await member.get(path), { shownTotal: '0' }, 'create')
    expect(page.status).toBe(422)
    expect(page.text).toMatch(/Add an item[\s\S]*Choose a customer/)
  })

  test('a text with markup and 300 characters is shown as text', async () => {
    const name = `<b>"&${'أ'.repeat(300)}`
    const page = await previewed({ name })
    expect(page.status).toBe(422)
    expect(page.text).not.toContain('<b>"')
    expect(formValuesOf(page.text, path)).toMatchObject({ name })
  })
})

test('a viewer cannot open or submit the form of a new order', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  expect((await viewer.get(path)).status).toBe(403)
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec((await viewer.get('/dashboard')).text)?.groups ?? {}
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', ...buyer, [quantityOf(dress)]: '1' }
  expect((await viewer.post(path, form)).status).toBe(403)
  expect(await listOrders()).toEqual([])
})
