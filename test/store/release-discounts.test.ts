import { expect, test } from 'vitest'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { releaseDiscounts } from '../../src/commerce/discounts/release-discounts.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { changeDiscount, discount, readDiscount } from '../support/commerce/discount.ts'
import { asOperator } from '../support/commerce/open-order.ts'
import { order } from '../support/commerce/order.ts'
import { select } from '../support/database-contents.ts'
import { untilWaiting } from '../support/database-locks.ts'
import { openShop, type Shop } from '../support/shop.ts'

const started = useApi()

function release(api: TestApi, shop: Shop, orderId: string): Promise<void> {
  return asOperator(api, shop, (work) => releaseDiscounts(work, OrderId.parse(orderId)))
}

test('releasing the discounts of an order makes its uses of those discounts available again; a repeated release changes nothing', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const combinesWith = ['order']
  const capped = await discount(api, shop, { usageLimit: 1, usageLimitPerCustomer: 1, combinesWith })
  const uncapped = await discount(api, shop, { usageLimitPerCustomer: 1, combinesWith })
  const discountCodes = [capped.code, uncapped.code]
  const first = await order(api, shop, {}, { discountCodes })
  expect((await order(api, shop, {}, { discountCodes })).status).toBe(409)
  await release(api, shop, first.body.id)
  for (const { id } of [capped, uncapped]) {
    expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 0, state: 'active' })
    const { body } = await api.send('GET', `/api/v1/discounts/${id}/redemptions`, { token: shop.token })
    const releasedAt = new Date(api.clock.nowMs()).toISOString()
    expect(body.data).toMatchObject([{ orderId: first.body.id, releasedAt }])
  }
  const rows = 'select redemption_count as count from discounts where merchant_id = $1'
  expect(await select(api, rows, [shop.merchantId])).toEqual([{ count: 0 }, { count: 0 }])
  expect((await order(api, shop, {}, { discountCodes })).status).toBe(201)
  await release(api, shop, first.body.id)
  expect(await readDiscount(api, shop, capped.id)).toMatchObject({ redemptionCount: 1 })
})

test('releasing discounts changes nothing for an order without discounts or an order of another merchant', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const other = await openShop(api.context)
  const { id, code } = await discount(api, shop, { usageLimit: 2 })
  const used = await order(api, shop, {}, { discountCodes: [code] })
  await release(api, shop, (await order(api, shop)).body.id)
  await release(api, other, used.body.id)
  expect(await readDiscount(api, shop, id)).toMatchObject({ redemptionCount: 1 })
})

test('setting the usage limit of a discount waits for a concurrent transaction that releases uses, and then counts only the remaining uses', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id, code } = await discount(api, shop)
  const first = await order(api, shop, {}, { discountCodes: [code] })
  await order(api, shop, {}, { discountCodes: [code] })
  const latch = Promise.withResolvers<void>()
  const released = asOperator(api, shop, async (work) => {
    releaseDiscounts(work, OrderId.parse(first.body.id))
    await latch.promise
  })
  const locked = `select 1 from pg_locks where locktype = 'advisory' and granted and mode = 'ShareLock'
    and database = (select oid from pg_database where datname = current_database())`
  while ((await select(api, locked)).length === 0) {
    // The release has run but not committed.
  }
  const limited = changeDiscount(api, shop, id, { usageLimit: 1 })
  await untilWaiting(api, 1)
  latch.resolve()
  await released
  expect((await limited).body).toMatchObject({ redemptionCount: 1, state: 'exhausted' })
})
