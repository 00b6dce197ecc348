import { describe, expect, test } from 'vitest'
import { expireOrders } from '../../src/commerce/orders/expire-orders.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { connectShop } from '../support/commerce/paystack.ts'
import { openShop, placeOrder } from '../support/shop.ts'

/**
 * The payment problems of an order follow from its amounts: received payments, minus paid refunds, minus the amounts
 * that lost disputes returned.
 */

const started = useApi()

const dayMs = 24 * 3_600_000

const totalKobo = 1_000_000

/** Creates an unpaid order of 1,000,000 kobo in a shop with a fake Paystack server. */
async function open() {
  const api = started()
  const shop = await openShop(api.context)
  const paystack = await connectShop(api, shop)
  const { server, sendCallback, apply, work, charge } = paystack
  const order = await placeOrder(api, shop, { priceKobo: totalKobo, isPaid: false })
  const send = async (path: string, body: object) => {
    const reply = await api.send('POST', `/api/v1${path}`, { token: shop.token, body })
    expect(reply.status, reply.text).toBeLessThan(300)
  }
  let disputes = 0
  return {
    api,
    order,
    pay: (amountKobo = totalKobo) => charge(order.id, amountKobo),
    /** Refunds an amount through Paystack, and applies the callback that reports the refund as paid. */
    refund: async (amountKobo: number) => {
      await send('/refunds', { orderId: order.id, amountKobo, reason: 'other' })
      await work()
      await sendCallback(server.refundCallback(server.move('processed')))
      await apply()
    },
    /** Reports that the bank returned the latest refund to Paystack. */
    bounce: async () => {
      await sendCallback(server.refundCallback(server.move('failed')))
      await apply()
    },
    /** Reports that the payer has won a dispute of a payment. */
    lose: async (reference: string, amountKobo: number) => {
      disputes += 1
      const lost = {
        id: disputes,
        transaction: { reference },
        resolution: 'merchant-accepted',
        refund_amount: amountKobo,
      }
      await sendCallback(server.callback('charge.dispute.resolve', { ...lost, currency: 'NGN' }))
      await apply()
    },
    /** Submits a refund through Paystack. Paystack then reports that the refund failed. */
    failRefund: async (amountKobo: number) => {
      await send('/refunds', { orderId: order.id, amountKobo, reason: 'other' })
      await work()
      await sendCallback(server.refundCallback(server.move('failed')))
      await apply()
    },
    move: (to: string) => send(`/orders/${order.id}/transition`, { to }),
    cancel: () => send(`/orders/${order.id}/cancel`, { reason: 'customer' }),
    expire: async () => {
      api.clock.advance(dayMs)
      await expireOrders(api.context)
    },
    status: async () => (await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })).body.status,
    /** Returns the kinds of the open payment problems. Leaves out the notifications that report a lost dispute. */
    problems: async () => {
      const rows = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 50, state: 'open' })
      return rows.map(({ kind }) => kind).filter((kind) => kind !== 'payment.dispute_lost')
    },
  }
}

describe('an overpayment', () => {
  test('an overpayment is reported until a lost dispute has returned the excess amount to the payer', async () => {
    const { pay, lose, problems } = await open()
    const reference = await pay(totalKobo + 500)
    await lose(reference, 499)
    expect(await problems()).toEqual(['payment.overpaid'])
    await lose(reference, 1)
    expect(await problems()).toEqual([])
  })

  test.for([
    ['a lost dispute and then a refund', ['lose', 'refund']],
    ['a refund and then a lost dispute', ['refund', 'lose']],
  ] as const)('an overpayment is reported until %s have together returned the excess amount', async ([, steps]) => {
    const { pay, lose, refund, problems } = await open()
    const reference = await pay(totalKobo + 500)
    for (const [index, step] of steps.entries()) {
      expect(await problems()).toEqual(['payment.overpaid'])
      const amountKobo = [300, 200][index] ?? 0
      await (step === 'lose' ? lose(reference, amountKobo) : refund(amountKobo))
    }
    expect(await problems()).toEqual([])
  })

  test('the second payment of an order is reported as an overpayment until a lost dispute returns one of the two payments', async () => {
    const { pay, lose, problems } = await open()
    const reference = await pay()
    await pay()
    expect(await problems()).toEqual(['payment.overpaid'])
    await lose(reference, totalKobo)
    expect(await problems()).toEqual([])
  })

  test('a payment is not reported as an overpayment if it replaces a payment that a lost dispute returned', async () => {
    const { pay, lose, problems } = await open()
    await lose(await pay(), totalKobo)
    await pay()
    expect(await problems()).toEqual([])
    await pay(1)
    expect(await problems()).toEqual(['payment.overpaid'])
  })

  test('an overpayment is reported again if the refund of the excess first succeeds and later fails', async () => {
    const { pay, refund, bounce, problems } = await open()
    await pay(totalKobo + 500)
    await refund(500)
    expect(await problems()).toEqual([])
    await bounce()
    expect(await problems()).toEqual(['payment.overpaid'])
  })
})

describe('a payment of a cancelled order', () => {
  test('a cancelled order with payments is reported until a lost dispute has returned the money to the payer', async () => {
    const { pay, lose, cancel, problems } = await open()
    const reference = await pay()
    await cancel()
    await lose(reference, totalKobo - 1)
    expect(await problems()).toEqual(['order.cancelled_unrefunded'])
    await lose(reference, 1)
    expect(await problems()).toEqual([])
  })

  test('the payment of a cancelled order is not reported if a lost dispute returned the payment before the cancellation', async () => {
    const { pay, lose, cancel, problems } = await open()
    await lose(await pay(), totalKobo)
    await cancel()
    expect(await problems()).toEqual([])
  })

  test('a payment of an expired order is reported until a lost dispute has returned the money to the payer', async () => {
    const { pay, lose, expire, problems } = await open()
    await expire()
    const reference = await pay()
    expect(await problems()).toEqual(['payment.of_cancelled_order'])
    await lose(reference, totalKobo)
    expect(await problems()).toEqual([])
  })

  test('a cancelled order is reported as not refunded if a refund that had succeeded before the cancellation fails later', async () => {
    const { pay, refund, bounce, cancel, problems } = await open()
    await pay()
    await refund(totalKobo)
    await cancel()
    expect(await problems()).toEqual([])
    await bounce()
    expect(await problems()).toEqual(['order.cancelled_unrefunded'])
  })
})

describe('an order that is paid in part', () => {
  test.for([
    ['a refund', 'refund'],
    ['a lost dispute', 'lose'],
  ] as const)('a partly paid order that no longer expires is reported until it is cancelled, even if %s has returned the partial payment', async ([
    ,
    step,
  ]) => {
    const { pay, lose, refund, expire, cancel, problems } = await open()
    const reference = await pay(totalKobo / 2)
    await expire()
    await (step === 'lose' ? lose(reference, totalKobo / 2) : refund(totalKobo / 2))
    expect(await problems()).toEqual(['order.partly_paid'])
    await cancel()
    expect(await problems()).toEqual([])
  })

  test('if a lost dispute returned the partial payment of an order, the order expires like an unpaid order', async () => {
    const { pay, lose, expire, status, problems } = await open()
    await lose(await pay(totalKobo / 2), totalKobo / 2)
    await expire()
    expect(await status()).toBe('cancelled')
    expect(await problems()).toEqual([])
  })
})

test.for([
  ['the whole payment', totalKobo],
  ['a part of the payment', totalKobo / 2],
] as const)('when a refund of %s fails for a returned order, the service reports that the order has paid units that cannot be sent', async ([
  ,
  amountKobo,
]) => {
  const { pay, move, failRefund, refund, problems } = await open()
  await pay()
  for (const to of ['shipped', 'delivered', 'returned']) await move(to)
  await failRefund(amountKobo)
  expect(await problems()).toEqual(['order.paid_unshippable'])
  await refund(totalKobo)
  expect(await problems()).toEqual([])
})
