import { describe, expect, test } from 'vitest'
import { dayInLagos, daysAfter } from '../../../src/base/calendar.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { summariseSales } from '../../../src/commerce/reports/summarise-sales.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openEditableOrder, units } from '../../support/commerce/editable-order.ts'
import { paid } from '../../support/commerce/refund.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()

const today = () => dayInLagos(toTimestamp(started().clock.nowMs()))

async function report({ token }: Pick<Shop, 'token'>, query = '') {
  return started().send('GET', `/api/v1/reports/sales${query}`, { token })
}

async function totalsOf(shop: Pick<Shop, 'token'>, query = '') {
  const { status, text, body } = await report(shop, query)
  expect(status, text).toBe(200)
  return body.totals
}

describe('the range of a sales report', () => {
  test('a sales report without a range covers the last 30 days, with a row for every day', async () => {
    const { body } = await report(await openShop(started().context))
    expect(body).toMatchObject({ groupBy: 'day', from: daysAfter(today(), -29), to: today() })
    expect(body.data.map(({ group }: { group: string }) => group)).toEqual(
      Array.from({ length: 30 }, (_, index) => daysAfter(today(), index - 29)),
    )
    expect(body.totals).toMatchObject({ orderCount: 0, netKobo: 0 })
  })

  test('the range of a sales report begins and ends at midnight in Lagos time', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop)
    const place = async (at: string) => {
      await select(api, 'update orders set created_at = $2 where id = $1', [id, at])
      // The service never changes the creation time of an order. The test itself therefore queues the changed days for
      // the sales summaries.
      await select(api, 'delete from sales_summaries where merchant_id = $1', [shop.merchantId])
      await select(api, 'insert into sales_changes (merchant_id, day) values ($1, $2), ($1, $3), ($1, $4)', [
        shop.merchantId,
        ...['2026-11-09', '2026-11-10', '2026-11-11'],
      ])
      return (await totalsOf(shop, '?from=2026-11-10&to=2026-11-10')).orderCount
    }
    expect(await place('2026-11-09T22:59:59.999Z')).toBe(0)
    expect(await place('2026-11-09T23:00:00.000Z')).toBe(1)
    expect(await place('2026-11-10T22:59:59.999Z')).toBe(1)
    expect(await place('2026-11-10T23:00:00.000Z')).toBe(0)
  })

  test.for([
    ['?from=2026-11-02&to=2026-11-01', 'from 2026-11-02 must not be after to 2026-11-01.'],
    ['?from=2025-01-01&to=2026-01-02', 'The days from 2025-01-01 to 2026-01-02 are 367, but a report has at most 366.'],
  ])('getSalesReport returns 400 invalid_time_range for %s', async ([query = '', message]) => {
    const reply = await report(await openShop(started().context), query)
    answers('getSalesReport', 'invalid_time_range', reply)
    expect(reply.body.error).toMatchObject({ message, errors: [{ path: 'query.from' }] })
  })

  test('a sales report accepts the range of a leap year', async () => {
    const { status } = await report(await openShop(started().context), '?from=2028-01-01&to=2028-12-31')
    expect(status).toBe(200)
  })

  test.for([
    '?from=2026-02-29',
    '?to=1999-12-31',
    '?from=2026-11-21T00:00:00Z',
    '?groupBy=week',
    '?limit=101',
  ])('getSalesReport returns 400 validation_failed for %s', async (query) => {
    answers('getSalesReport', 'validation_failed', await report(await openShop(started().context), query))
  })
})

describe('an order in a sales report', () => {
  test('a sales report contains an order as soon as the order is placed, before and after the day is summarised', async () => {
    const api = started()
    const shop = await openShop(api.context)
    for (const expected of [1, 2, 3]) {
      const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
      const body = orderBody(variantId, { shippingKobo: 50_000 })
      await api.send('POST', '/api/v1/orders', { token: shop.token, body })
      const figures = { orderCount: expected, grossKobo: expected * 1_000_000, shippingKobo: expected * 50_000 }
      expect(await totalsOf(shop)).toMatchObject({ ...figures, netKobo: expected * 1_050_000 })
      await summariseSales(api)
      expect(await totalsOf(shop)).toMatchObject({ ...figures, netKobo: expected * 1_050_000 })
    }
  })

  test('a sales report omits an order that has expired without a payment', async () => {
    const api = started()
    const shop = await openShop(api.context)
    await placeOrder(api, shop, { isPaid: false })
    await summariseSales(api)
    expect(await totalsOf(shop)).toMatchObject({ orderCount: 1 })
    api.clock.advance(40 * 24 * 3_600_000)
    await expireOrders(api.context)
    const range = `?from=${daysAfter(today(), -60)}`
    expect(await totalsOf(shop, range)).toMatchObject({ orderCount: 0, grossKobo: 0 })
    await summariseSales(api)
    expect(await totalsOf(shop, range)).toMatchObject({ orderCount: 0, grossKobo: 0 })
    expect(await select(api, 'select 1 from sales_summaries where merchant_id = $1', [shop.merchantId])).toEqual([])
  })

  test('a sales report omits the order of a dry run', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId)
    const headers = { 'Service-Dry-Run': 'true' }
    await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId), headers })
    expect(await totalsOf(shop)).toMatchObject({ orderCount: 0 })
    expect(await select(api, 'select 1 from sales_changes where merchant_id = $1', [shop.merchantId])).toEqual([])
  })

  test('a sales report omits the orders of other merchants', async () => {
    const api = started()
    const shop = await openShop(api.context)
    await placeOrder(api, await openShop(api.context))
    for (const groupBy of ['day', 'product', 'source', 'state']) {
      expect(await totalsOf(shop, `?groupBy=${groupBy}`)).toMatchObject({ orderCount: 0 })
    }
  })

  test('after an edit replaces the items of an order by another product of the same price, a sales report counts the sale for the new product', async () => {
    const { api, shop, edit, dress } = await openEditableOrder(started())
    const { productId, variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const groups = async () => (await report(shop, '?groupBy=product')).body.data
    expect(await groups()).toMatchObject([{ group: dress.productId, title: 'Ankara maxi dress', unitCount: 2 }])
    await summariseSales(api)
    expect((await edit({ items: [units(variantId, 2)] })).status).toBe(200)
    expect(await groups()).toMatchObject([{ group: productId, unitCount: 2 }])
    await summariseSales(api)
    expect(await groups()).toMatchObject([{ group: productId, unitCount: 2 }])
  })
})

describe('a refund in a sales report', () => {
  test('a sales report subtracts a refund on the day of the refund, so the net sales of that day can be negative', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { refund, itemIds } = await paid(api, shop, [[1_000_000, 2]])
    const orderDay = today()
    await summariseSales(api)
    api.clock.advance(3 * 24 * 3_600_000)
    expect((await refund(1_000_000, { items: [{ itemId: itemIds[0], quantity: 1 }] })).status).toBe(201)
    const { body } = await report(shop, `?from=${orderDay}&to=${today()}`)
    expect(body.data.map(({ netKobo }: { netKobo: number }) => netKobo)).toEqual([2_000_000, 0, 0, -1_000_000])
    expect(body.totals).toMatchObject({ orderCount: 1, unitCount: 2, refundsKobo: 1_000_000, netKobo: 1_000_000 })
  })

  test('a sales report omits the refund of a cancelled order', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { order, refund } = await paid(api, shop, [[1_000_000, 1]])
    await refund(400_000)
    await summariseSales(api)
    expect(await totalsOf(shop)).toMatchObject({ refundsKobo: 400_000, netKobo: 600_000 })
    const cancelled = await api.send('POST', `/api/v1/orders/${order.id}/cancel`, {
      token: shop.token,
      body: { reason: 'customer' },
    })
    expect(cancelled.status, cancelled.text).toBe(200)
    expect(await totalsOf(shop)).toMatchObject({ orderCount: 0, refundsKobo: 0, netKobo: 0 })
  })

  test('a refund of the overpayment of an edited order does not lower the sales in the report', async () => {
    const { api, shop, edit, pay, refund, scarf } = await openEditableOrder(started())
    await pay(2_000_000)
    expect((await edit({ items: [units(scarf.variantId, 2)] })).body).toMatchObject({ balanceKobo: -1_500_000 })
    await summariseSales(api)
    expect((await refund(1_400_000)).status).toBe(201)
    expect(await totalsOf(shop)).toMatchObject({ grossKobo: 500_000, refundsKobo: 0, netKobo: 500_000 })
    expect((await refund(300_000)).status).toBe(201)
    expect(await totalsOf(shop)).toMatchObject({ refundsKobo: 200_000, netKobo: 300_000 })
  })
})
