import { describe, expect, test } from 'vitest'
import { newRefundId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { paid } from '../../support/commerce/refund.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, eventsOf } from '../../support/database-contents.ts'

const started = useApi()

async function open() {
  const { api, shop } = await openShopWith(started(), { tax_registered: true })
  const opened = await paidByPaystack(api, shop, { priceKobo: 1_075_000 })
  const cancel = (id: string) => api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  return { api, shop, ...opened, cancel }
}

describe('200 responses of cancelRefund', () => {
  test('cancelRefund makes the refund’s amount, VAT and units refundable again, without any request to Paystack', async () => {
    const { api, shop, refund, cancel, get, getOrder, server, work, order } = await open()
    const items = [{ itemId: order.items[0]?.id, quantity: 1 }]
    const made = (await refund(1_075_000, { items })).body
    const { version } = await getOrder()
    const reply = await cancel(made.id)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      id: made.id,
      status: 'cancelled',
      succeededAt: null,
      failedAt: null,
      order: { refundedKobo: 0, refundableKobo: 1_075_000, paymentStatus: 'paid' },
    })
    expect(await get(made.id)).toEqual(reply.body)
    expect(await getOrder()).toMatchObject({
      refundPendingKobo: 0,
      refundableKobo: 1_075_000,
      version: version + 1,
      items: [{ refundedQuantity: 0 }],
    })
    await work()
    expect(server.refunds).toEqual([])
    expect((await refund(1_075_000, { items })).body.taxKobo).toBe(made.taxKobo)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toEqual([])
  })

  test('a refund that is cancelled while the worker runs is either cancelled or submitted, never both', async () => {
    const { refund, cancel, server, work, get } = await open()
    for (let round = 0; round < 10; round++) {
      const { id } = (await refund(10_000)).body
      const asked = server.refunds.length
      const [reply] = await Promise.all([cancel(id), work()])
      const wasAsked = server.refunds.length > asked
      expect([reply.status === 200, (await get(id)).status === 'cancelled']).toEqual([!wasAsked, !wasAsked])
    }
  })
})

describe('404 refund_not_found', () => {
  test('cancelRefund returns 404 refund_not_found for an unknown id', async () => {
    const { cancel } = await open()
    answers('cancelRefund', 'refund_not_found', await cancel(newRefundId(0)))
  })
})

describe('409 refund_not_cancellable', () => {
  test('cancelRefund returns 409 refund_not_cancellable once the service has called Paystack, regardless of the response', async () => {
    const { api, refund, cancel, server, work } = await open()
    const { id } = (await refund(10_000)).body
    server.failRefund(id, 'create', 'accepts_and_never_answers')
    await work()
    const before = await contentsOf(api)
    const reply = await cancel(id)
    answers('cancelRefund', 'refund_not_cancellable', reply)
    expect(reply.body.error.details).toEqual({ status: 'pending' })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('cancelRefund returns 409 refund_not_cancellable for a manual refund', async () => {
    const { api, shop, cancel } = await open()
    const { refund } = await paid(api, shop, [[1000, 1]])
    const reply = await cancel((await refund(1000)).body.id)
    answers('cancelRefund', 'refund_not_cancellable', reply)
    expect(reply.body.error.details).toEqual({ status: 'succeeded' })
  })

  test('cancelRefund succeeds for one of ten concurrent requests, and returns 409 refund_not_cancellable for the others', async () => {
    const { refund, cancel, getOrder } = await open()
    const { id } = (await refund(10_000)).body
    const replies = await Promise.all(Array.from({ length: 10 }, () => cancel(id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 200) answers('cancelRefund', 'refund_not_cancellable', reply)
    expect(await getOrder()).toMatchObject({ refundPendingKobo: 0, refundableKobo: 1_075_000 })
  })
})
