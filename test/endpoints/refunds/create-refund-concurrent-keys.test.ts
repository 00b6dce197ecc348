import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { expectReplay, openScene } from '../../support/commerce/refund-replay.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { whileLocked } from '../../support/database-locks.ts'
import type { Shop } from '../../support/shop.ts'

/** Spec 4.5: several requests with the same Idempotency-Key at the same time. */

const started = useApi()
const path = '/api/v1/refunds'
const open = (isPaid = true) => openScene(started(), isPaid)

describe('concurrent requests of createRefund with one key', () => {
  test('50 concurrent identical refund requests create one refund and return 50 identical bodies', async () => {
    const { api, shop, refund, count } = await open()
    const replies = await Promise.all(Array.from({ length: 50 }, () => refund('storm')))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    const first = replies.filter((reply) => reply.headers.get('idempotent-replayed') === null)
    expect(first).toHaveLength(1)
    for (const reply of replies) if (reply !== first[0] && first[0] !== undefined) expectReplay(reply, first[0])
    expect(await count()).toBe(1)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
    const order = await api.send('GET', `/api/v1/orders/${first[0]?.body.orderId}`, { token: shop.token })
    expect(order.body.refundedKobo).toBe(100_000)
  })

  test('50 concurrent identical refund requests that are rejected all return the same rejection', async () => {
    const { refund } = await open(false)
    const replies = await Promise.all(Array.from({ length: 50 }, () => refund('storm')))
    for (const reply of replies) answers('createRefund', 'order_not_paid', reply)
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  })

  test('the second of two concurrent refund requests with different bodies and the same Idempotency-Key returns idempotency_conflict', async () => {
    const { body, refund, count } = await open()
    const amounts = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 100_000 : 200_000))
    const replies = await Promise.all(amounts.map((amountKobo) => refund('contested', { ...body, amountKobo })))
    const made = replies.filter((reply) => reply.status === 201)
    expect(made).toHaveLength(10)
    expect(new Set(made.map((reply) => reply.text)).size).toBe(1)
    for (const reply of replies) if (!made.includes(reply)) answers('createRefund', 'idempotency_conflict', reply)
    expect(await count()).toBe(1)
  })
})

describe.concurrent('409 idempotency_in_progress', () => {
  const lockKey = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'
  const nameOf = (shop: Shop, key: string) => `${shop.merchantId} POST ${path.replace('/api/v1', '')} ${key}`

  test('createRefund waits five seconds for another request with the same Idempotency-Key, then returns 409 idempotency_in_progress with Retry-After', async () => {
    const { api, shop, refund, count } = await open()
    await whileLocked(api, { text: lockKey, values: [nameOf(shop, 'slow')] }, async () => {
      const reply = await refund('slow')
      answers('createRefund', 'idempotency_in_progress', reply)
      expect(reply.headers.get('retry-after')).toBe('1')
    })
    expect(await count()).toBe(0)
    expect((await refund('slow')).status).toBe(201)
  })

  test('createRefund returns 409 idempotency_in_progress if another request holds the Idempotency-Key when createRefund stores its error response', async () => {
    const { api, shop, refund } = await open(false)
    await whileLocked(api, { text: lockKey, values: [nameOf(shop, 'overtaken')] }, async () => {
      answers('createRefund', 'idempotency_in_progress', await refund('overtaken'))
    })
    answers('createRefund', 'order_not_paid', await refund('overtaken'))
  })
})
