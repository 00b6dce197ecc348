import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { paid } from '../../support/commerce/refund.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../../support/database-contents.ts'

const started = useApi()
const open = (settings: Settings = {}) => openShopWith(started(), settings)

describe('concurrent refunds of one order', () => {
  test('exactly 10 of 20 concurrent refunds, each of a tenth of the payment, succeed', async () => {
    const { api, shop } = await open({ tax_registered: true })
    const { refund, read } = await paid(api, shop, [[1_000_000, 1]])
    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(100_000)))
    const made = replies.filter((reply) => reply.status === 201)
    expect(made).toHaveLength(10)
    for (const reply of replies) if (!made.includes(reply)) answers('createRefund', 'order_fully_refunded', reply)
    const order = await read()
    expect(order).toMatchObject({ refundedKobo: 1_000_000, refundableKobo: 0, paymentStatus: 'refunded', version: 12 })
    expect(made.reduce((sum, reply) => sum + reply.body.taxKobo, 0)).toBe(order.taxKobo)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(10)
    const kept = await select(api, 'select 1 from refunds where merchant_id = $1', [shop.merchantId])
    expect(kept).toHaveLength(10)
  })

  test('concurrent refunds and payments of one order are all included in the amounts of the order', async () => {
    const { api, shop } = await open()
    const { order, refund, read } = await paid(api, shop, [[1_000_000, 1]])
    const pay = (index: number) => {
      const body = { amountKobo: 1000, method: 'cash', reference: `mixed-${index}`, allowOverpayment: true }
      return api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? refund(500) : pay(index))))
    expect(await read()).toMatchObject({ paidKobo: 1_010_000, refundedKobo: 5000, refundableKobo: 1_005_000 })
  })

  test('only one of several concurrent refunds of the last unit of an item succeeds', async () => {
    const { api, shop } = await open()
    const { refund, itemIds } = await paid(api, shop, [[1000, 1]])
    const items = [{ itemId: itemIds[0], quantity: 1 }]
    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(1, { items })))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 201) answers('createRefund', 'refund_quantity_exceeds', reply)
  })
})
