import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { order } from '../../support/commerce/order.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const dayMs = 24 * 3_600_000
const open = (settings: Settings = {}) => openShopWith(started(), settings)

describe('201 responses of createOrder', () => {
  test('a new order is pending, unpaid, and expires in 24 hours', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: 1_500_000 })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`${path}/${reply.body.id}`)
    expect(reply.body).toMatchObject({
      status: 'pending',
      paymentStatus: 'unpaid',
      fulfillmentStatus: 'unfulfilled',
      version: 1,
      totalKobo: 1_500_000,
      paidKobo: 0,
      balanceKobo: 1_500_000,
      refundableKobo: 0,
      currency: 'NGN',
      source: 'api',
      expiresAt: new Date(api.clock.nowMs() + dayMs).toISOString(),
      allowedTransitions: ['on_hold', 'processing', 'cancelled'],
    })
    expect(reply.body.number).toMatch(/^ORD-[0-9A-HJKMNP-TV-Z]{8}$/)
  })

  test('an order of a merchant without an order expiry has no expiresAt', async () => {
    const { api, shop } = await open({ pending_order_ttl_minutes: null })
    expect((await order(api, shop)).body.expiresAt).toBeNull()
  })

  test('createOrder emits one order.created event with the order as returned, and no order.status_changed event', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop)
    const events = await eventsOf(api, shop.merchantId, 'order.created')
    expect(events).toMatchObject([{ mode: 'live', data: { order: reply.body } }])
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toEqual([])
  })

  test('an order with a total of 0 is confirmed at once', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: 0 })
    expect(reply.body).toMatchObject({
      status: 'processing',
      paymentStatus: 'paid',
      totalKobo: 0,
      expiresAt: null,
      confirmedAt: reply.body.createdAt,
      paidAt: reply.body.createdAt,
    })
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toEqual([])
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body).toEqual(reply.body)
  })
})

describe('the customer of an order', () => {
  const records = 'select id, name, email, phone from customers where merchant_id = $1'

  test('the customer of a new order is found by e-mail address, ignoring case, and the customer’s stored details do not change', async () => {
    const { api, shop } = await open()
    const first = await order(api, shop, {}, { customer: { name: 'Adaeze', email: 'Adaeze@Example.com' } })
    const second = await order(
      api,
      shop,
      {},
      { customer: { name: 'A. Okafor', email: 'adaeze@example.com', phone: '+2348031234567' } },
    )
    expect(second.body.customer).toEqual({
      id: first.body.customer.id,
      name: 'A. Okafor',
      email: 'adaeze@example.com',
      phone: '+2348031234567',
    })
    expect(await select(api, records, [shop.merchantId])).toEqual([
      { id: first.body.customer.id, name: 'Adaeze', email: 'Adaeze@Example.com', phone: '+2348031234567' },
    ])
  })

  test('an order created with a customerId contains the current details of that customer', async () => {
    const { api, shop } = await open()
    const { customer } = (await order(api, shop)).body
    const second = await order(api, shop, {}, { customer: undefined, customerId: customer.id })
    expect(second.body.customer).toEqual(customer)
  })

  test('the same e-mail address at another merchant belongs to a different customer', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    const first = await order(api, shop)
    const second = await order(api, other)
    expect(second.body.customer.id).not.toBe(first.body.customer.id)
  })

  test('createOrder creates no customer if the order is rejected', async () => {
    const { api, shop } = await open()
    expect((await order(api, shop, { onHand: 0 })).status).toBe(409)
    expect(await select(api, records, [shop.merchantId])).toEqual([])
  })
})

describe('addresses of an order', () => {
  const line1 = '12 Admiralty Way'
  const filled = {
    recipientName: null,
    phone: null,
    line1,
    line2: null,
    landmark: null,
    area: null,
    country: 'NG',
    postalCode: null,
    instructions: null,
    latitude: null,
    longitude: null,
  }

  test.for([
    ['Lagos', {}, { city: 'Lagos', state: 'Lagos' }],
    ['Lagos', { city: 'Lekki' }, { city: 'Lekki', state: 'Lagos' }],
    ['Lagos', { state: 'FCT' }, { city: 'Abuja', state: 'FCT' }],
    ['Lagos', { city: 'Abuja' }, { city: 'Abuja', state: 'FCT' }],
    ['FCT', { city: 'PORT-HARCOURT' }, { city: 'PORT-HARCOURT', state: 'Rivers' }],
    ['Lagos', { area: 'Wuse 2' }, { area: 'Wuse 2', city: 'Abuja', state: 'FCT' }],
    ['FCT', { area: 'Garki' }, { area: 'Garki', city: 'Abuja', state: 'FCT' }],
    ['Lagos', { area: 'Garki' }, { area: 'Garki', city: 'Lagos', state: 'Lagos' }],
    [
      'Lagos',
      { latitude: 9.0765, longitude: 7.4701 },
      { latitude: 9.0765, longitude: 7.4701, city: 'Abuja', state: 'FCT' },
    ],
    ['FCT', {}, { city: 'Abuja', state: 'FCT' }],
    ['FCT', { state: 'Lagos' }, { city: 'Lagos', state: 'Lagos' }],
    ['FCT', { city: 'Gwarinpa' }, { city: 'Gwarinpa', state: 'FCT' }],
  ] as const)('for a merchant in %s, createOrder completes the address fields %o with the merchant’s defaults', async ([
    default_state,
    sent,
    expected,
  ]) => {
    const { api, shop } = await open({ default_state })
    const more = { shippingAddress: { line1, ...sent }, billingAddress: { line1, ...sent } }
    const reply = await order(api, shop, {}, more)
    expect(reply.body.shippingAddress).toEqual({ ...filled, ...expected })
    expect(reply.body.billingAddress).toEqual({ ...filled, ...expected })
  })

  test('the addresses of an order are null when the request has no addresses', async () => {
    const { api, shop } = await open()
    expect((await order(api, shop)).body).toMatchObject({ shippingAddress: null, billingAddress: null })
  })
})
