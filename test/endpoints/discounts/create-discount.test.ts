import { describe, expect, test } from 'vitest'
import { newCustomerId, newProductId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { discount, discountBody, readDiscount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { auditRows, contentsOf } from '../../support/database-contents.ts'
import { openShop, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/discounts'
const open = async () => ({ api: started(), shop: await openShop(started().context) })
const create = (shop: Shop, more: object) => {
  return started().send('POST', path, { token: shop.token, body: discountBody(more) })
}

describe('201 responses of createDiscount', () => {
  test('createDiscount defaults omitted fields to the least restrictive value', async () => {
    const { api, shop } = await open()
    const body = { title: 'Eid', code: 'eid-2026', type: 'percentage', percentageBps: 10_000 }
    const reply = await api.send('POST', path, { token: shop.token, body })
    const now = new Date(api.clock.nowMs()).toISOString()
    expect(reply.status, reply.text).toBe(201)
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^dsc_/),
      title: 'Eid',
      code: 'EID-2026',
      type: 'percentage',
      percentageBps: 10_000,
      amountKobo: null,
      maxDiscountKobo: null,
      appliesTo: { scope: 'order', ids: [] },
      minimumSubtotalKobo: null,
      minimumQuantity: null,
      startsAt: now,
      endsAt: null,
      usageLimit: null,
      usageLimitPerCustomer: null,
      firstOrderOnly: false,
      customerIds: null,
      combinesWith: [],
      status: 'active',
      state: 'active',
      redemptionCount: 0,
      metadata: {},
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    expect(reply.headers.get('location')).toBe(`${path}/${reply.body.id}`)
    expect(await readDiscount(api, shop, reply.body.id)).toEqual(reply.body)
    expect((await auditRows(api, shop.merchantId)).at(-1)?.changes).toEqual({
      title: [null, 'Eid'],
      code: [null, 'EID-2026'],
      type: [null, 'percentage'],
    })
  })

  test('createDiscount returns every field as it was sent', async () => {
    const { api, shop } = await open()
    const { productId } = await stockVariant(api, shop.merchantId)
    const { body: placed } = await order(api, shop)
    const sent = {
      title: 'All fields',
      code: 'ALL_OF-IT',
      type: 'percentage',
      percentageBps: 1,
      maxDiscountKobo: 100_000_000_000,
      appliesTo: { scope: 'products', ids: [productId] },
      minimumSubtotalKobo: 2,
      minimumQuantity: 3,
      usageLimit: 4,
      usageLimitPerCustomer: 5,
      firstOrderOnly: true,
      customerIds: [placed.customer.id],
      combinesWith: ['product', 'order', 'shipping'],
      status: 'paused',
      metadata: { channel: 'instagram' },
    }
    const window = { startsAt: '2026-12-01T01:00:00+01:00', endsAt: '2027-01-01T00:00:00Z' }
    const { body } = await api.send('POST', path, { token: shop.token, body: { ...sent, ...window } })
    expect(body).toMatchObject({
      ...sent,
      startsAt: '2026-12-01T00:00:00.000Z',
      endsAt: '2027-01-01T00:00:00.000Z',
      state: 'paused',
    })
    expect(await readDiscount(api, shop, body.id)).toEqual(body)
  })

  test('createDiscount allows a code that an archived discount or a discount of another merchant has', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    const first = await discount(api, shop, { code: 'EID' })
    expect((await create(other, { code: 'EID' })).status).toBe(201)
    await api.send('POST', `${path}/${first.id}/archive`, { token: shop.token })
    expect((await create(shop, { code: 'eid' })).status).toBe(201)
  })
})

describe('409 code_in_use', () => {
  test('createDiscount returns 409 code_in_use with the id of the discount that has the code, even if the codes differ in case', async () => {
    const { api, shop } = await open()
    const first = await discount(api, shop, { code: 'EID', status: 'paused' })
    const before = await contentsOf(api)
    const reply = await create(shop, { code: 'eid' })
    answers('createDiscount', 'code_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('ten concurrent createDiscount requests with one code create one discount', async () => {
    const { shop } = await open()
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(shop, { code: 'SALE' })))
    const [created, ...more] = replies.filter((reply) => reply.status === 201)
    expect(more).toEqual([])
    for (const reply of replies) {
      if (reply !== created) expect(reply.body.error.details, reply.text).toEqual({ existingId: created?.body.id })
    }
  })
})

describe('references of createDiscount to other records', () => {
  test('createDiscount returns 404 product_not_found for an unknown product and for a product of another merchant', async () => {
    const { api, shop } = await open()
    const theirs = await stockVariant(api, (await openShop(api.context)).merchantId)
    for (const id of [newProductId(0), theirs.productId]) {
      const reply = await create(shop, { appliesTo: { scope: 'products', ids: [id] } })
      answers('createDiscount', 'product_not_found', reply)
      expect(reply.body.error.message).toBe(`No product has the id ${id}.`)
    }
  })

  test('createDiscount returns 404 variant_not_found and lists every unknown variant', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const unknown = [newVariantId(0), newVariantId(0)]
    const reply = await create(shop, { appliesTo: { scope: 'variants', ids: [variantId, ...unknown] } })
    answers('createDiscount', 'variant_not_found', reply)
    expect(reply.body.error.details).toEqual({ variantIds: unknown })
  })

  test('createDiscount returns 404 customer_not_found for an unknown customer', async () => {
    const { shop } = await open()
    answers('createDiscount', 'customer_not_found', await create(shop, { customerIds: [newCustomerId(0)] }))
  })
})

describe('409 discount_window_empty', () => {
  test('createDiscount returns 409 discount_window_empty when endsAt is not later than startsAt or, without startsAt, than the current time', async () => {
    const { api, shop } = await open()
    const at = new Date(api.clock.nowMs()).toISOString()
    const reply = await create(shop, { endsAt: at })
    answers('createDiscount', 'discount_window_empty', reply)
    expect(reply.body.error.details).toEqual({ startsAt: at, endsAt: at })
    const reversed = { startsAt: '2027-01-01T00:00:00Z', endsAt: '2026-12-31T23:59:59Z' }
    answers('createDiscount', 'discount_window_empty', await create(shop, reversed))
  })
})

describe('400 validation_failed', () => {
  const variant = 'var_01jd3f8q6hf5n8v1zr4c7e2m9k'
  const product = 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k'
  const customer = 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k'

  test.for<[string, object, string, string]>([
    ['a percentage without its value', { percentageBps: undefined }, 'body.percentageBps', 'required'],
    ['a percentage of 0', { percentageBps: 0 }, 'body.percentageBps', 'too_small'],
    ['a percentage above 100 %', { percentageBps: 10_001 }, 'body.percentageBps', 'too_big'],
    ['a percentage with an amount', { amountKobo: 1 }, 'body.amountKobo', 'unknown_field'],
    ['an amount without its value', { type: 'fixed_amount' }, 'body.amountKobo', 'required'],
    [
      'an amount with a maximum',
      { type: 'fixed_amount', amountKobo: 1, maxDiscountKobo: 1 },
      'body.maxDiscountKobo',
      'unknown_field',
    ],
    [
      'free shipping with a percentage',
      { type: 'free_shipping', percentageBps: 1 },
      'body.percentageBps',
      'unknown_field',
    ],
    ['an unknown type', { type: 'buy_x_get_y' }, 'body.type', 'invalid_enum_value'],
    ['no code', { code: undefined }, 'body.code', 'required'],
    ['a short code', { code: 'AB' }, 'body.code', 'invalid_format'],
    ['a code with a space', { code: 'DETTY 10' }, 'body.code', 'invalid_format'],
    ['a code of 33 characters', { code: 'A'.repeat(33) }, 'body.code', 'invalid_format'],
    ['products without productIds', { appliesTo: { scope: 'products' } }, 'body.appliesTo.ids', 'required'],
    ['products with empty productIds', { appliesTo: { scope: 'products', ids: [] } }, 'body.appliesTo.ids', 'required'],
    [
      'the order with productIds',
      { appliesTo: { scope: 'order', ids: [product] } },
      'body.appliesTo.ids',
      'unknown_field',
    ],
    [
      'a variant id as productId',
      { appliesTo: { scope: 'products', ids: [variant] } },
      'body.appliesTo.ids[0]',
      'invalid_format',
    ],
    [
      'a product twice',
      { appliesTo: { scope: 'products', ids: [product, product] } },
      'body.appliesTo.ids[1]',
      'duplicate',
    ],
    ['a limit of 0', { usageLimit: 0 }, 'body.usageLimit', 'too_small'],
    ['empty customerIds', { customerIds: [] }, 'body.customerIds', 'too_short'],
    ['a customer twice', { customerIds: [customer, customer] }, 'body.customerIds[1]', 'duplicate'],
    ['an unknown class', { combinesWith: ['all'] }, 'body.combinesWith[0]', 'invalid_enum_value'],
    ['a status of archived', { status: 'archived' }, 'body.status', 'invalid_enum_value'],
    ['a state', { state: 'active' }, 'body.state', 'unknown_field'],
  ])('createDiscount returns 400 validation_failed for a body with %s', async ([, more, where, problem]) => {
    const { api, shop } = await open()
    const before = await contentsOf(api)
    const reply = await create(shop, more)
    answers('createDiscount', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: where, code: problem }])
    expect(await contentsOf(api)).toEqual(before)
  })
})
