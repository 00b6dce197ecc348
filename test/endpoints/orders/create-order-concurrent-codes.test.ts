import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../../support/api.ts'
import { changeDiscount, discount, readDiscount } from '../../support/commerce/discount.ts'
import { openOrder } from '../../support/commerce/open-order.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { select } from '../../support/database-contents.ts'
import { untilWaiting } from '../../support/database-locks.ts'
import { orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const open = () => openShopWith(started(), {})

/**
 * Returns an order request with its own customer and variant, so that concurrent orders share only the discount code.
 */
async function orderOf(api: TestApi, shop: Shop, code: string, name: string) {
  const { variantId } = await stockVariant(api, shop.merchantId)
  const customer = { name, email: `${name}@example.com` }
  return orderBody(variantId, { customer, discountCodes: [code] })
}

async function ordersOf(api: TestApi, shop: Shop, code: string, count: number): Promise<object[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => orderOf(api, shop, code, `buyer${index}`)))
}

function sendAll(api: TestApi, shop: Shop, bodies: readonly object[]): Promise<Reply[]> {
  return Promise.all(bodies.map((body) => api.send('POST', path, { token: shop.token, body })))
}

/**
 * Returns the stored redemption count of a discount, and the number of its redemptions that no cancelled order has
 * released.
 */
async function usesOf(api: TestApi, id: string): Promise<{ kept: number; uses: number }> {
  const counts = `
    select redemption_count as kept,
      (select count(*)::int from discount_redemptions use where use.discount_id = discounts.id and released_at is null)
        as uses
    from discounts where id = $1`
  return (await select(api, counts, [id]))[0]
}

describe('concurrent orders with discount codes', () => {
  test('only one of 50 concurrent orders with a discount code whose usageLimit is 1 is created, and the others return usage_limit_reached', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop, { usageLimit: 1 })
    const replies = await sendAll(api, shop, await ordersOf(api, shop, code, 50))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      answers('createOrder', 'discount_not_applicable', reply)
      expect(reply.body.error.details).toEqual({ code, reason: 'usage_limit_reached' })
    }
    expect(await usesOf(api, id)).toEqual({ kept: 1, uses: 1 })
    expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 1, state: 'exhausted' })
  })

  test('of 20 concurrent orders with one discount code and phone number but different e-mail addresses, only as many are created as usageLimitPerCustomer allows', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop, { usageLimitPerCustomer: 3 })
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const body = await orderOf(api, shop, code, `alias${index}`)
        return { ...body, customer: { ...Object(body).customer, phone: '+2348031112222' } }
      }),
    )
    const replies = await sendAll(api, shop, bodies)
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(3)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply.body.error.details, reply.text).toEqual({ code, reason: 'customer_limit_reached' })
    }
    expect((await usesOf(api, id)).uses).toBe(3)
  })

  test('if a customer places 10 concurrent orders with firstOrderOnly discount codes, only one of the orders is created', async () => {
    const { api, shop } = await open()
    const codes = [
      await discount(api, shop, { firstOrderOnly: true }),
      await discount(api, shop, { firstOrderOnly: true }),
    ]
    const bodies = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const body = await orderOf(api, shop, codes[index % 2].code, 'ngozi')
        return { ...body, customer: { name: 'Ngozi', email: `ngozi+${index}@example.com` } }
      }),
    )
    const replies = await sendAll(api, shop, bodies)
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  })

  test('20 concurrent orders that name the same two limited discount codes in opposite sequence are all created, without a deadlock', async () => {
    const { api, shop } = await open()
    const more = { usageLimit: 100, combinesWith: ['order'] }
    const codes: string[] = [(await discount(api, shop, more)).code, (await discount(api, shop, more)).code]
    const bodies = await ordersOf(api, shop, codes[0] ?? '', 20)
    const replies = await sendAll(
      api,
      shop,
      bodies.map((body, index) => ({ ...body, discountCodes: index % 2 === 0 ? codes : codes.toReversed() })),
    )
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201))
  })
})

describe('an uncommitted order with a discount code', () => {
  test('an order with an unlimited discount code does not wait for an uncommitted order with the same code', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const first = await openOrder(api, shop, await orderOf(api, shop, code, 'first'))
    const second = await api.send('POST', path, { token: shop.token, body: await orderOf(api, shop, code, 'second') })
    expect(second.status, second.text).toBe(201)
    expect((await usesOf(api, id)).uses).toBe(1)
    await first.commit()
    expect((await usesOf(api, id)).uses).toBe(2)
  })

  test('an order with a limited discount code waits for an uncommitted order with the same code', async () => {
    const { api, shop } = await open()
    const { code } = await discount(api, shop, { usageLimit: 1 })
    const first = await openOrder(api, shop, await orderOf(api, shop, code, 'first'))
    const second = api.send('POST', path, { token: shop.token, body: await orderOf(api, shop, code, 'second') })
    await untilWaiting(api, 1)
    await first.commit()
    expect((await second).body.error.details).toEqual({ code, reason: 'usage_limit_reached' })
  })

  test('setting the usageLimit of a discount waits for an uncommitted order with its code, and then counts that order', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const first = await openOrder(api, shop, await orderOf(api, shop, code, 'first'))
    const limited = changeDiscount(api, shop, id, { usageLimit: 1 })
    await untilWaiting(api, 1)
    const next = api.send('POST', path, { token: shop.token, body: await orderOf(api, shop, code, 'next') })
    await untilWaiting(api, 2)
    await first.commit()
    expect((await limited).body).toMatchObject({ usageLimit: 1, redemptionCount: 1, state: 'exhausted' })
    expect((await next).body.error.details).toEqual({ code, reason: 'usage_limit_reached' })
    expect(await usesOf(api, id)).toEqual({ kept: 1, uses: 1 })
  })

  test('orders that wait for a change of the usageLimit do not exceed the new limit in total', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const first = await openOrder(api, shop, await orderOf(api, shop, code, 'first'))
    const limited = changeDiscount(api, shop, id, { usageLimit: 2 })
    await untilWaiting(api, 1)
    const next = sendAll(api, shop, await ordersOf(api, shop, code, 3))
    await untilWaiting(api, 4)
    await first.commit()
    expect((await limited).body).toMatchObject({ usageLimit: 2, redemptionCount: 1 })
    expect((await next).map((reply) => reply.status).toSorted()).toEqual([201, 409, 409])
    expect(await usesOf(api, id)).toEqual({ kept: 2, uses: 2 })
  })

  test('the removal of a discount’s usageLimit waits for an uncommitted order with its code, and the count of uses stays correct', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop, { usageLimit: 1 })
    const first = await openOrder(api, shop, await orderOf(api, shop, code, 'first'))
    const unlimited = changeDiscount(api, shop, id, { usageLimit: null })
    await untilWaiting(api, 1)
    await first.commit()
    expect((await unlimited).body).toMatchObject({ usageLimit: null, redemptionCount: 1, state: 'active' })
    await sendAll(api, shop, [await orderOf(api, shop, code, 'second')])
    expect(await usesOf(api, id)).toEqual({ kept: 0, uses: 2 })
    expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 2 })
    expect((await changeDiscount(api, shop, id, { usageLimit: 5 })).body).toMatchObject({ redemptionCount: 2 })
    expect(await usesOf(api, id)).toEqual({ kept: 2, uses: 2 })
  })

  test('if a discount’s usageLimit is set and removed during 30 concurrent orders, its use count equals the number of created orders', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const bodies = await ordersOf(api, shop, code, 30)
    const limits = [20, null, 25, null, 30]
    const changes = limits.map((usageLimit) => changeDiscount(api, shop, id, { usageLimit }))
    const replies = await sendAll(api, shop, bodies)
    const placed = replies.filter((reply) => reply.status === 201).length
    expect(replies.filter(({ status }) => status !== 201).map(({ body }) => body.error.details.reason)).toEqual(
      replies.filter(({ status }) => status !== 201).map(() => 'usage_limit_reached'),
    )
    for (const reply of await Promise.all(changes)) expect([200, 409]).toContain(reply.status)
    const { usageLimit } = await readDiscount(api, shop, id)
    expect(await usesOf(api, id)).toEqual({ kept: usageLimit === null ? 0 : placed, uses: placed })
  })
})
