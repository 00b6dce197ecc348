import { describe, expect, test } from 'vitest'
import { newDiscountId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })
const pathOf = (id: string) => `/api/v1/discounts/${id}/redemptions`

describe('200 responses of listDiscountRedemptions', () => {
  test('listDiscountRedemptions returns the orders that used the discount, newest first, over all pages', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const other = await discount(api, shop)
    await order(api, shop, {}, { discountCodes: [other.code] })
    const expected: ReplyBody[] = []
    for (let placed = 0; placed < 5; placed++) {
      const { body } = await order(api, shop, { priceKobo: 1000 + placed * 10 }, { discountCodes: [code] })
      expected.unshift({
        id: expect.stringMatching(/^rdm_/),
        discountId: id,
        orderId: body.id,
        orderNumber: body.number,
        customerId: body.customer.id,
        amountKobo: 100 + placed,
        createdAt: body.createdAt,
        releasedAt: null,
      })
      api.clock.advance(1000)
    }
    const seen: ReplyBody[] = []
    let query = '?limit=2'
    for (;;) {
      const { body } = await api.send('GET', pathOf(id) + query, { token: shop.token })
      seen.push(...body.data)
      if (!body.pagination.hasMore) break
      query = `?limit=2&cursor=${body.pagination.cursor}`
    }
    expect(seen).toEqual(expected)
    const { createdAt } = expected[2]
    const from = await api.send('GET', `${pathOf(id)}?createdFrom=${createdAt}`, { token: shop.token })
    expect(from.body.data).toEqual(expected.slice(0, 3))
    const to = await api.send('GET', `${pathOf(id)}?createdTo=${createdAt}`, { token: shop.token })
    expect(to.body.data).toEqual(expected.slice(3))
  })

  test('listDiscountRedemptions returns the order of a redemption at the creation time of the order after the order was edited, and no page misses it', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const { body: oldest } = await order(api, shop, {}, { discountCodes: [code] })
    api.clock.advance(1000)
    await order(api, shop, {}, { discountCodes: [code] })
    api.clock.advance(1000)
    const first = await api.send('GET', `${pathOf(id)}?limit=1`, { token: shop.token })
    const [{ variantId }] = oldest.items
    const body = { items: [{ variantId, quantity: 2 }] }
    const edited = await api.send('PATCH', `/api/v1/orders/${oldest.id}`, { token: shop.token, body })
    expect(edited.status, edited.text).toBe(200)
    const query = `?cursor=${first.body.pagination.cursor}`
    const rest = await api.send('GET', pathOf(id) + query, { token: shop.token })
    expect(rest.body.data).toMatchObject([{ orderId: oldest.id, createdAt: oldest.createdAt }])
  })

  test('listDiscountRedemptions returns an empty page for an unused discount', async () => {
    const { api, shop } = await open()
    const { id } = await discount(api, shop)
    expect((await api.send('GET', pathOf(id), { token: shop.token })).body.data).toEqual([])
  })
})

describe('errors of listDiscountRedemptions', () => {
  test('listDiscountRedemptions returns 404 discount_not_found for an unknown discount and for a discount of another merchant', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    const { id, code } = await discount(api, other)
    await order(api, other, {}, { discountCodes: [code] })
    for (const unknown of [newDiscountId(0), id]) {
      const reply = await api.send('GET', pathOf(unknown), { token: shop.token })
      answers('listDiscountRedemptions', 'discount_not_found', reply)
    }
  })

  test('listDiscountRedemptions returns 400 invalid_cursor for the cursor of another discount', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const other = await discount(api, shop)
    for (let placed = 0; placed < 2; placed++) await order(api, shop, {}, { discountCodes: [code] })
    const { body } = await api.send('GET', `${pathOf(id)}?limit=1`, { token: shop.token })
    const query = `?cursor=${body.pagination.cursor}`
    expect((await api.send('GET', pathOf(id) + query, { token: shop.token })).body.data).toHaveLength(1)
    const reply = await api.send('GET', pathOf(other.id) + query, { token: shop.token })
    answers('listDiscountRedemptions', 'invalid_cursor', reply)
  })

  test('listDiscountRedemptions returns 400 invalid_time_range when the range ends before it starts', async () => {
    const { api, shop } = await open()
    const { id } = await discount(api, shop)
    const at = '2026-11-21T00:00:00Z'
    const reply = await api.send('GET', `${pathOf(id)}?createdFrom=${at}&createdTo=${at}`, { token: shop.token })
    answers('listDiscountRedemptions', 'invalid_time_range', reply)
  })
})
