import { describe, expect, test } from 'vitest'
import { newCustomerId, newDiscountId, newProductId, newVariantId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { changeDiscount, discount, readDiscount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { auditRows, contentsOf } from '../../support/database-contents.ts'
import { openShop, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

/** Creates a discount that one order has used. */
async function used(api: TestApi, shop: Shop, more: object = {}): Promise<ReplyBody> {
  const made = await discount(api, shop, more)
  const placed = await order(api, shop, {}, { discountCodes: [made.code] })
  if (placed.status !== 201) throw new Error(placed.text)
  return made
}

describe('200 responses of updateDiscount', () => {
  test('updateDiscount keeps omitted fields, clears fields sent as null, and raises the version', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const made = await discount(api, shop, { minimumQuantity: 2, maxDiscountKobo: 5, usageLimit: 9 })
    api.clock.advance(1000)
    const appliesTo = { scope: 'variants', ids: [variantId] }
    const change = { code: 'new-code', appliesTo, minimumQuantity: null, maxDiscountKobo: null, percentageBps: 2000 }
    const reply = await changeDiscount(api, shop, made.id, change)
    expect(reply.status, reply.text).toBe(200)
    const updatedAt = new Date(api.clock.nowMs()).toISOString()
    expect(reply.body).toEqual({ ...made, ...change, code: 'NEW-CODE', version: 2, updatedAt })
    expect(await readDiscount(api, shop, made.id)).toEqual(reply.body)
    expect((await auditRows(api, shop.merchantId)).at(-1)?.changes).toEqual({
      code: [made.code, 'NEW-CODE'],
      percentageBps: [1000, 2000],
      maxDiscountKobo: [5, null],
      scope: ['order', 'variants'],
      appliesToIds: [[], [variantId]],
      minimumQuantity: [2, null],
    })
  })

  test('updateDiscount changes all terms of a discount, such as its limits', async () => {
    const { api, shop } = await open()
    const { body: placed } = await order(api, shop)
    const made = await discount(api, shop, { type: 'fixed_amount', amountKobo: 5 })
    const change = {
      title: 'Other',
      amountKobo: 6,
      minimumSubtotalKobo: 7,
      startsAt: '2026-12-01T00:00:00.000Z',
      endsAt: '2026-12-02T00:00:00.000Z',
      usageLimit: 8,
      usageLimitPerCustomer: 9,
      firstOrderOnly: true,
      customerIds: [placed.customer.id],
      combinesWith: ['shipping'],
      status: 'paused',
      metadata: { a: 'b' },
    }
    const { body } = await changeDiscount(api, shop, made.id, change)
    expect(body).toMatchObject({ ...change, state: 'paused', version: 2 })
    const cleared = { minimumSubtotalKobo: null, endsAt: null, usageLimit: null, usageLimitPerCustomer: null }
    expect((await changeDiscount(api, shop, made.id, { ...cleared, customerIds: null })).body).toMatchObject(cleared)
    const notes = (await auditRows(api, shop.merchantId)).map(({ changes }) => changes)
    expect(notes).toContainEqual(expect.objectContaining({ metadata: ['[redacted]', '[redacted]'] }))
  })

  test('updateDiscount changes nothing, not even the version, when it gets the current terms and the discount’s own code', async () => {
    const { api, shop } = await open()
    const made = await discount(api, shop, { combinesWith: ['order', 'shipping'] })
    api.clock.advance(1000)
    const { title, code, percentageBps } = made
    const before = await contentsOf(api)
    const same = { title, code: code.toLowerCase(), percentageBps, combinesWith: ['shipping', 'order'] }
    const reply = await changeDiscount(api, shop, made.id, same)
    expect(reply.body).toEqual(made)
    expect((await changeDiscount(api, shop, made.id, {})).body).toEqual(made)
    const { appliesTo, combinesWith, metadata } = made
    expect((await changeDiscount(api, shop, made.id, { appliesTo, combinesWith, metadata })).body).toEqual(made)
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updateDiscount can change the fields of a used discount, except the fields that the use of the discount locks', async () => {
    const { api, shop } = await open()
    const { id, percentageBps } = await used(api, shop, { usageLimit: 3 })
    const change = {
      title: 'Used',
      endsAt: '2027-01-01T00:00:00.000Z',
      usageLimit: 1,
      usageLimitPerCustomer: 2,
      status: 'paused',
      metadata: { a: 'b' },
    }
    const reply = await changeDiscount(api, shop, id, { ...change, percentageBps })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({ ...change, redemptionCount: 1 })
  })
})

describe('errors of updateDiscount', () => {
  test('updateDiscount returns 404 discount_not_found for an unknown discount', async () => {
    const { api, shop } = await open()
    const reply = await changeDiscount(api, shop, newDiscountId(0), { title: 'Unknown' })
    answers('updateDiscount', 'discount_not_found', reply)
  })

  test('updateDiscount returns 404 for unknown products, variants and customers', async () => {
    const { api, shop } = await open()
    const { id } = await discount(api, shop)
    const before = await contentsOf(api)
    const products = { appliesTo: { scope: 'products', ids: [newProductId(0)] } }
    answers('updateDiscount', 'product_not_found', await changeDiscount(api, shop, id, products))
    const variants = { appliesTo: { scope: 'variants', ids: [newVariantId(0)] } }
    answers('updateDiscount', 'variant_not_found', await changeDiscount(api, shop, id, variants))
    const customers = { customerIds: [newCustomerId(0)] }
    answers('updateDiscount', 'customer_not_found', await changeDiscount(api, shop, id, customers))
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updateDiscount returns 409 discount_locked for the locked fields of a used discount, even after its only use was released', async () => {
    const { api, shop } = await open()
    const { productId } = await stockVariant(api, shop.merchantId)
    const { id } = await used(api, shop, { maxDiscountKobo: 5 })
    const before = await contentsOf(api)
    const reply = await changeDiscount(api, shop, id, {
      title: 'Other',
      code: 'OTHER',
      percentageBps: 1,
      maxDiscountKobo: null,
      appliesTo: { scope: 'products', ids: [productId] },
      minimumSubtotalKobo: 1,
      minimumQuantity: 1,
      startsAt: '2026-12-01T00:00:00Z',
      firstOrderOnly: true,
      combinesWith: ['order'],
    })
    answers('updateDiscount', 'discount_locked', reply)
    expect(reply.body.error.details.fields.toSorted()).toEqual([
      'appliesTo',
      'code',
      'combinesWith',
      'firstOrderOnly',
      'maxDiscountKobo',
      'minimumQuantity',
      'minimumSubtotalKobo',
      'percentageBps',
      'startsAt',
    ])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updateDiscount returns 409 discount_locked for an archived discount', async () => {
    const { api, shop } = await open()
    const { id } = await discount(api, shop)
    await api.send('POST', `/api/v1/discounts/${id}/archive`, { token: shop.token })
    const reply = await changeDiscount(api, shop, id, { title: 'Back', status: 'active' })
    answers('updateDiscount', 'discount_locked', reply)
    expect(reply.body.error.details).toEqual({ fields: ['title', 'status'] })
  })

  test('updateDiscount returns 409 discount_type_mismatch for a term that belongs to another discount type', async () => {
    const { api, shop } = await open()
    const { id } = await discount(api, shop)
    const reply = await changeDiscount(api, shop, id, { amountKobo: 5 })
    answers('updateDiscount', 'discount_type_mismatch', reply)
    expect(reply.body.error.details).toEqual({ type: 'percentage', fields: ['amountKobo'] })
  })

  test('updateDiscount returns 409 discount_limit_below_uses for a usage limit below the uses so far', async () => {
    const { api, shop } = await open()
    const { id, code } = await used(api, shop)
    await order(api, shop, {}, { discountCodes: [code] })
    const reply = await changeDiscount(api, shop, id, { usageLimit: 1 })
    answers('updateDiscount', 'discount_limit_below_uses', reply)
    expect(reply.body.error.details).toEqual({ redemptionCount: 2 })
    expect((await changeDiscount(api, shop, id, { usageLimit: 2 })).body.state).toBe('exhausted')
  })

  test('updateDiscount returns 409 discount_window_empty for a period that ends before it starts', async () => {
    const { api, shop } = await open()
    const { id, startsAt } = await discount(api, shop)
    const reply = await changeDiscount(api, shop, id, { endsAt: startsAt })
    answers('updateDiscount', 'discount_window_empty', reply)
  })

  test('updateDiscount returns 409 code_in_use for the code of another discount', async () => {
    const { api, shop } = await open()
    const first = await discount(api, shop, { code: 'TAKEN' })
    const { id } = await discount(api, shop)
    const reply = await changeDiscount(api, shop, id, { code: 'taken' })
    answers('updateDiscount', 'code_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.id })
  })
})
