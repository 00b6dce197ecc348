import { describe, expect, test } from 'vitest'
import { newAddressId, newCustomerId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { addAddress, createdCustomer, customersPath, readCustomer } from '../../support/commerce/customer.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

interface Opened {
  readonly api: TestApi
  readonly shop: Shop
  readonly customer: ReplyBody
  add(more?: object): Promise<Reply>
  change(addressId: string, body: object): Promise<Reply>
  remove(addressId: string): Promise<Reply>
  read(): Promise<ReplyBody>
}

async function open(...streets: string[]): Promise<Opened> {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop, { addresses: streets.map((line1) => ({ line1 })) })
  const path = (addressId: string) => `${customersPath}/${customer.id}/addresses/${addressId}`
  return {
    api,
    shop,
    customer,
    add: (more) => addAddress(api, shop, customer.id, more),
    change: (addressId, body) => api.send('PATCH', path(addressId), { token: shop.token, body }),
    remove: (addressId) => api.send('DELETE', path(addressId), { token: shop.token }),
    read: () => readCustomer(api, shop, customer.id),
  }
}

const streetsOf = ({ addresses }: ReplyBody) =>
  addresses.map(({ line1, isDefault }: { line1: string; isDefault: boolean }) => `${line1}${isDefault ? ' *' : ''}`)

describe('createAddress', () => {
  test('createAddress returns 201 with the stored address and the customer’s new version', async () => {
    const { customer, add, read } = await open()
    const reply = await add({ line1: '5 Gana Street', state: 'FCT', latitude: 9.08, longitude: 7.49 })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`${customersPath}/${customer.id}`)
    expect(reply.headers.get('etag')).toMatch(/^"v2-/)
    const { customerId, version, ...address } = reply.body
    expect({ customerId, version }).toEqual({ customerId: customer.id, version: 2 })
    expect(address).toEqual({
      id: address.id,
      isDefault: true,
      recipientName: null,
      phone: null,
      line1: '5 Gana Street',
      line2: null,
      landmark: null,
      area: null,
      city: 'Abuja',
      state: 'FCT',
      country: 'NG',
      postalCode: null,
      instructions: null,
      latitude: 9.08,
      longitude: 7.49,
    })
    const now = await read()
    expect(now).toMatchObject({ addresses: [address], defaultAddressId: address.id, version: 2 })
    expect(now.updatedAt > customer.updatedAt).toBe(true)
  })

  test('createAddress makes the first address the default, and a later address only when isDefault is true', async () => {
    const { add, read } = await open()
    await add({ line1: 'a' })
    expect((await add({ line1: 'b' })).body.isDefault).toBe(false)
    expect(streetsOf(await read())).toEqual(['a *', 'b'])
    expect((await add({ line1: 'c', isDefault: true })).body.isDefault).toBe(true)
    expect(streetsOf(await read())).toEqual(['a', 'b', 'c *'])
  })

  test('createAddress returns 409 address_limit_reached for the 21st address, even for concurrent requests', async () => {
    const { api, customer, add, read } = await open(...Array.from({ length: 15 }, (_, index) => `${index}`))
    const replies = await Promise.all(Array.from({ length: 10 }, () => add()))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(5)
    const before = await contentsOf(api)
    for (const reply of [...replies.filter(({ status }) => status !== 201), await add()]) {
      answers('createAddress', 'address_limit_reached', reply)
      expect(reply.body.error.details).toEqual({ limit: 20 })
    }
    expect(await contentsOf(api)).toEqual(before)
    expect(await read()).toMatchObject({ version: customer.version + 5 })
  })

  test('createAddress returns 404 customer_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    answers('createAddress', 'customer_not_found', await addAddress(api, shop, newCustomerId(0)))
  })

  test('createAddress returns 409 customer_anonymised for an anonymised customer', async () => {
    const { api, shop, customer, add } = await open('a')
    await api.send('POST', `${customersPath}/${customer.id}/anonymise`, { token: shop.token })
    const before = await contentsOf(api)
    answers('createAddress', 'customer_anonymised', await add())
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for<[string, object, string]>([
    ['no street', { line1: undefined }, 'line1'],
    ['an unknown state', { state: 'Abuja' }, 'state'],
    ['a place in Accra', { latitude: 5.6, longitude: -0.2 }, 'longitude'],
    ['one coordinate', { latitude: 6.5 }, 'longitude'],
    ['an unassigned phone prefix', { phone: '+2341111111111' }, 'phone'],
    ['isDefault: false', { isDefault: false }, 'isDefault'],
    ['an id', { id: newAddressId(0) }, 'id'],
  ])('createAddress returns 400 validation_failed for a body with %s', async ([, more, field]) => {
    const { add } = await open()
    const reply = await add(more)
    answers('createAddress', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: `body.${field}` }])
  })
})

describe('updateAddress', () => {
  test('updateAddress changes the fields that are sent, clears fields sent as null and keeps the others', async () => {
    const { customer, add, change, read } = await open()
    const { body: before } = await add({ line2: 'Flat 4B', landmark: 'x', latitude: 6.5, longitude: 3.4 })
    const place = { latitude: null, longitude: null }
    const reply = await change(before.id, { line2: null, city: 'Ikeja', phone: '+2348031234567', ...place })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ ...before, line2: null, city: 'Ikeja', phone: '+2348031234567', ...place, version: 3 })
    const { customerId, version, ...address } = reply.body
    expect(await read()).toMatchObject({ id: customerId, version, addresses: [address] })
    expect(customerId).toBe(customer.id)
  })

  test.for<[object, string]>([
    [{ city: 'Maitama' }, 'FCT'],
    [{ city: 'Wuse 2' }, 'FCT'],
    [{ city: 'Abuja FCT' }, 'FCT'],
    [{ city: 'Gotham', area: 'Wuse 2' }, 'FCT'],
    [{ city: 'Kano Estate' }, 'Lagos'],
    [{ area: 'Wuse 2' }, 'Lagos'],
  ])('updateAddress with the body %o sets the state of the address to %s', async ([body, state]) => {
    const { add, change } = await open()
    const { body: before } = await add({ city: 'Ikeja' })
    expect((await change(before.id, body)).body.state).toBe(state)
  })

  test('updateAddress keeps the state of an address even if the city is also the name of an area in another state', async () => {
    const { add, change } = await open()
    const { body: before } = await add({ city: 'Yaba', state: 'FCT' })
    expect((await change(before.id, { city: 'Yaba', line2: 'Flat 1' })).body.state).toBe('FCT')
  })

  test('updateAddress moves the default flag to the updated address when isDefault is true', async () => {
    const { customer, change, read } = await open('a', 'b')
    expect((await change(customer.addresses[1].id, { isDefault: true })).body.isDefault).toBe(true)
    expect(streetsOf(await read())).toEqual(['a', 'b *'])
  })

  test.for([
    {},
    { line1: 'a' },
    { isDefault: true },
  ])('updateAddress changes nothing when the body is %o', async (body) => {
    const { api, customer, change } = await open('a')
    const rows = () => select(api, 'select to_jsonb(a) as row from customer_addresses a order by id')
    const before = await rows()
    expect((await change(customer.addresses[0].id, body)).body.version).toBe(1)
    expect(await rows()).toEqual(before)
  })

  test('updateAddress returns 404 address_not_found for an address of another customer', async () => {
    const { api, shop, change } = await open('a')
    const other = await createdCustomer(api, shop, { addresses: [{ line1: 'theirs' }] })
    const before = await contentsOf(api)
    for (const id of [newAddressId(0), other.defaultAddressId]) {
      answers('updateAddress', 'address_not_found', await change(id, { line1: 'mine' }))
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for<[string, object, string]>([
    ['no street', { line1: null }, 'line1'],
    ['no state', { state: null }, 'state'],
    ['one coordinate', { longitude: 3.4 }, 'latitude'],
    ['a latitude without a longitude', { latitude: null, longitude: 3.4 }, 'latitude'],
    ['a removed latitude without the longitude', { latitude: null }, 'longitude'],
    ['a country, which is fixed', { country: 'NG' }, 'country'],
    ['a place outside Nigeria', { latitude: 51.5, longitude: 3.4 }, 'latitude'],
  ])('updateAddress returns 400 validation_failed for a body with %s', async ([, body, field]) => {
    const { customer, change } = await open('a')
    const reply = await change(customer.addresses[0].id, body)
    answers('updateAddress', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: `body.${field}` }])
  })
})

describe('deleteAddress', () => {
  test('deleteAddress makes the oldest remaining address the default when the default address is deleted', async () => {
    const { customer, remove, read } = await open('a', 'b', 'c')
    const [first, second, third] = customer.addresses
    const reply = await remove(first.id)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      id: first.id,
      deleted: true,
      defaultAddressId: second.id,
      customerId: customer.id,
      version: 2,
    })
    expect(streetsOf(await read())).toEqual(['b *', 'c'])
    expect((await remove(third.id)).body).toMatchObject({ defaultAddressId: second.id, version: 3 })
    expect((await remove(second.id)).body).toMatchObject({ defaultAddressId: null, version: 4 })
    expect(await read()).toMatchObject({ addresses: [], defaultAddressId: null, version: 4 })
  })

  test('deleteAddress returns 404 address_not_found for a deleted address and for an address of another customer', async () => {
    const { api, shop, customer, remove } = await open('a')
    const other = await createdCustomer(api, shop, { addresses: [{ line1: 'theirs' }] })
    await remove(customer.addresses[0].id)
    const before = await contentsOf(api)
    for (const id of [customer.addresses[0].id, other.defaultAddressId]) {
      answers('deleteAddress', 'address_not_found', await remove(id))
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('concurrent deleteAddress requests delete each address once, and each returns a different customer version', async () => {
    const { customer, remove, read } = await open('a', 'b', 'c', 'd')
    const replies = await Promise.all(customer.addresses.map(({ id }: { id: string }) => remove(id)))
    expect(replies.map((reply) => reply.body.version).sort()).toEqual([2, 3, 4, 5])
    expect(await read()).toMatchObject({ addresses: [], defaultAddressId: null, version: 5 })
  })
})

test('the audit log contains no part of a customer’s address', async () => {
  const { api, shop, add, change, remove } = await open()
  const { body } = await add({ line1: '9 Wurukum Close', landmark: 'Behind the mill' })
  api.clock.advance(1)
  await change(body.id, { line1: '10 Wurukum Close' })
  api.clock.advance(1)
  await remove(body.id)
  const rows = await auditRows(api, shop.merchantId)
  expect(rows.map((row) => row.action)).toEqual([
    'customer.create',
    'address.create',
    'address.update',
    'address.delete',
  ])
  expect(JSON.stringify(rows)).not.toMatch(/Wurukum|mill/)
})
