import { describe, expect, test } from 'vitest'
import { toKobo } from '../../../src/commerce/money.ts'
import { tamperWith } from '../../audit/rewritten-chain.ts'
import { useApi } from '../../support/api.ts'
import { openEditableOrder, units } from '../../support/commerce/editable-order.ts'
import { exchangesAt } from '../../support/commerce/exchange.ts'
import { openLinkShop } from '../../support/commerce/payment-links.ts'
import { connectShop, exchangeableProvider } from '../../support/commerce/paystack.ts'
import { soldOrder } from '../../support/commerce/sold-order.ts'
import { placeUnpaid } from '../../support/commerce/unpaid-order.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'
import { openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

/**
 * Tests receipt numbers: every way to pay an order gives it a number, the numbers of a merchant have no gap, and no
 * number changes later.
 */

const exchanged = exchangeableProvider()
const started = useApi({ sendsCallbacks: true, provider: exchanged.provider })
const { paid, exchange } = exchangesAt(started)

const read = async ({ token }: Shop, id: string) =>
  (await started().send('GET', `/api/v1/orders/${id}`, { token })).body

const numberOf = async (shop: Shop, id: string): Promise<number | null> => (await read(shop, id)).receiptNumber

const numbersOf = async ({ merchantId }: Shop): Promise<number[]> =>
  (await select(started(), 'select number from receipts where merchant_id = $1 order by number', [merchantId])).map(
    ({ number }) => number,
  )

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('the receipt number of an order', () => {
  test('an order gets its receipt number when a payment covers its total, and not with a partial payment', async () => {
    const { shop, order, pay } = await placeUnpaid(started())
    expect(order).toMatchObject({ receiptNumber: null })
    await pay(400_000)
    expect(await numberOf(shop, order.id)).toBe(null)
    await pay(600_000)
    expect(await numberOf(shop, order.id)).toBe(1)
  })

  test('an order gets its receipt number with a payment that a payment provider reports', async () => {
    const { api, shop, order } = await placeUnpaid(started())
    const provider = await connectShop(api, shop)
    await provider.charge(order.id, order.totalKobo)
    expect(await numberOf(shop, order.id)).toBe(1)
  })

  test('an order gets its receipt number when the order’s payment link is paid', async () => {
    const opened = await openLinkShop(started(), exchanged)
    const { body: link } = await opened.create()
    await opened.payPage(link.reference)
    expect(await opened.readOrder()).toMatchObject({ paymentStatus: 'paid', receiptNumber: 1 })
  })

  test('an order gets its receipt number when the carrier delivers the parcel and collects the cash', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop, { isPaid: false })
    const codAmountKobo = toKobo(order.totalKobo)
    const { update } = await openTrackedShipment(api, shop, { orderId: order.id, codAmountKobo })
    await update('picked_up', 1)
    expect(await numberOf(shop, order.id)).toBe(null)
    await update('delivered', 5, { cashKobo: codAmountKobo })
    expect(await numberOf(shop, order.id)).toBe(1)
  })

  test('an order that is fully paid by the credit of an exchange gets its receipt number at creation, and the response contains the number', async () => {
    const sold = await paid()
    const { reply } = await exchange(sold, await sold.approved(1))
    expect(reply.body).toMatchObject({ paymentStatus: 'paid', receiptNumber: 2 })
    expect(await numberOf(sold.shop, reply.body.id)).toBe(2)
  })

  test('an order gets its receipt number when an edit lowers its total to the paid amount, and the response and the event contain the number', async () => {
    const { api, shop, order, dress, edit, read, pay } = await openEditableOrder(started())
    await pay(1_000_000)
    expect(await numberOf(shop, order.id)).toBe(null)
    const { body } = await edit({ items: [units(dress.variantId, 1)] })
    expect(body).toMatchObject({ paymentStatus: 'paid', receiptNumber: 1 })
    expect(await read()).toEqual(body)
    expect(await eventsOf(api, shop.merchantId, 'order.edited')).toMatchObject([
      { data: { order: { receiptNumber: 1 } } },
    ])
  })

  test('an order that is created without an amount due gets its receipt number at once, and the response and the event contain the number', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 0 })
    const { token } = shop
    const { body } = await api.send('POST', '/api/v1/orders', { token, body: orderBody(variantId) })
    expect(body).toMatchObject({ totalKobo: 0, paymentStatus: 'paid', receiptNumber: 1 })
    expect(await read(shop, body.id)).toEqual(body)
    expect(await eventsOf(api, shop.merchantId, 'order.created')).toMatchObject([
      { data: { order: { receiptNumber: 1 } } },
    ])
  })
})

describe('the receipt numbers of a merchant', () => {
  test('receipt numbers have no gap after 20 concurrent payments, some of them repeated, and each order has one number', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const orders = await Promise.all(upTo(20).map(() => placeOrder(api, shop, { isPaid: false })))
    const pay = ({ id, totalKobo: amountKobo }: (typeof orders)[number]) =>
      api.send('POST', `/api/v1/orders/${id}/payments`, {
        token: shop.token,
        body: { amountKobo, method: 'cash', reference: id },
      })
    const replies = await Promise.all([...orders, ...orders.slice(0, 5)].map(pay))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(await numbersOf(shop)).toEqual(upTo(20))
    const numbers = await Promise.all(orders.map(({ id }) => numberOf(shop, id)))
    expect(numbers.sort((a, b) => Number(a) - Number(b))).toEqual(upTo(20))
  })

  test('concurrent payments, orders of a free product and exchanges leave no gap in the receipt numbers', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { token } = shop
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 0 })
    const orders = await Promise.all(upTo(8).map(() => placeOrder(api, shop, { isPaid: false })))
    const sold = await Promise.all(upTo(4).map(() => soldOrder(api, { shop })))
    for (const each of sold) await each.pay()
    const returnIds = await Promise.all(sold.map((each) => each.approved(1)))
    const exchanging = sold.map((each, index) => exchange(each, returnIds[index] ?? '', { priceKobo: 0 }))
    const replies = await Promise.all(
      orders.flatMap(({ id, totalKobo: amountKobo }, index) => {
        const customer = { name: 'Adaeze', email: `free${index}@example.com` }
        const payment = { amountKobo, method: 'cash', reference: id }
        return [
          api.send('POST', `/api/v1/orders/${id}/payments`, { token, body: payment }),
          api.send('POST', '/api/v1/orders', { token, body: orderBody(variantId, { customer }) }),
        ]
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const exchanges = await Promise.all(exchanging)
    expect(exchanges.map(({ reply }) => reply.status)).toEqual([201, 201, 201, 201])
    expect(await numbersOf(shop)).toEqual(upTo(24))
  })

  test('while an exchange that creates a paid order waits for a lock, another order gets its receipt number without waiting', async () => {
    const api = started()
    const sold = await paid()
    const { shop } = sold
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 0 })
    const returnId = await sold.approved(1)
    await whileLocked(api, { text: 'lock table refunds in exclusive mode' }, async (holder) => {
      const exchanging = exchange(sold, returnId, { priceKobo: 0 })
      await untilWaiting(api, 1)
      const customer = { name: 'Bola', email: 'bola@example.com' }
      const body = orderBody(variantId, { customer })
      const free = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
      expect(free.body).toMatchObject({ receiptNumber: 2 })
      await holder.query('commit')
      expect((await exchanging).reply.body).toMatchObject({ paymentStatus: 'paid', receiptNumber: 3 })
    })
    expect(await numbersOf(shop)).toEqual([1, 2, 3])
  })

  test('receipt numbers have no gap after a rejected payment or after a dry run of a payment', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    const body = { amountKobo: 1_000_000, method: 'cash', reference: 'till-1' }
    const headers = { 'Service-Dry-Run': 'true' }
    const path = `/api/v1/orders/${order.id}/payments`
    expect((await api.send('POST', path, { token: shop.token, body, headers })).body.order.paymentStatus).toBe('paid')
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 0 })
    const free = { token: shop.token, body: orderBody(variantId), headers }
    expect((await api.send('POST', '/api/v1/orders', free)).body.receiptNumber).toBe(1)
    expect((await pay(1_000_001)).status).toBe(409)
    expect(await numbersOf(shop)).toEqual([])
    await pay(1_000_000)
    expect(await numbersOf(shop)).toEqual([1])
  })

  test('receipt numbers have no gap after a transaction that issued a receipt was rolled back', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    const { merchantId } = shop
    const connection = await api.database.pool.connect()
    try {
      await connection.query('begin')
      await connection.query('update orders set paid_kobo = total_kobo, paid_at = now() where id = $1', [order.id])
      const values = [merchantId, order.id]
      expect((await connection.query('select issue_receipt($1, $2) as number', values)).rows).toEqual([{ number: 1 }])
      await connection.query('rollback')
    } finally {
      connection.release()
    }
    expect(await numbersOf(shop)).toEqual([])
    await pay(1_000_000)
    expect(await numberOf(shop, order.id)).toBe(1)
  })

  test('if two concurrent transactions issue the receipt of one order, the order gets one number, and the next number follows without a gap', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const [order, next] = [
      await placeOrder(api, shop, { isPaid: false }),
      await placeOrder(api, shop, { isPaid: false }),
    ]
    const values = [shop.merchantId, order.id]
    // A paid order of an earlier release, which has no receipt.
    await tamperWith(api.superuserConnectionString, [
      'set session_replication_role = replica',
      `update orders set paid_at = now() where id = '${order.id}'`,
    ])
    const issue = { text: 'select issue_receipt($1, $2) as number', values }
    await whileLocked(api, issue, async (holder) => {
      const waiting = select(api, issue.text, values)
      await untilWaiting(api, 1)
      await holder.query('commit')
      expect(await waiting).toEqual([{ number: 1 }])
    })
    await api.send('POST', `/api/v1/orders/${next.id}/payments`, {
      token: shop.token,
      body: { amountKobo: next.totalKobo, method: 'cash', reference: next.id },
    })
    expect(await numbersOf(shop)).toEqual([1, 2])
  })

  test('receipt numbers start at 1 for each merchant', async () => {
    const api = started()
    const [first, second] = [await openShop(api.context), await openShop(api.context)]
    await placeOrder(api, first)
    await placeOrder(api, first)
    await placeOrder(api, second)
    expect([await numbersOf(first), await numbersOf(second)]).toEqual([[1, 2], [1]])
  })
})

describe('changes after a receipt was issued', () => {
  test('the receipt number of an order stays the same after its payment is voided and another payment is recorded', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    const { body: payment } = await pay(1_000_000)
    const body = { reason: 'wrong_order' }
    const voided = await api.send('POST', `/api/v1/payments/${payment.id}/void`, { token: shop.token, body })
    expect(voided.status, voided.text).toBe(200)
    expect(await read(shop, order.id)).toMatchObject({ paidAt: null, receiptNumber: 1 })
    await placeOrder(api, shop)
    await pay(1_000_000)
    expect(await numberOf(shop, order.id)).toBe(1)
    expect(await numbersOf(shop)).toEqual([1, 2])
  })

  test('the receipt number of an order stays the same after a refund and after an edit that raises the total', async () => {
    const { shop, order, dress, edit, pay, refund } = await openEditableOrder(started())
    await pay(2_000_000)
    expect((await edit({ items: [units(dress.variantId, 3)] })).body).toMatchObject({ paidAt: null, receiptNumber: 1 })
    await refund(500_000)
    expect(await numberOf(shop, order.id)).toBe(1)
  })

  test('the database rejects a change and a deletion of an issued receipt', async () => {
    const { shop, pay } = await placeUnpaid(started())
    await pay(1_000_000)
    const { pool } = started().database
    for (const change of [
      'update receipts set number = 2 where merchant_id = $1',
      'delete from receipts where merchant_id = $1',
    ])
      await expect(pool.query(change, [shop.merchantId])).rejects.toThrow(/append-only|permission denied/)
  })
})
