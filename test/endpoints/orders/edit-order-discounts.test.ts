import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { discount, readDiscount } from '../../support/commerce/discount.ts'
import { openEditableOrder, units } from '../../support/commerce/editable-order.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, select } from '../../support/database-contents.ts'
import { orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()
const openOrder = (more: Parameters<typeof openEditableOrder>[1] = {}) => openEditableOrder(started(), more)

describe('discounts of an edited order', () => {
  test('an edit of an order still applies a discount that the order used before the discount ended or reached its usage limit', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const capped = await discount(api, shop, { percentageBps: 1000, usageLimit: 1 })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const body = orderBody(variantId, { discountCodes: [capped.code] })
    const created = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
    await select(api, `update discounts set ends_at = starts_at + interval '1 millisecond' where id = $1`, [capped.id])
    const path = `/api/v1/orders/${created.body.id}`
    const change = { items: [units(variantId, 2)] }
    const reply = await api.send('PATCH', path, { token: shop.token, body: change })
    expect(reply.body, reply.text).toMatchObject({ discountKobo: 200_000, totalKobo: 1_800_000 })
    expect(await readDiscount(api, shop, capped.id)).toMatchObject({ redemptionCount: 1 })
    const uses = `select amount_kobo::int as amount from discount_redemptions where discount_id = $1 and released_at is null`
    expect(await select(api, uses, [capped.id])).toEqual([{ amount: 200_000 }])
  })

  test('an edit can replace one discount with another, and the first discount is then no longer used by the order', async () => {
    const { api, shop, order, edit, dress } = await openOrder()
    const first = await discount(api, shop, { percentageBps: 1000, usageLimit: 1 })
    const second = await discount(api, shop, { percentageBps: 2000, usageLimit: 1 })
    expect((await edit({ discountCodes: [first.code.toLowerCase()] })).body).toMatchObject({ totalKobo: 1_800_000 })
    const reply = await edit({ discountCodes: [second.code] })
    expect(reply.body).toMatchObject({ totalKobo: 1_600_000, discounts: [{ code: second.code }] })
    expect(await readDiscount(api, shop, first.id)).toMatchObject({ redemptionCount: 0 })
    expect(await readDiscount(api, shop, second.id)).toMatchObject({ redemptionCount: 1 })
    expect((await edit({ discountCodes: [] })).body).toMatchObject({ totalKobo: order.totalKobo, discounts: [] })
    expect((await edit({ items: [units(dress.variantId, 1)], discountCodes: [first.code] })).status).toBe(200)
  })

  test('if a discount is applied again after an edit changed the customer, the use of the discount is counted for the new customer', async () => {
    const { api, shop, id, edit } = await openOrder()
    const { code } = await discount(api, shop, { percentageBps: 1000, usageLimitPerCustomer: 1 })
    await edit({ discountCodes: [code] })
    await edit({ discountCodes: [], customer: { email: 'ngozi@example.com', phone: '+2347012345678' } })
    await edit({ discountCodes: [code] })
    const uses = 'select customer_email as email from discount_redemptions where order_id = $1 and released_at is null'
    expect(await select(api, uses, [id])).toEqual([{ email: 'ngozi@example.com' }])
  })

  test('concurrent edits of two orders succeed when each edit adds the discount of the other order', async () => {
    const { api, shop, dress, edit } = await openOrder()
    const [one, two] = await Promise.all([
      discount(api, shop, { usageLimit: 100, combinesWith: ['order'] }),
      discount(api, shop, { usageLimit: 100, combinesWith: ['order'] }),
    ])
    const second = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(dress.variantId) })
    const path = `/api/v1/orders/${second.body.id}`
    const editSecond = (discountCodes: string[]) =>
      api.send('PATCH', path, { token: shop.token, body: { discountCodes } })
    for (let round = 0; round < 5; round++) {
      await edit({ discountCodes: [one.code] })
      await editSecond([two.code])
      const both = [one.code, two.code]
      const replies = await Promise.all([edit({ discountCodes: both }), editSecond(both)])
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
    }
    expect(await readDiscount(api, shop, one.id)).toMatchObject({ redemptionCount: 2 })
  })

  test('an edit can apply a first-order discount to the customer’s first order, but not to the second', async () => {
    const { api, shop, dress, edit } = await openOrder()
    const { code } = await discount(api, shop, { percentageBps: 1000, firstOrderOnly: true })
    expect((await edit({ discountCodes: [code] })).status).toBe(200)
    const second = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(dress.variantId) })
    const path = `/api/v1/orders/${second.body.id}`
    const reply = await api.send('PATCH', path, { token: shop.token, body: { discountCodes: [code] } })
    answers('updateOrder', 'discount_not_applicable', reply)
    expect(reply.body.error.details).toEqual({ code, reason: 'not_first_order' })
  })

  test('an edit that takes an order below the minimum of its discount is rejected unless the edit removes the discount code', async () => {
    const { api, shop, scarf, edit } = await openOrder()
    const { code } = await discount(api, shop, { percentageBps: 1000, minimumSubtotalKobo: 1_000_000 })
    await edit({ discountCodes: [code] })
    const before = await contentsOf(api)
    const change = { items: [units(scarf.variantId, 1)] }
    const reply = await edit(change)
    answers('updateOrder', 'discount_not_applicable', reply)
    expect(reply.body.error.details).toEqual({ code, reason: 'minimum_not_met' })
    expect(await contentsOf(api)).toEqual(before)
    expect((await edit({ ...change, discountCodes: [] })).status).toBe(200)
  })
})
