import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { applyCarrierCallbacks } from '../../src/logistics/callbacks/apply-callbacks.ts'
import { requestLimits } from '../../src/operations/execute/request-limits.ts'
import { writing } from '../../src/store/core/statement.ts'
import { answers } from '../support/answers.ts'
import { type Reply, useApi } from '../support/api.ts'
import { asOperator } from '../support/commerce/open-order.ts'
import { arrangeAll, writes } from '../support/contract/operation.ts'
import { contentsOf, select } from '../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { openCallbacks } from '../support/logistics/callbacks.ts'
import { carriersOf, testCarrier } from '../support/logistics/carrier.ts'
import { openShop, orderBody, placeOrder, stockVariant } from '../support/shop.ts'

const started = useApi({ carriers: carriersOf(testCarrier('simulator-swift')), requestLimits })

const stockRow = (variantId: string) => ({
  text: 'select from inventory where variant_id = $1 for update',
  values: [variantId],
})

describe('requests while a stock row is locked', () => {
  test('36 orders for a locked stock row return 409 concurrent_update or 503, never 500, and store nothing', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId)
    const order = () => api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId) })
    const before = await contentsOf(api)
    const replies = await whileLocked(api, stockRow(variantId), () => Promise.all(Array.from({ length: 36 }, order)))
    for (const reply of replies) {
      expect(['concurrent_update', 'service_unavailable'], reply.text).toContain(reply.body.error.code)
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    const [refused] = replies.filter(({ status }) => status === 409)
    if (refused === undefined) throw new Error('No order waited for the row.')
    answers('createOrder', 'concurrent_update', refused)
    expect(await contentsOf(api)).toEqual(before)
    expect((await order()).status).toBe(201)
  })

  test('cancelling an order whose stock row is locked returns 409 concurrent_update', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { variantId } = await stockVariant(api, shop.merchantId)
    const { id } = await placeOrder(api, shop, { body: orderBody(variantId), isPaid: false })
    const path = `/api/v1/orders/${id}/cancel`
    const cancel = () => api.send('POST', path, { token: shop.token, body: { reason: 'customer' } })
    answers('cancelOrder', 'concurrent_update', await whileLocked(api, stockRow(variantId), cancel))
    expect((await cancel()).status).toBe(200)
  })
})

test('every write returns 409 concurrent_update while all records of the service are locked', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const all = await arrangeAll(api, writes, shop)
  const tables = await select(
    api,
    `select string_agg(quote_ident(table_name), ', ') as names from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
       and table_name not in ('api_tokens', 'carrier_quotes')`,
  )
  await api.send('GET', '/api/v1/orders', { token: shop.token })
  const lock = { text: `lock table ${tables[0].names} in exclusive mode` }
  // Number of concurrent requests. It is lower than the number of database connections for one merchant, so that no
  // request waits for a connection instead of the lock.
  const atOnce = 5
  await whileLocked(api, lock, async () => {
    for (let start = 0; start < all.length; start += atOnce) {
      const some = all.slice(start, start + atOnce)
      const replies = await Promise.all(
        some.map(async (of) => ({ of, reply: await of.send({ token: of.shop.token }) })),
      )
      for (const { of, reply } of replies) answers(of.id, 'concurrent_update', reply)
    }
  })
})

const lockStock = writing<{ variantId: string }>()(
  'test_lock_stock',
  (p) => sql<{ on_hand: number }>`select on_hand from inventory where variant_id = ${p.variantId} for update`,
)
const touchStock = writing<{ variantId: string }>()(
  'test_touch_stock',
  (p) => sql`update inventory set on_hand = on_hand + 1 where variant_id = ${p.variantId}`,
)

test('if a transaction fails with a deadlock and its later statements are therefore skipped, the service retries the transaction', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const first = await stockVariant(api, shop.merchantId)
  const second = await stockVariant(api, shop.merchantId)
  const other = new pg.Client({ connectionString: api.superuserConnectionString })
  await other.connect()
  try {
    // The test's own transaction does not check for deadlocks during the test, so PostgreSQL always detects the
    // deadlock in the mutation of the service and aborts it.
    await other.query(`set deadlock_timeout = '10min'`)
    await other.query('begin')
    await other.query('update inventory set on_hand = on_hand + 10 where variant_id = $1', [second.variantId])
    let runs = 0
    const blocked: Promise<unknown>[] = []
    await asOperator(api, shop, async ({ trx }) => {
      runs += 1
      // The rollback of the first run releases the lock for which the other transaction waits. The second run must wait
      // until the other transaction has ended.
      await Promise.all(blocked)
      await trx.write(lockStock, first)
      if (runs === 1) {
        blocked.push(
          other
            .query('update inventory set on_hand = on_hand + 10 where variant_id = $1', [first.variantId])
            .then(() => other.query('commit')),
        )
        await untilWaiting(api, 1)
      }
      const locking = trx.write(lockStock, second)
      // The deadlock aborts the earlier statement, so the queued statement is skipped. The error of the skipped
      // statement has the deadlock as its cause.
      trx.queue(touchStock, first)
      await locking
    })
    expect(runs).toBe(2)
    const onHand = 'select on_hand from inventory where variant_id = $1'
    expect((await select(api, onHand, [second.variantId]))[0].on_hand).toBe(1010)
    expect((await select(api, onHand, [first.variantId]))[0].on_hand).toBe(1011)
  } finally {
    await other.end()
  }
})

describe('a carrier’s callback', () => {
  test('a carrier’s callback returns 503 with Retry-After while callbacks cannot be stored', async () => {
    const { api, send, reference, rows } = await openCallbacks(started())
    const lock = { text: 'lock table carrier_callbacks in exclusive mode' }
    const reply: Reply = await whileLocked(api, lock, () => send([{ status: 'picked_up', reference }]))
    expect({ status: reply.status, retryAfter: reply.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '1',
    })
    expect(await rows()).toEqual([])
  })

  test('a lock timeout is not counted as a failed attempt, and the carrier’s callback is applied later', async () => {
    const { api, send, reference, shop, read, rows, key } = await openCallbacks(started())
    await send([{ status: 'picked_up', reference }])
    const lock = { text: 'select from shipments where id = $1 for update', values: [key.id] }
    await whileLocked(api, lock, () => applyCarrierCallbacks({ ...api.context, log: silentLog }, shop.merchantId))
    const failures = 'select failures from carrier_callbacks where merchant_id = $1'
    expect(await select(api, failures, [shop.merchantId])).toEqual([{ failures: 0 }])
    api.clock.advance(60 * 60_000)
    await applyCarrierCallbacks({ ...api.context, log: silentLog }, shop.merchantId)
    expect((await read()).status).toBe('picked_up')
    expect(await rows()).toMatchObject([{ outcome: 'applied' }])
  })
})
