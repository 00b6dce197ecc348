import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { setPickup } from '../../support/commerce/return-to-ship.ts'
import { signedIn } from '../../support/dashboard.ts'
import { asOwner } from '../../support/database.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { textOf } from '../../support/page-text.ts'
import { mintToken, stockVariant } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'
import { buyer, openNewOrder, path, quantityOf } from './new-order-form.ts'

const api = useApi()

describe('a new order in the dashboard', () => {
  test('a member finds a product and a customer, sees the total, and creates the order', async () => {
    const { call, dress, listOrders, member, submit } = await openNewOrder(api())
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

  test('a product is found by its SKU and by its barcode, and an archived product is not found', async () => {
    const { call, dress, member, shop, submit } = await openNewOrder(api())
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
    const { call, listOrders, previewed, submit } = await openNewOrder(api())
    const created = await submit(await previewed(), { source: 'dashboard' }, 'create')
    expect(created.status).toBe(303)
    const [{ id }] = await listOrders()
    expect(await call('GET', `/orders/${id}`)).toMatchObject({
      ...{ source: 'dashboard', shippingAddress: null },
      customer: { ...buyer, phone: '+2348031234567' },
    })
  })

  test('the address of a new order is stored once with its customer, unless the member unticks the box for storing it', async () => {
    const { call, listOrders, member, previewed, submit } = await openNewOrder(api())
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
    const { call, listOrders, previewed, submit } = await openNewOrder(api())
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

  test('the form of a new order shows the delivery prices of carriers, and a button copies such a price into the field for the shipping price', async () => {
    const { member, shop, submit } = await openNewOrder(api())
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

  test('a removed item and an item with the quantity 0 are not part of the order, and the form retains all other values', async () => {
    const { dress, previewed, shop, submit } = await openNewOrder(api())
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
    const { call, dress, member, submit } = await openNewOrder(api())
    const address = { line1: '12 Admiralty Way', state: 'Lagos' }
    const customer = await call('POST', '/customers', { ...buyer, addresses: [address] })
    const chosen = await submit(await member.get(path), { customerId: customer.id, [quantityOf(dress)]: '1' })
    expect(formValuesOf(chosen.text, path)).toMatchObject({ customerId: customer.id, line1: '12 Admiralty Way' })
    const changed = await submit(chosen, { changeCustomer: 'yes' })
    const values = formValuesOf(changed.text, path)
    expect(values).toMatchObject({ line1: '', name: '', [quantityOf(dress)]: '1' })
    expect(values.customerId).toBeUndefined()
  })

  test('if the member empties the address of a chosen customer, the order is created without an address', async () => {
    const { call, dress, listOrders, member, submit } = await openNewOrder(api())
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

test('a viewer cannot open or submit the form of a new order', async () => {
  const { dress, listOrders, shop } = await openNewOrder(api())
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  expect((await viewer.get(path)).status).toBe(403)
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec((await viewer.get('/dashboard')).text)?.groups ?? {}
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', ...buyer, [quantityOf(dress)]: '1' }
  expect((await viewer.post(path, form)).status).toBe(403)
  expect(await listOrders()).toEqual([])
})
