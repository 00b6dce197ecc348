import { describe, expect, test } from 'vitest'
import { newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf } from '../../support/database-contents.ts'
import { orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = () => openShopWith(started(), {})

describe('400 validation_failed', () => {
  const line1 = '12 Admiralty Way'
  const variantId = 'var_01jd3f8q6hf5n8v1zr4c7e2m9k'
  const customer = { name: 'Adaeze Okafor', email: 'adaeze@example.com' }

  test.for<[string, object, string, string]>([
    ['no items', { items: [] }, 'body.items', 'too_short'],
    ['a quantity of 0', { items: [{ variantId, quantity: 0 }] }, 'body.items[0].quantity', 'too_small'],
    ['a quantity below 0', { items: [{ variantId, quantity: -1 }] }, 'body.items[0].quantity', 'too_small'],
    ['a quantity of 1001', { items: [{ variantId, quantity: 1001 }] }, 'body.items[0].quantity', 'too_big'],
    ['half a unit', { items: [{ variantId, quantity: 1.5 }] }, 'body.items[0].quantity', 'not_integer'],
    ['a quantity as text', { items: [{ variantId, quantity: '1' }] }, 'body.items[0].quantity', 'invalid_type'],
    ['an item without quantity', { items: [{ variantId }] }, 'body.items[0].quantity', 'required'],
    [
      'a variant twice',
      {
        items: [
          { variantId, quantity: 1 },
          { variantId, quantity: 2 },
        ],
      },
      'body.items[1].variantId',
      'duplicate',
    ],
    ['a product id', { items: [{ variantId: 'prd_x', quantity: 1 }] }, 'body.items[0].variantId', 'invalid_format'],
    ['a price', { items: [{ variantId, quantity: 1, priceKobo: 1 }] }, 'body.items[0].priceKobo', 'unknown_field'],
    [
      'a price below 0',
      { items: [{ variantId, quantity: 1, unitPriceKobo: -1 }] },
      'body.items[0].unitPriceKobo',
      'too_small',
    ],
    ['four codes', { discountCodes: ['A', 'B', 'C', 'D'] }, 'body.discountCodes', 'too_long'],
    ['a code twice', { discountCodes: ['eid', 'x', 'EID'] }, 'body.discountCodes[2]', 'duplicate'],
    ['an empty code', { discountCodes: [''] }, 'body.discountCodes[0]', 'too_short'],
    ['neither customer nor customerId', { customer: undefined }, 'body.customer', 'required'],
    ['both customer and customerId', { customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k' }, 'body.customer', 'required'],
    ['no e-mail', { customer: { name: 'Adaeze' } }, 'body.customer.email', 'required'],
    ['an e-mail without @', { customer: { ...customer, email: 'adaeze' } }, 'body.customer.email', 'invalid_format'],
    [
      'a phone without a digit',
      { customer: { ...customer, phone: '0803123456' } },
      'body.customer.phone',
      'invalid_format',
    ],
    [
      'an unassigned phone prefix',
      { customer: { ...customer, phone: '+2341234567890' } },
      'body.customer.phone',
      'invalid_format',
    ],
    ['a foreign phone', { customer: { ...customer, phone: '+447911123456' } }, 'body.customer.phone', 'invalid_format'],
    ['an empty name', { customer: { ...customer, name: '' } }, 'body.customer.name', 'too_short'],
    [
      'a name of 121 characters',
      { customer: { ...customer, name: 'x'.repeat(121) } },
      'body.customer.name',
      'too_long',
    ],
    ['an unknown payment method', { paymentMethod: 'barter' }, 'body.paymentMethod', 'invalid_enum_value'],
    ['no payment method', { paymentMethod: undefined }, 'body.paymentMethod', 'required'],
    ['a negative shipping cost', { shippingKobo: -1 }, 'body.shippingKobo', 'too_small'],
    ['a shipping cost above the maximum', { shippingKobo: 100_000_000_001 }, 'body.shippingKobo', 'too_big'],
    [
      'an unknown state',
      { shippingAddress: { line1, state: 'Abuja' } },
      'body.shippingAddress.state',
      'invalid_enum_value',
    ],
    [
      'another country',
      { shippingAddress: { line1, country: 'GH' } },
      'body.shippingAddress.country',
      'invalid_enum_value',
    ],
    ['an address without a street', { billingAddress: { city: 'Lekki' } }, 'body.billingAddress.line1', 'required'],
    ['21 tags', { tags: Array.from({ length: 21 }, () => 'a') }, 'body.tags', 'too_long'],
    ['a note of null', { note: null }, 'body.note', 'invalid_type'],
    ['a long metadata key', { metadata: { ['k'.repeat(41)]: '' } }, 'body.metadata', 'invalid_value'],
    ['a number as metadata value', { metadata: { count: 1 } }, 'body.metadata.count', 'invalid_type'],
    ['a status', { status: 'processing' }, 'body.status', 'unknown_field'],
  ])('createOrder returns 400 validation_failed for a body with %s', async ([, more, where, problem]) => {
    const { api, shop } = await open()
    const before = await contentsOf(api)
    const body = { ...orderBody(newVariantId(0), { items: [{ variantId, quantity: 1 }] }), ...more }
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: where, code: problem }])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('createOrder accepts 100 items and rejects 101 items', async () => {
    const { api, shop } = await open()
    const items: object[] = []
    for (let line = 0; line < 100; line++) {
      items.push({ variantId: (await stockVariant(api, shop.merchantId, { priceKobo: 1 })).variantId, quantity: 1 })
    }
    const send = (lines: object[]) => {
      return api.send('POST', path, { token: shop.token, body: orderBody(newVariantId(0), { items: lines }) })
    }
    expect((await send(items)).body.totalKobo).toBe(100)
    const refused = await send([...items, { variantId: newVariantId(0), quantity: 1 }])
    expect(refused.body.error.errors).toMatchObject([{ path: 'body.items', code: 'too_long' }])
  })

  test('createOrder returns every validation problem at once, at most 20', async () => {
    const { api, shop } = await open()
    const { send } = api
    const two = await send('POST', path, { token: shop.token, body: { items: [], paymentMethod: 'barter', customer } })
    expect(two.body.error.errors).toHaveLength(2)
    const colours = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`colour${index}`, 'red']))
    const many = await send('POST', path, { token: shop.token, body: colours })
    expect(many.body.error.errors).toHaveLength(20)
  })
})
