import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { type ReplyBody, useApi } from '../support/api.ts'
import { createdCustomer, customersPath } from '../support/commerce/customer.ts'
import { openTestShop, post } from '../support/logistics/parcel-run.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../support/shop.ts'

/** Requests accept the forms in which people in Nigeria write a phone number. Responses have the +234 format (spec 1). */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const stored = '+2348031234567'

describe('phone numbers of customers', () => {
  test.for([
    '08031234567',
    '0803 123 4567',
    '0803-123-4567',
    '(0803) 123.4567',
    '8031234567',
    '2348031234567',
    '+2348031234567',
    '+234 803 123 4567',
    '+234 (0) 803 123 4567',
    '002348031234567',
    '00234 803 123 4567',
    '\u202a+234\u00a0803\u2011123\u20114567\u202c',
  ])('a customer’s phone number is stored in the +234 format when it is sent as %s', async (phone) => {
    const api = started()
    const customer = await createdCustomer(api, shop, { phone, addresses: [{ line1: '12 Admiralty Way', phone }] })
    expect([customer.phone, customer.addresses[0].phone]).toEqual([stored, stored])
    const body = { phone: '+2347012345678' }
    await api.send('PATCH', `${customersPath}/${customer.id}`, { token: shop.token, body })
    const changed = await api.send('PATCH', `${customersPath}/${customer.id}`, { token: shop.token, body: { phone } })
    expect(changed.body.phone).toBe(stored)
  })
})

test('the phone numbers of an order and its addresses are stored in the +234 format', async () => {
  const api = started()
  const { variantId } = await stockVariant(api, shop.merchantId)
  const customer = { name: 'Adaeze Okafor', email: 'adaeze@example.com', phone: '0803 123 4567' }
  const body = orderBody(variantId, {
    customer,
    shippingAddress: { line1: '12 Admiralty Way', phone: '2348031234567' },
  })
  const order: ReplyBody = (await api.send('POST', '/api/v1/orders', { token: shop.token, body })).body
  expect([order.customer.phone, order.shippingAddress.phone]).toEqual([stored, stored])
})

test('a quote returns the phone numbers of its pickup and dropoff in the +234 format', async () => {
  const api = started()
  const body = {
    pickup: { ...pickupInputExample, phone: '0803 123 4567' },
    dropoff: { ...dropoffInputExample, phone: '234-803-123-4567' },
    parcels: [parcelExample],
  }
  const reply = await post(api, await openTestShop(api), 'quote', body)
  expect([reply.body.pickup.phone, reply.body.dropoff.phone]).toEqual([stored, stored])
})

describe('a rejected phone number', () => {
  test.for([
    '0803123456',
    '080312345678',
    '+447911123456',
    '+2341111111111',
    '0803 ADIRE 67',
    '08031234567 08031234567',
    '+08031234567',
    '٠٨٠٣١٢٣٤٥٦٧',
    '080-080-080',
    '',
  ])('the rejection of the phone number “%s” names the field, the rule and accepted examples', async (phone) => {
    const body = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone }
    const reply = await started().send('POST', customersPath, { token: shop.token, body })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({
      code: 'validation_failed',
      message: 'body.phone: Must be a Nigerian phone number, such as 08031234567, 2348031234567 or +234 803 123 4567.',
      errors: [{ path: 'body.phone', code: 'invalid_format' }],
    })
  })
})
