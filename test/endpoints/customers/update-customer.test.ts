import { describe, expect, test } from 'vitest'
import { newAddressId, newCustomerId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customersPath, orderOf, readCustomer } from '../../support/commerce/customer.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

interface Opened {
  readonly api: TestApi
  readonly shop: Shop
  readonly customer: ReplyBody
  change(body: object, headers?: Readonly<Record<string, string>>): Promise<Reply>
}

async function open(more: object = {}): Promise<Opened> {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop, more)
  api.clock.advance(1000)
  const path = `${customersPath}/${customer.id}`
  const change = (body: object, headers = {}) => api.send('PATCH', path, { token: shop.token, body, headers })
  return { api, shop, customer, change }
}

describe('200 responses of updateCustomer', () => {
  test('updateCustomer changes the fields that are sent, keeps the other fields and raises the version', async () => {
    const { api, shop, customer, change } = await open({ phone: '+2348031234567', note: 'First.', tags: ['a'] })
    const reply = await change({ name: 'Ngozi Eze', tags: ['b', 'c'], metadata: { tier: 'gold' } })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('etag')).toMatch(/^"v2-/)
    expect(reply.body).toEqual({
      ...customer,
      name: 'Ngozi Eze',
      tags: ['b', 'c'],
      metadata: { tier: 'gold' },
      version: 2,
      updatedAt: new Date(api.clock.nowMs()).toISOString(),
    })
    expect(await readCustomer(api, shop, customer.id)).toEqual(reply.body)
  })

  test('updateCustomer clears optional fields sent as null', async () => {
    const { change } = await open({ phone: '+2348031234567', note: 'First.', externalReference: 'crm-1' })
    const { body } = await change({ phone: null, note: null, externalReference: null })
    expect(body).toMatchObject({ phone: null, note: null, externalReference: null, version: 2 })
  })

  test.for<[string, object]>([
    ['nothing', {}],
    [
      'sent the current values',
      { phone: '+2348031234567', metadata: { bb: '1', a: '2' }, marketing: { sms: { granted: true } } },
    ],
  ])('updateCustomer changes nothing when the request changes %s', async ([, body]) => {
    const { api, customer, change } = await open({
      phone: '+2348031234567',
      metadata: { a: '2', bb: '1' },
      marketing: { sms: { granted: true } },
    })
    const before = await select(api, 'select to_jsonb(customers) as row from customers')
    expect((await change(body)).body).toEqual(customer)
    expect(await select(api, 'select to_jsonb(customers) as row from customers')).toEqual(before)
  })

  test('updateCustomer records when a consent was given and when it was withdrawn', async () => {
    const { api, customer, change } = await open({ marketing: { email: { granted: true } } })
    const { body } = await change({ marketing: { email: { granted: false }, whatsapp: { granted: true } } })
    const now = new Date(api.clock.nowMs()).toISOString()
    expect(customer.marketing.email).toEqual({ granted: true, at: customer.createdAt })
    expect(body.marketing).toEqual({
      email: { granted: false, at: now },
      sms: { granted: false, at: null },
      whatsapp: { granted: true, at: now },
    })
  })

  test('updateCustomer can make another address the default', async () => {
    const { customer, change } = await open({ addresses: [{ line1: 'a' }, { line1: 'b' }] })
    const [first, second] = customer.addresses
    const { body } = await change({ defaultAddressId: second.id })
    expect(body).toMatchObject({
      defaultAddressId: second.id,
      addresses: [
        { id: first.id, isDefault: false },
        { id: second.id, isDefault: true },
      ],
    })
  })

  test('updateCustomer changes the case of an e-mail address', async () => {
    const { change } = await open({ email: 'case@example.com' })
    expect((await change({ email: 'Case@Example.com' })).body).toMatchObject({ email: 'Case@Example.com', version: 2 })
  })

  test('updateCustomer does not change the customer’s name on existing orders', async () => {
    const { api, shop, customer, change } = await open()
    const order = await orderOf(api, shop, customer.id)
    await change({ name: 'Ngozi Eze', email: 'ngozi.eze@example.com' })
    const read = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
    expect(read.body.customer).toEqual(order.customer)
  })

  test('the audit log lists the fields that updateCustomer changed, without their values', async () => {
    const { api, shop, change } = await open({ phone: '+2348031234567' })
    await change({ name: 'Ngozi Eze', phone: null, note: 'New.', marketing: { sms: { granted: true } } })
    const rows = await auditRows(api, shop.merchantId)
    expect(rows.at(-1)).toMatchObject({ action: 'customer.update' })
    expect(rows.at(-1)?.changes).toEqual({
      name: ['[redacted]', '[redacted]'],
      phone: ['[redacted]', null],
      note: [null, '[redacted]'],
      marketing: [
        { email: false, sms: false, whatsapp: false },
        { email: false, sms: true, whatsapp: false },
      ],
    })
  })
})

describe('412 version_conflict', () => {
  test('updateCustomer returns 412 version_conflict to nine of ten concurrent updates with the same If-Match', async () => {
    const { customer, change, api, shop } = await open()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => change({ name: `Name ${index}` }, { 'If-Match': '"v1"' })),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 200) answers('updateCustomer', 'version_conflict', reply)
    expect((await readCustomer(api, shop, customer.id)).version).toBe(2)
  })

  test('ten concurrent updates of a customer without If-Match are all applied', async () => {
    const { customer, change, api, shop } = await open()
    await Promise.all(Array.from({ length: 10 }, (_, index) => change({ metadata: { turn: `${index}` } })))
    expect((await readCustomer(api, shop, customer.id)).version).toBe(11)
  })
})

describe('400 validation_failed', () => {
  test.for<[string, object, string]>([
    ['a name of null', { name: null }, 'name'],
    ['an e-mail address of null', { email: null }, 'email'],
    ['an unassigned phone prefix', { phone: '+2341111111111' }, 'phone'],
    ['addresses, which have their own operations', { addresses: [] }, 'addresses'],
    ['a default address of null', { defaultAddressId: null }, 'defaultAddressId'],
    ['a status', { status: 'anonymised' }, 'status'],
    ['a version', { version: 1 }, 'version'],
  ])('updateCustomer returns 400 validation_failed for a body with %s', async ([, body, field]) => {
    const { change } = await open()
    const reply = await change(body)
    answers('updateCustomer', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: `body.${field}` }])
  })
})

describe('404 responses of updateCustomer', () => {
  test('updateCustomer returns 404 customer_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    const path = `${customersPath}/${newCustomerId(0)}`
    const reply = await api.send('PATCH', path, { token: shop.token, body: { name: 'A' } })
    answers('updateCustomer', 'customer_not_found', reply)
  })

  test('updateCustomer returns 404 address_not_found for an address of another customer', async () => {
    const { api, shop, change } = await open()
    const other = await createdCustomer(api, shop, { addresses: [{ line1: 'theirs' }] })
    const before = await contentsOf(api)
    for (const defaultAddressId of [newAddressId(0), other.defaultAddressId]) {
      answers('updateCustomer', 'address_not_found', await change({ defaultAddressId }))
    }
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 responses of updateCustomer', () => {
  test('updateCustomer returns 409 customer_exists when another customer has the e-mail address', async () => {
    const { api, shop, change } = await open()
    const other = await createdCustomer(api, shop, { email: 'taken@example.com' })
    const before = await contentsOf(api)
    const reply = await change({ email: 'TAKEN@example.com' })
    answers('updateCustomer', 'customer_exists', reply)
    expect(reply.body.error.details).toEqual({ existingId: other.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updateCustomer returns 409 customer_exists to one of two concurrent requests that set the same e-mail address', async () => {
    const { api, shop, customer, change } = await open()
    const other = await createdCustomer(api, shop)
    const body = { email: 'wanted@example.com' }
    const replies = await Promise.all([
      change(body),
      api.send('PATCH', `${customersPath}/${other.id}`, { token: shop.token, body }),
    ])
    const [winner, ...more] = replies.filter((reply) => reply.status === 200)
    expect(more).toEqual([])
    const [loser] = replies.filter((reply) => reply !== winner)
    if (loser === undefined) throw new Error('One of the two requests is rejected.')
    answers('updateCustomer', 'customer_exists', loser)
    expect([customer.id, other.id]).toContain(loser.body.error.details.existingId)
  })

  test('updateCustomer returns 409 external_reference_in_use when another customer has the external reference', async () => {
    const { api, shop, change } = await open()
    const other = await createdCustomer(api, shop, { externalReference: 'crm-1' })
    const reply = await change({ externalReference: 'crm-1' })
    answers('updateCustomer', 'external_reference_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: other.id })
  })

  test('updateCustomer returns 409 customer_anonymised for an anonymised customer', async () => {
    const { api, shop, customer, change } = await open()
    await api.send('POST', `${customersPath}/${customer.id}/anonymise`, { token: shop.token })
    const before = await contentsOf(api)
    answers('updateCustomer', 'customer_anonymised', await change({ name: 'Adaeze Okafor' }))
    expect(await contentsOf(api)).toEqual(before)
  })
})
