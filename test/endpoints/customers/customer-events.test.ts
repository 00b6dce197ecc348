import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { addAddress, createdCustomer, customersPath } from '../../support/commerce/customer.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

/** The event `customer.updated`. */

const started = useApi()

async function made() {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop)
  const path = `${customersPath}/${customer.id}`
  const send = async (method: string, rest: string, body?: object) => {
    const reply = await api.send(method, `${path}${rest}`, {
      token: shop.token,
      ...(body === undefined ? {} : { body }),
    })
    expect(reply.status, reply.text).toBe(200)
    api.clock.advance(1)
    return reply.body
  }
  const emitted = async () => (await eventsOf(api, shop.merchantId, 'customer.updated')).map(({ data }) => data)
  return { api, shop, customer, send, emitted }
}

test('each change of a customer and of the saved addresses emits one event with the changed fields and the new version', async () => {
  const { api, shop, customer, send, emitted } = await made()
  expect(await emitted()).toEqual([])
  await send('PATCH', '', { name: 'Bisi Adewale', tags: ['vip'] })
  const address = (await addAddress(api, shop, customer.id)).body
  api.clock.advance(1)
  await send('PATCH', `/addresses/${address.id}`, { line1: '9 Allen Avenue' })
  await send('DELETE', `/addresses/${address.id}`)
  const events = await emitted()
  expect(events).toEqual([
    { customerId: customer.id, changes: ['name', 'tags'], version: 2, occurredAt: expect.any(String) },
    expect.objectContaining({ changes: ['addresses', 'defaultAddressId'], version: 3 }),
    expect.objectContaining({ changes: ['addresses'], version: 4 }),
    expect.objectContaining({ changes: ['addresses', 'defaultAddressId'], version: 5 }),
  ])
  expect(JSON.stringify(events)).not.toContain('Bisi')
})

test('the anonymisation and the deletion of a customer each emit one event without personal data', async () => {
  const { customer, send, emitted } = await made()
  await send('POST', '/anonymise')
  await send('DELETE', '')
  const [anonymised, deleted] = await emitted()
  expect(anonymised).toMatchObject({ changes: expect.arrayContaining(['name', 'email', 'status']), version: 2 })
  expect(deleted).toMatchObject({ customerId: customer.id, changes: ['deleted'], version: 3 })
})

test('a request that changes nothing emits no event customer.updated', async () => {
  const { customer, send, emitted } = await made()
  await send('PATCH', '', { name: customer.name })
  expect(await emitted()).toEqual([])
})
