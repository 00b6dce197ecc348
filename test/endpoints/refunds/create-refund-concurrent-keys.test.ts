import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { expectReplay, openScene } from '../../support/commerce/refund-replay.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
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

  test('of two concurrent refund requests with different bodies and the same Idempotency-Key, the second returns idempotency_conflict', async () => {
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

  test('createRefund returns 409 idempotency_in_progress with Retry-After after waiting five seconds for another request with the same Idempotency-Key', async () => {
    const { api, shop, refund, count } = await open()
    await withClients(api, async (competing) => {
      await competing.query('begin')
      await competing.query(lockKey, [nameOf(shop, 'slow')])
      const reply = await refund('slow')
      answers('createRefund', 'idempotency_in_progress', reply)
      expect(reply.headers.get('retry-after')).toBe('1')
    })
    expect(await count()).toBe(0)
    expect((await refund('slow')).status).toBe(201)
  })

  test('createRefund returns 409 idempotency_in_progress when another request takes the Idempotency-Key before the rejection is stored', async () => {
    const { api, shop, body, refund } = await open(false)
    await withClients(api, async (order, competing) => {
      await order.query('begin')
      await order.query('select 1 from orders where id = $1 for update', [body.orderId])
      const replied = refund('overtaken')
      await until(api, '$1 = any(pg_blocking_pids(pid))', await pidOf(order))
      await competing.query('begin')
      const pid = await pidOf(competing)
      const locked = competing.query(lockKey, [nameOf(shop, 'overtaken')])
      await until(api, 'pid = $1 and cardinality(pg_blocking_pids(pid)) > 0', pid)
      await order.query('rollback')
      await locked
      answers('createRefund', 'idempotency_in_progress', await replied)
    })
    answers('createRefund', 'order_not_paid', await refund('overtaken'))
  })

  async function withClients(api: TestApi, run: (a: pg.PoolClient, b: pg.PoolClient) => Promise<void>): Promise<void> {
    const clients = [await api.database.connect(), await api.database.connect()] as const
    try {
      await run(...clients)
    } finally {
      for (const client of clients) client.release(true)
    }
  }

  async function pidOf(client: pg.PoolClient): Promise<number> {
    return (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  }

  /** Polls until some database connection meets the condition. Throws after 10 000 queries. */
  async function until(api: TestApi, condition: string, pid: number): Promise<void> {
    const text = `select 1 from pg_stat_activity where datname = current_database() and ${condition}`
    for (let asked = 0; (await select(api, text, [pid])).length === 0; asked++) {
      if (asked === 10_000) throw new Error(`No connection meets ${condition}.`)
    }
  }
})
