import { describe, expect, test } from 'vitest'
import { newToken } from '../../src/access/token-format.ts'
import { requestLimits } from '../../src/operations/execute/request-limits.ts'
import { answers } from '../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../support/shop.ts'
import { waitFor } from '../support/wait-for.ts'

/** The requests of one merchant must not use up the database connections of other merchants. */

const started = useApi({ requestLimits })

const refundOf = (api: TestApi, shop: Shop, orderId: string, amountKobo: number, key?: string) =>
  api.send('POST', '/api/v1/refunds', {
    token: shop.token,
    body: { orderId, amountKobo, reason: 'damaged' },
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  })

const rowOf = (orderId: string) => ({ text: 'select from orders where id = $1 for update', values: [orderId] })

async function waitingConnections(api: TestApi): Promise<number> {
  const waiting = `
    select distinct pid from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted`
  return (await select(api, waiting)).length
}

/**
 * Sends requests one after another. Each request is sent once the previous one waits in the queue, so that their order
 * is certain.
 */
async function sendInOrder(api: TestApi, queue: string, sends: readonly (() => Promise<Reply>)[]) {
  const replies: Promise<Reply>[] = []
  for (const [index, send] of sends.entries()) {
    replies.push(send())
    if (index === 0) await untilWaiting(api, 1)
    while (api.writeQueues.waiting(queue) < index) await new Promise(setImmediate)
  }
  return replies
}

describe('requests while an order is locked', () => {
  test('concurrent refunds of a locked order use one database connection, and run in the order of their arrival', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop)
    const amounts = [1, 2, 3, 4]
    const sends = amounts.map((amount) => () => refundOf(api, shop, id, amount))
    const queue = `${shop.merchantId} record ${id}`
    const replies = await whileLocked(api, rowOf(id), async () => {
      const sent = await sendInOrder(api, queue, sends)
      expect(api.writeQueues.waiting(queue)).toBe(amounts.length - 1)
      expect(await waitingConnections(api)).toBe(1)
      return { sent }
    })
    for (const reply of await Promise.all(replies.sent)) expect(reply.status, reply.text).toBe(201)
    const made = await select(api, 'select amount_kobo from refunds where order_id = $1 order by age(xmin) desc', [id])
    expect(made.map(({ amount_kobo }) => Number(amount_kobo))).toEqual(amounts)
  })

  test('concurrent manual payments of a locked order use one database connection', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop, { isPaid: false })
    const { token } = shop
    const sends = ['A', 'B', 'C'].map((reference) => () => {
      const body = { amountKobo: 1, method: 'cash', reference }
      return api.send('POST', `/api/v1/orders/${id}/payments`, { token, body })
    })
    const { sent } = await whileLocked(api, rowOf(id), async () => {
      const sent = await sendInOrder(api, `${shop.merchantId} record ${id}`, sends)
      expect(await waitingConnections(api)).toBe(1)
      return { sent }
    })
    for (const reply of await Promise.all(sent)) expect(reply.status, reply.text).toBe(201)
  })

  test('refunds of a locked order return 409 concurrent_update with Retry-After after the lock timeout', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop)
    const replies = await whileLocked(api, rowOf(id), () =>
      Promise.all([1, 2, 3].map((amount) => refundOf(api, shop, id, amount))),
    )
    for (const reply of replies) {
      answers('createRefund', 'concurrent_update', reply)
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    expect(await select(api, 'select from refunds where order_id = $1', [id])).toEqual([])
  })

  test('concurrent requests with the same idempotency key use one database connection, and all get the first reply', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id } = await placeOrder(api, shop)
    const replies = await whileLocked(api, rowOf(id), async () => {
      const queue = `${shop.merchantId} key POST /refunds twin`
      const requests = [1, 2, 3].map(() => () => refundOf(api, shop, id, 1, 'twin'))
      const sent = await sendInOrder(api, queue, requests)
      expect(await waitingConnections(api)).toBe(1)
      return { sent }
    })
    const [first, ...others] = await Promise.all(replies.sent)
    expect(first?.status, first?.text).toBe(201)
    for (const reply of others) {
      expect(reply.text).toBe(first?.text)
      expect(reply.headers.get('idempotent-replayed')).toBe('true')
    }
  })
})

test('a refund returns 409 with Retry-After when its wait in the process’s queue times out', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id } = await placeOrder(api, shop)
  // The database row is not locked: the requests wait only in the process's queue for writes to the same record.
  const release = await api.writeQueues.enter(`${shop.merchantId} record ${id}`)
  try {
    const reply = await refundOf(api, shop, id, 1)
    answers('createRefund', 'concurrent_update', reply)
    expect(reply.headers.get('retry-after')).toBe('1')
  } finally {
    release()
  }
  expect((await refundOf(api, shop, id, 1)).status).toBe(201)
})

test('requests with random tokens use at most four database connections', async () => {
  const api = started()
  const lock = { text: 'lock table api_tokens in access exclusive mode' }
  const send = () => api.send('GET', '/api/v1/orders', { token: newToken('live') })
  const { sent } = await whileLocked(api, lock, async () => {
    const sent: Promise<Reply>[] = []
    // The requests are sent one after another, because lookups that begin together may share a connection. A lookup
    // fails after five seconds, so a busy machine needs more than four requests until four lookups wait.
    await waitFor(async () => {
      sent.push(send())
      expect(await waitingConnections(api)).toBeGreaterThanOrEqual(4)
    })
    sent.push(...Array.from({ length: 16 }, send))
    // When the service has responded to this request, it has also received the requests that were sent before.
    expect((await api.send('GET', '/api/v1/openapi.json')).status).toBe(200)
    expect(await waitingConnections(api)).toBeLessThanOrEqual(4)
    return { sent }
  })
  for (const reply of await Promise.all(sent)) expect([401, 429, 503], reply.text).toContain(reply.status)
})

test('while the rows of several tokens are locked, only one database connection waits to record the last uses of these tokens', async () => {
  const api = started()
  const shops = [await openShop(api.context), await openShop(api.context), await openShop(api.context)]
  await whileLocked(api, { text: 'select from api_tokens for update' }, async () => {
    for (const { token } of shops) expect((await api.send('GET', '/api/v1/orders', { token })).status).toBe(200)
    await untilWaiting(api, 1)
    expect(await waitingConnections(api)).toBe(1)
  })
  const used = 'select from api_tokens where last_used_at is not null and merchant_id = any($1)'
  const merchantIds = shops.map(({ merchantId }) => merchantId)
  await waitFor(async () => expect(await select(api, used, [merchantIds])).toHaveLength(shops.length))
})

test('requests in one mode of a merchant use at most eight database connections, so that other merchants can read and write', async () => {
  const api = started()
  const [shop, other] = [await openShop(api.context), await openShop(api.context)]
  const { variantId } = await stockVariant(api, shop.merchantId)
  const lock = { text: 'select from inventory where variant_id = $1 for update', values: [variantId] }
  const replies = await whileLocked(api, lock, async () => {
    const body = orderBody(variantId)
    const orders = Array.from({ length: 40 }, () => api.send('POST', '/api/v1/orders', { token: shop.token, body }))
    await untilWaiting(api, 8)
    const { id } = await placeOrder(api, other)
    const read = await api.send('GET', `/api/v1/orders/${id}`, { token: other.token })
    expect(read.status).toBe(200)
    let isAnswered = false
    const first = Promise.race(orders).then(() => {
      isAnswered = true
    })
    let most = 0
    while (!isAnswered) most = Math.max(most, await waitingConnections(api))
    await first
    expect(most).toBe(8)
    return Promise.all(orders)
  })
  for (const { body, text } of replies) {
    expect(['concurrent_update', 'service_unavailable'], text).toContain(body.error.code)
  }
})
