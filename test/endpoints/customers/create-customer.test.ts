import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customerBody, customersPath, readCustomer } from '../../support/commerce/customer.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

async function open(): Promise<{ api: TestApi; shop: Shop; create: (body: object) => Promise<Reply> }> {
  const api = started()
  const shop = await openShop(api.context)
  return { api, shop, create: (body) => api.send('POST', customersPath, { token: shop.token, body }) }
}

describe('201 responses of createCustomer', () => {
  test('createCustomer requires only a name and an e-mail address', async () => {
    const { api, shop, create } = await open()
    const reply = await create({ name: 'Adaeze Okafor', email: 'Adaeze@Example.com' })
    const now = new Date(api.clock.nowMs()).toISOString()
    const never = { granted: false, at: null }
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`${customersPath}/${reply.body.id}`)
    expect(reply.headers.get('etag')).toMatch(/^"v1-/)
    expect(reply.body).toEqual({
      id: reply.body.id,
      name: 'Adaeze Okafor',
      email: 'Adaeze@Example.com',
      phone: null,
      addresses: [],
      defaultAddressId: null,
      tags: [],
      note: null,
      marketing: { email: never, sms: never, whatsapp: never },
      ordersCount: 0,
      totalSpentKobo: 0,
      lastOrderAt: null,
      externalReference: null,
      status: 'active',
      metadata: {},
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    expect(await readCustomer(api, shop, reply.body.id)).toEqual(reply.body)
  })

  test('createCustomer returns every field as it was sent', async () => {
    const { api, shop, create } = await open()
    const reply = await create(
      customerBody(api, {
        phone: '+2348031234567',
        addresses: [
          {
            recipientName: 'Ngozi Eze',
            phone: '+2347012345678',
            line1: '12 Admiralty Way',
            line2: 'Flat 4B',
            landmark: 'Opposite Ebeano',
            area: 'Lekki Phase 1',
            city: 'Lekki',
            state: 'Lagos',
            country: 'NG',
            postalCode: '106104',
            instructions: 'Call first.',
            latitude: 6.4474,
            longitude: 3.4723,
          },
          { line1: '3 Aba Road', state: 'Rivers' },
        ],
        tags: ['wholesale'],
        note: 'Pays on Fridays.',
        marketing: { email: { granted: true }, sms: { granted: true, at: '2026-01-02T03:04:05+01:00' } },
        externalReference: 'crm-1',
        metadata: { source: 'import' },
      }),
    )
    expect(reply.status, reply.text).toBe(201)
    const [first, second] = reply.body.addresses
    expect(first).toMatchObject({ isDefault: true, area: 'Lekki Phase 1', latitude: 6.4474, longitude: 3.4723 })
    expect(second).toMatchObject({ isDefault: false, line1: '3 Aba Road', city: 'Rivers', state: 'Rivers' })
    expect(reply.body).toMatchObject({
      defaultAddressId: first.id,
      tags: ['wholesale'],
      note: 'Pays on Fridays.',
      marketing: {
        email: { granted: true, at: reply.body.createdAt },
        sms: { granted: true, at: '2026-01-02T02:04:05.000Z' },
        whatsapp: { granted: false, at: null },
      },
      externalReference: 'crm-1',
      metadata: { source: 'import' },
      version: 1,
    })
    expect(await readCustomer(api, shop, reply.body.id)).toEqual(reply.body)
  })

  test('createCustomer defaults the state of an address to the merchant’s state, and the city to the state’s main city', async () => {
    const { api, shop, create } = await open()
    const places = async () => {
      const { body } = await create(customerBody(api, { addresses: [{ line1: 'x' }, { line1: 'y', state: 'FCT' }] }))
      return body.addresses.map(({ city, state }: { city: string; state: string }) => `${city}, ${state}`)
    }
    expect(await places()).toEqual(['Lagos, Lagos', 'Abuja, FCT'])
    await select(api, "update merchants set default_state = 'FCT' where id = $1", [shop.merchantId])
    expect(await places()).toEqual(['Abuja, FCT', 'Abuja, FCT'])
  })

  test('createCustomer allows several customers with the same phone number', async () => {
    const { api, create } = await open()
    const phone = '+2348031234567'
    expect((await create(customerBody(api, { phone }))).status).toBe(201)
    expect((await create(customerBody(api, { phone }))).status).toBe(201)
  })

  test('createCustomer accepts an e-mail address and an external reference that a customer of another merchant has', async () => {
    const first = await open()
    const second = await open()
    const body = { name: 'Adaeze', email: 'both@example.com', externalReference: 'same' }
    expect((await first.create(body)).status).toBe(201)
    expect((await second.create(body)).status).toBe(201)
  })

  test('the audit log lists the fields of a new customer, without their values', async () => {
    const { api, shop, create } = await open()
    const { body } = await create({
      name: 'Zuwena Ityavyar',
      email: 'zuwena@example.com',
      phone: '+2348031234567',
      note: 'Sister of Terna.',
      addresses: [{ line1: '9 Wurukum Close' }],
      marketing: { sms: { granted: true } },
    })
    const [row] = await auditRows(api, shop.merchantId)
    expect(row?.changes).toEqual({
      name: [null, '[redacted]'],
      email: [null, '[redacted]'],
      phone: [null, '[redacted]'],
      note: [null, '[redacted]'],
      addresses: [null, '[redacted]'],
      tags: [null, '[redacted]'],
      metadata: [null, '[redacted]'],
      status: [null, 'active'],
      defaultAddressId: [null, body.defaultAddressId],
      marketing: [null, { email: false, sms: true, whatsapp: false }],
    })
  })
})

describe('400 validation_failed', () => {
  const address = (more: object) => ({ addresses: [{ line1: '12 Admiralty Way', ...more }] })

  test.for<[string, object, string, string]>([
    ['no name', { name: undefined }, 'name', 'required'],
    ['an empty name', { name: '' }, 'name', 'too_short'],
    ['a long name', { name: 'x'.repeat(121) }, 'name', 'too_long'],
    ['no e-mail address', { email: undefined }, 'email', 'required'],
    ['an invalid e-mail address', { email: 'adaeze' }, 'email', 'invalid_format'],
    ['white space around an e-mail address', { email: ' a@example.com' }, 'email', 'invalid_format'],
    ['a phone with letters', { phone: '0803 ADIRE 67' }, 'phone', 'invalid_format'],
    ['two phones', { phone: '08031234567 08031234567' }, 'phone', 'invalid_format'],
    ['a phone of another country', { phone: '+447911123456' }, 'phone', 'invalid_format'],
    ['a phone without a digit', { phone: '+234803123456' }, 'phone', 'invalid_format'],
    ['an unassigned phone prefix', { phone: '+2341111111111' }, 'phone', 'invalid_format'],
    ['a phone of null', { phone: null }, 'phone', 'invalid_type'],
    ['21 labels', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags', 'too_long'],
    ['a long note', { note: 'x'.repeat(1001) }, 'note', 'too_long'],
    ['an unknown channel', { marketing: { fax: { granted: true } } }, 'marketing.fax', 'unknown_field'],
    ['a consent without a value', { marketing: { sms: {} } }, 'marketing.sms.granted', 'required'],
    ['a status', { status: 'active' }, 'status', 'unknown_field'],
    ['order statistics', { totalSpentKobo: 5 }, 'totalSpentKobo', 'unknown_field'],
    ['21 addresses', { addresses: Array.from({ length: 21 }, () => ({ line1: 'x' })) }, 'addresses', 'too_long'],
    ['an address without a street', { addresses: [{ city: 'Lekki' }] }, 'addresses[0].line1', 'required'],
    ['an unknown state', address({ state: 'Accra' }), 'addresses[0].state', 'invalid_enum_value'],
    ['a state in lower case', address({ state: 'lagos' }), 'addresses[0].state', 'invalid_enum_value'],
    ['another country', address({ country: 'GH' }), 'addresses[0].country', 'invalid_enum_value'],
    [
      'a recipient with an unassigned phone prefix',
      address({ phone: '+2341111111111' }),
      'addresses[0].phone',
      'invalid_format',
    ],
    ['a place south of Nigeria', address({ latitude: 3.9, longitude: 7 }), 'addresses[0].latitude', 'too_small'],
    ['a place north of it', address({ latitude: 14.6, longitude: 7 }), 'addresses[0].latitude', 'too_big'],
    ['a place west of it', address({ latitude: 6.5, longitude: 2.4 }), 'addresses[0].longitude', 'too_small'],
    ['a place east of it', address({ latitude: 6.5, longitude: 15.1 }), 'addresses[0].longitude', 'too_big'],
    ['a latitude alone', address({ latitude: 6.5 }), 'addresses[0].longitude', 'required'],
    ['a longitude alone', address({ longitude: 3.4 }), 'addresses[0].latitude', 'required'],
    ['coordinates as text', address({ latitude: '6.5', longitude: 3.4 }), 'addresses[0].latitude', 'invalid_type'],
  ])('createCustomer returns 400 validation_failed for a body with %s', async ([, more, field, code]) => {
    const { api, create } = await open()
    const before = await contentsOf(api)
    const reply = await create(customerBody(api, more))
    answers('createCustomer', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: `body.${field}`, code }])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createCustomer returns 400 validation_failed for coordinates in Lagos with latitude and longitude swapped', async () => {
    const { api, create } = await open()
    const reply = await create(customerBody(api, address({ latitude: 3.4, longitude: 6.5 })))
    answers('createCustomer', 'validation_failed', reply)
  })

  test('createCustomer accepts the corners of Nigeria’s bounding box as coordinates', async () => {
    const { api, create } = await open()
    const corners = [
      { latitude: 4, longitude: 2.5 },
      { latitude: 14.5, longitude: 15 },
    ]
    const reply = await create(customerBody(api, { addresses: corners.map((corner) => ({ line1: 'x', ...corner })) }))
    expect(reply.status, reply.text).toBe(201)
  })
})

describe('409 customer_exists', () => {
  test.for([
    'twice@example.com',
    'TWICE@Example.COM',
  ])('createCustomer returns 409 customer_exists with the id of the existing customer for %s', async (email) => {
    const { api, shop, create } = await open()
    const first = await createdCustomer(api, shop, { email: 'twice@example.com' })
    const before = await contentsOf(api)
    const reply = await create(customerBody(api, { email }))
    answers('createCustomer', 'customer_exists', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createCustomer returns 409 customer_exists for a customer that an order created', async () => {
    const { api, shop, create } = await open()
    await placeOrder(api, shop)
    answers('createCustomer', 'customer_exists', await create({ name: 'A', email: 'adaeze.okafor@example.com' }))
  })

  test('ten concurrent createCustomer requests with one e-mail address create one customer', async () => {
    const { api, shop, create } = await open()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create({ name: `Twin ${index}`, email: 'twins@example.com' })),
    )
    const [created, ...more] = replies.filter((reply) => reply.status === 201)
    expect(more).toEqual([])
    for (const reply of replies) {
      if (reply === created) continue
      answers('createCustomer', 'customer_exists', reply)
      expect(reply.body.error.details).toEqual({ existingId: created?.body.id })
    }
    const rows = await select(api, 'select name from customers where merchant_id = $1', [shop.merchantId])
    expect(rows).toEqual([{ name: created?.body.name }])
    expect(await auditRows(api, shop.merchantId)).toHaveLength(1)
  })

  test('createOrder and a concurrent createCustomer with the same e-mail address create one customer', async () => {
    const { api, shop, create } = await open()
    const customer = { name: 'Adaeze', email: 'race@example.com' }
    const [created, order] = await Promise.all([create(customer), placeOrder(api, shop, { body: { customer } })])
    if (created.status !== 201) answers('createCustomer', 'customer_exists', created)
    const rows = await select(api, 'select id from customers where merchant_id = $1', [shop.merchantId])
    const read = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
    expect(rows).toEqual([{ id: read.body.customer.id }])
  })
})

describe('409 external_reference_in_use', () => {
  test('createCustomer returns 409 external_reference_in_use with the id of the customer who has the reference', async () => {
    const { api, shop, create } = await open()
    const first = await createdCustomer(api, shop, { externalReference: 'crm-1' })
    const before = await contentsOf(api)
    const reply = await create(customerBody(api, { externalReference: 'crm-1' }))
    answers('createCustomer', 'external_reference_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('ten concurrent createCustomer requests with one external reference create one customer', async () => {
    const { api, create } = await open()
    const bodies = Array.from({ length: 10 }, () => customerBody(api, { externalReference: 'crm-2' }))
    const replies = await Promise.all(bodies.map(create))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies) {
      if (reply.status !== 201) answers('createCustomer', 'external_reference_in_use', reply)
    }
  })
})
