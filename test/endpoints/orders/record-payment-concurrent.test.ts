import { expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { placeUnpaid } from '../../support/commerce/unpaid-order.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { placeOrder } from '../../support/shop.ts'

const started = useApi()

const place = () => placeUnpaid(started())

test('only one of ten concurrent payments with the same reference is recorded, and the others return payment_reference_in_use', async () => {
  const { pay, read } = await place()
  const replies = await Promise.all(Array.from({ length: 10 }, () => pay(100_000, { reference: 'twins' })))
  const [recorded, ...more] = replies.filter((reply) => reply.status === 201)
  expect(more).toEqual([])
  for (const reply of replies) {
    if (reply === recorded) continue
    answers('recordPayment', 'payment_reference_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: recorded?.body.id })
  }
  expect(await read()).toMatchObject({ paidKobo: 100_000, version: 2 })
})

test('only one of ten concurrent payments with the same reference is recorded, even if each is for a different order', async () => {
  const { api, shop } = await place()
  const orders = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const customer = { name: 'Adaeze', email: `twin${index}@example.com` }
      return placeOrder(api, shop, { isPaid: false, body: { customer } })
    }),
  )
  const body = { amountKobo: 100_000, method: 'cash', reference: 'for-all' }
  const replies = await Promise.all(
    orders.map(({ id }) => api.send('POST', `/api/v1/orders/${id}/payments`, { token: shop.token, body })),
  )
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  for (const reply of replies) if (reply.status !== 201) answers('recordPayment', 'payment_reference_in_use', reply)
})

test('only the last of ten concurrent payments, each of a tenth of the total, confirms the order', async () => {
  const { api, shop, pay, read } = await place()
  const replies = await Promise.all(Array.from({ length: 10 }, () => pay(100_000)))
  expect(replies.filter((reply) => reply.body.order.status === 'processing')).toHaveLength(1)
  const paid = replies.map((reply) => reply.body.order.paidKobo).sort((a, b) => a - b)
  expect(paid).toEqual(Array.from({ length: 10 }, (_, index) => (index + 1) * 100_000))
  expect(await read()).toMatchObject({ paidKobo: 1_000_000, status: 'processing', version: 11 })
  expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toHaveLength(1)
})
