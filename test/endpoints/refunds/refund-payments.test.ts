import { describe, expect, test } from 'vitest'
import { connectProvider } from '../../../src/access/connect-provider.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { paystack } from '../../../src/partners/payments/paystack.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { answers } from '../../support/answers.ts'
import { useApi, vault } from '../../support/api.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { refunding } from '../../support/commerce/refund.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { select } from '../../support/database-contents.ts'
import { operator, placeOrder } from '../../support/shop.ts'

const started = useApi()

/** Creates an order that is paid in parts: first the given parts through Paystack, then the rest manually. */
async function paidInParts(byPaystack: readonly number[], byHandKobo = 0) {
  const { api, shop } = await openShopWith(started(), {})
  const paystack = await connectShop(api, shop)
  const totalKobo = byPaystack.reduce((sum, part) => sum + part, byHandKobo)
  const order = await placeOrder(api, shop, { priceKobo: totalKobo, isPaid: false })
  const references: string[] = []
  for (const [index, part] of byPaystack.entries()) {
    const paid_at = `2026-11-2${index}T08:00:00.000Z`
    references.push(await paystack.charge(order.id, part, { paid_at }))
  }
  if (byHandKobo > 0) {
    const body = { amountKobo: byHandKobo, method: 'cash', reference: `manual-${order.id}` }
    await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
  }
  return { api, shop, ...paystack, ...refunding(api, shop, order.id), references, order }
}

test('a refund is taken from the newest payment with a sufficient refundable amount', async () => {
  const { refund, work, server, references } = await paidInParts([500_000, 300_000])
  await refund(200_000)
  await refund(200_000)
  await refund(100_000)
  await work()
  expect(server.refunds.map(({ transactionReference, amount }) => [transactionReference, amount]).sort()).toEqual(
    [
      [references[1], 200_000],
      [references[0], 200_000],
      [references[1], 100_000],
    ].sort(),
  )
})

test('a refund that exceeds every single payment of the order is rejected, and the error returns the largest possible refund', async () => {
  const { refund, read } = await paidInParts([500_000, 300_000])
  const reply = await refund(500_001)
  answers('createRefund', 'refund_exceeds_refundable', reply)
  expect(reply.body.error.details).toEqual({ refundableKobo: 500_000 })
  expect((await refund(500_000)).status).toBe(201)
  expect((await refund(300_000)).status).toBe(201)
  expect(await read()).toMatchObject({ refundableKobo: 0, refundPendingKobo: 800_000 })
})

test('a refund is manual if no Paystack payment has a sufficient refundable amount', async () => {
  const { refund } = await paidInParts([300_000], 500_000)
  expect((await refund(300_000)).body).toMatchObject({ provider: 'paystack', status: 'pending' })
  expect((await refund(400_000)).body).toMatchObject({ provider: 'manual', status: 'succeeded' })
  const reply = await refund(100_001)
  answers('createRefund', 'refund_exceeds_refundable', reply)
  expect((await refund(100_000)).body).toMatchObject({ provider: 'manual', order: { refundableKobo: 0 } })
})

test('a failed refund makes its payment refundable again', async () => {
  const { refund, server, work } = await paidInParts([300_000])
  const { id } = (await refund(300_000)).body
  server.failRefund(id, 'create', 'refuses')
  await work()
  await refund(300_000)
  await work()
  expect(server.refunds).toMatchObject([{ amount: 300_000 }])
})

describe('409 payment_disputed', () => {
  async function dispute({ server, sendCallback, apply }: Awaited<ReturnType<typeof paidInParts>>, reference = '') {
    await sendCallback(server.callback('charge.dispute.create', { id: reference.length, transaction: { reference } }))
    await apply()
  }

  test('createRefund returns 409 payment_disputed for a disputed payment, even if the refund would be manual', async () => {
    const paid = await paidInParts([300_000])
    await dispute(paid, paid.references[0])
    answers('createRefund', 'payment_disputed', await paid.refund(1))
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
    answers('createRefund', 'payment_disputed', await paid.refund(1, { destination }))
    expect(await select(paid.api, 'select 1 from refunds where order_id = $1', [paid.order.id])).toEqual([])
  })

  test('if one payment of an order is disputed, its other payments can still be refunded', async () => {
    const paid = await paidInParts([300_000, 200_000], 100_000)
    await dispute(paid, paid.references[0])
    answers('createRefund', 'payment_disputed', await paid.refund(200_001))
    expect((await paid.refund(200_000)).body).toMatchObject({ provider: 'paystack' })
    expect((await paid.refund(100_000)).body).toMatchObject({ provider: 'manual' })
    answers('createRefund', 'payment_disputed', await paid.refund(1))
  })
})

test('a real payment provider cannot be connected in test mode', async () => {
  const { api, shop } = await openShopWith(started(), {})
  const testTenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
  const outcome = await connectProvider({ ...api.context, vault, isProduction: false }, operator, testTenant, {
    ...{ provider: paystack, secretKey: 'sk_test_local' },
  })
  expect(outcome).toEqual({ is: 'test_mode' })
})

test('a refund waits while the merchant has no usable Paystack key, and can be cancelled', async () => {
  const { api, shop, refund, context, server } = await paidInParts([300_000])
  const { id } = (await refund(1000)).body
  await payRefunds({ ...context, vault: vaultOf([Buffer.alloc(32, 9)]) }, shop.merchantId)
  expect(server.requests).toEqual([])
  const [row] = await select(api, 'select submitted_at, next_check_at > $2 as waits from refunds where id = $1', [
    id,
    new Date(api.clock.nowMs()),
  ])
  expect(row).toEqual({ submitted_at: null, waits: true })
  const reply = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  expect(reply.body).toMatchObject({ status: 'cancelled' })
})
