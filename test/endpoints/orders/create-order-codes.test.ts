import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { changeDiscount, discount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { everyScope, mintToken, openShop, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = () => openShopWith(started(), {})
const later = (api: TestApi, ms: number) => new Date(api.clock.nowMs() + ms).toISOString()
const customer = { name: 'Ngozi', email: 'Ngozi@Example.com', phone: '+2348030000001' }
const otherCustomer = { name: 'Bola', email: 'bola@example.com', phone: '+2348030000002' }

interface Sent {
  readonly discountCodes: readonly string[]
  readonly customer?: object | undefined
  readonly customerId?: string
}

/**
 * Sends an order request with the discount codes in `more`. Expects a rejection with the given reason, and no stored
 * order.
 */
async function refused(api: TestApi, shop: Shop, reason: string, more: Sent) {
  const { variantId } = await stockVariant(api, shop.merchantId)
  const before = await contentsOf(api)
  const body = orderBody(variantId, { customer, ...more })
  const reply = await api.send('POST', path, { token: shop.token, body })
  answers('createOrder', 'discount_not_applicable', reply)
  expect(reply.body.error.details).toEqual({ code: more.discountCodes.at(-1), reason })
  expect(await contentsOf(api)).toEqual(before)
}

describe('409 discount_not_applicable', () => {
  test('createOrder rejects a code with the reason not_found if the code is unknown, or if its discount is archived or belongs to another merchant', async () => {
    const { api, shop } = await open()
    await refused(api, shop, 'not_found', { discountCodes: ['unknown'] })
    const other = await openShop(api.context)
    await refused(api, shop, 'not_found', { discountCodes: [(await discount(api, other)).code] })
    const { id, code } = await discount(api, shop)
    await api.send('POST', `/api/v1/discounts/${id}/archive`, { token: shop.token })
    await refused(api, shop, 'not_found', { discountCodes: [code] })
  })

  test('createOrder rejects a code with the reason not_started before the discount’s startsAt, and the reason expired from its endsAt on', async () => {
    const { api, shop } = await open()
    const window = { startsAt: later(api, 1000), endsAt: later(api, 2000) }
    const { code } = await discount(api, shop, window)
    await refused(api, shop, 'not_started', { discountCodes: [code] })
    api.clock.advance(999)
    await refused(api, shop, 'not_started', { discountCodes: [code] })
    api.clock.advance(1)
    expect((await order(api, shop, {}, { discountCodes: [code] })).status).toBe(201)
    api.clock.advance(999)
    expect((await order(api, shop, {}, { discountCodes: [code] })).status).toBe(201)
    api.clock.advance(1)
    await refused(api, shop, 'expired', { discountCodes: [code] })
  })

  test('createOrder rejects a code with the reason paused if its discount is paused', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop, { status: 'paused' })
    await refused(api, shop, 'paused', { discountCodes: [code] })
    await changeDiscount(api, shop, id, { status: 'active' })
    expect((await order(api, shop, {}, { discountCodes: [code] })).status).toBe(201)
  })

  test('createOrder rejects a code with the reason usage_limit_reached if its discount has no uses left', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { usageLimit: 1 })
    expect((await order(api, shop, {}, { discountCodes: [code], customer: otherCustomer })).status).toBe(201)
    await refused(api, shop, 'usage_limit_reached', { discountCodes: [code] })
  })

  test.for([
    ['record', { email: 'other@example.com', phone: '+2348030000003' }, true],
    ['e-mail, ignoring case', { email: 'NGOZI@example.COM' }, false],
    ['e-mail with a +tag', { email: 'ngozi+shop@example.com' }, false],
    ['phone', { email: 'other@example.com', phone: customer.phone }, false],
  ] as const)('createOrder rejects a code with the reason customer_limit_reached if the customer, who is identified by %s, has no uses left', async ([
    ,
    sign,
    isSameRecord,
  ]) => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { usageLimitPerCustomer: 1 })
    const first = await order(api, shop, {}, { discountCodes: [code], customer })
    expect(first.status, first.text).toBe(201)
    const { id } = first.body.customer
    if (isSameRecord) {
      await select(api, 'update customers set email = $2, phone = $3 where id = $1', [id, sign.email, sign.phone])
    }
    const again = isSameRecord ? { customer: undefined, customerId: id } : { customer: { name: 'N', ...sign } }
    await refused(api, shop, 'customer_limit_reached', { discountCodes: [code], ...again })
    expect((await order(api, shop, {}, { discountCodes: [code], customer: otherCustomer })).status).toBe(201)
  })

  test('createOrder rejects a code with the reason minimum_not_met if the subtotal before discounts or the quantity is too low', async () => {
    const { api, shop } = await open()
    const dear = await discount(api, shop, { minimumSubtotalKobo: 1_500_001 })
    await refused(api, shop, 'minimum_not_met', { discountCodes: [dear.code] })
    const many = await discount(api, shop, { minimumQuantity: 2 })
    await refused(api, shop, 'minimum_not_met', { discountCodes: [many.code] })
    const combinesWith = ['order']
    const half = await discount(api, shop, { percentageBps: 5000, combinesWith })
    const met = await discount(api, shop, { minimumSubtotalKobo: 1_500_000, combinesWith })
    expect((await order(api, shop, {}, { discountCodes: [half.code, met.code] })).status).toBe(201)
  })

  test('createOrder rejects a code with the reason not_eligible if its discount is limited to other customers', async () => {
    const { api, shop } = await open()
    const { body } = await order(api, shop, {}, { customer: otherCustomer })
    const { code } = await discount(api, shop, { customerIds: [body.customer.id] })
    await refused(api, shop, 'not_eligible', { discountCodes: [code] })
    const reply = await order(api, shop, {}, { discountCodes: [code], customer: otherCustomer })
    expect(reply.status, reply.text).toBe(201)
  })

  test.for([
    ['a plain e-mail address', 'Ngozi@Example.com'],
    ['an e-mail address with a tag', 'Ngozi+Shop@Example.com'],
  ] as const)('createOrder rejects a first-order code with the reason not_first_order for %s of an earlier order, also after the customer got another address', async ([
    ,
    email,
  ]) => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { firstOrderOnly: true })
    const byEmail = { name: 'Ngozi', email }
    const first = await order(api, shop, {}, { customer: byEmail, discountCodes: [code] })
    expect(first.status, first.text).toBe(201)
    const changed = { token: shop.token, body: { email: 'ngozi.eze@example.com' } }
    expect((await api.send('PATCH', `/api/v1/customers/${first.body.customer.id}`, changed)).status).toBe(200)
    await refused(api, shop, 'not_first_order', { customer: byEmail, discountCodes: [code] })
    await api.send('POST', `${path}/${first.body.id}/cancel`, { token: shop.token, body: { reason: 'customer' } })
    const second = await order(api, shop, {}, { customer: byEmail, discountCodes: [code] })
    expect(second.status, second.text).toBe(201)
  })

  test('createOrder rejects a first-order code with the reason not_first_order if the customer has another order that is not cancelled', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { firstOrderOnly: true })
    const first = await order(api, shop, {}, { customer })
    await refused(api, shop, 'not_first_order', { discountCodes: [code] })
    const tagged = { name: 'N', email: 'ngozi+2@example.com' }
    await refused(api, shop, 'not_first_order', { discountCodes: [code], customer: tagged })
    const cancelled = `update orders set status = 'cancelled', cancel_reason = 'other', cancelled_at = now(), expires_at = null
      where id = $1`
    await select(api, cancelled, [first.body.id])
    expect((await order(api, shop, {}, { discountCodes: [code], customer })).status).toBe(201)
  })

  test('createOrder rejects two discount codes with the reason combination_disallowed unless each of the two discounts allows the class of the other', async () => {
    const { api, shop } = await open()
    const alone = await discount(api, shop)
    const open_ = await discount(api, shop, { combinesWith: ['order', 'shipping'] })
    const shipping = await discount(api, shop, { type: 'free_shipping', combinesWith: ['order'] })
    // The error names the discount that would apply last. Discounts of the same type apply in the alphabetical order of
    // their codes.
    await refused(api, shop, 'combination_disallowed', { discountCodes: [alone.code, open_.code].toSorted() })
    await refused(api, shop, 'combination_disallowed', { discountCodes: [alone.code, shipping.code] })
    const fine = await order(api, shop, {}, { discountCodes: [shipping.code, open_.code] })
    expect(fine.status, fine.text).toBe(201)
  })

  test('createOrder rejects a code with the reason no_eligible_items if its discount applies to no item of the order', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const { code } = await discount(api, shop, { appliesTo: { scope: 'variants', ids: [variantId] } })
    await refused(api, shop, 'no_eligible_items', { discountCodes: [code] })
    const body = orderBody(variantId, { discountCodes: [code] })
    expect((await api.send('POST', path, { token: shop.token, body })).status).toBe(201)
  })

  test('the error of createOrder names the discount code that does not apply, spelled as in the request', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { combinesWith: ['order'] })
    await refused(api, shop, 'not_found', { discountCodes: [code, 'Unknown'] })
  })
})

describe('403 insufficient_scope', () => {
  test('createOrder and previewOrder return 403 insufficient_scope for unitPriceKobo when the token lacks the scope for that field', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const scopes = everyScope.filter((scope) => scope !== 'products:write')
    const { token } = await mintToken(api.context, shop.tenant, { scopes })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 1, unitPriceKobo: 1 }] })
    const before = await contentsOf(api)
    const reply = await api.send('POST', path, { token, body })
    answers('createOrder', 'insufficient_scope', reply)
    expect(reply.body.error.details.requiredScope).toBe('products:write')
    answers('previewOrder', 'insufficient_scope', await api.send('POST', `${path}/preview`, { token, body }))
    expect(await contentsOf(api)).toEqual(before)
    expect((await api.send('POST', path, { token, body: orderBody(variantId) })).status).toBe(201)
  })
})
