import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, sendRaw, type TestApi, useApi } from '../../support/api.ts'
import { contentsOf, eventsOf, select } from '../../support/contents.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../../support/shop.ts'

/** Spec 4.5 and 8: the only operation that honours an Idempotency-Key. */

const started = useApi()
const path = '/api/v1/refunds'
const dayMs = 24 * 3_600_000

interface Scene {
  readonly api: TestApi
  readonly shop: Shop
  readonly body: { readonly orderId: string; readonly amountKobo: number; readonly reason: string }
  refund(key: string, body?: unknown, more?: { token?: string; headers?: Record<string, string> }): Promise<Reply>
  /** How many refunds the merchant has. */
  count(): Promise<number>
}

/** A paid order of 1,000,000 kobo, and a refund of a tenth of it. */
async function open(isPaid = true): Promise<Scene> {
  const api = started()
  const shop = await openShop(api.context)
  return sceneOf(api, shop, isPaid)
}

async function sceneOf(api: TestApi, shop: Shop, isPaid: boolean): Promise<Scene> {
  const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid })
  const body = { orderId: order.id, amountKobo: 100_000, reason: 'damaged' }
  return {
    api,
    shop,
    body,
    refund: (key, sent = body, more = {}) => {
      const headers = { 'Idempotency-Key': key, ...more.headers }
      return api.send('POST', path, { token: more.token ?? shop.token, body: sent, headers })
    },
    count: async () => (await select(api, 'select 1 from refunds where merchant_id = $1', [shop.merchantId])).length,
  }
}

function expectReplay(replay: Reply, first: Reply): void {
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(replay.headers.get('original-request-id')).toBe(first.headers.get('request-id'))
  expect(replay.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
  expect(replay.headers.get('location')).toBe(first.headers.get('location'))
  expect(replay.status).toBe(first.status)
  expect(replay.text).toBe(first.text)
}

describe('the same key and body', () => {
  test('gives the first answer again, byte for byte, and makes no second refund', async () => {
    const { api, shop, refund, count } = await open()
    const first = await refund('once')
    const before = await contentsOf(api)
    const second = await refund('once')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(first.headers.get('idempotency-status')).toBe('honoured')
    expectReplay(second, first)
    expect(second.headers.get('idempotency-status')).toBe('honoured')
    expect(await contentsOf(api)).toEqual(before)
    expect(await count()).toBe(1)
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  })

  test.for<[string, (body: Scene['body']) => string]>([
    ['the keys in another order', (body) => JSON.stringify(Object.fromEntries(Object.entries(body).reverse()))],
    ['other white space', (body) => JSON.stringify(body, null, '\t ')],
    ['escapes for plain letters', (body) => JSON.stringify(body).replace('damaged', '\\u0064amaged')],
    ['another spelling of the number', (body) => JSON.stringify(body).replace('100000', '1.0e5')],
    ['a key sent twice, the last of which counts', (body) => JSON.stringify(body).replace('{', '{"reason":"other",')],
  ])('is the same body with %s', async ([, spell]) => {
    const { body, refund, count } = await open()
    const first = await refund('spelled')
    expectReplay(await refund('spelled', spell(body)), first)
    expect(await count()).toBe(1)
  })

  test('is answered with what was true then', async () => {
    const { refund } = await open()
    const first = await refund('first')
    await refund('second')
    const replay = await refund('first')
    expectReplay(replay, first)
    expect(replay.body.order.refundedKobo).toBe(100_000)
  })

  test('of another token of the merchant is the same request', async () => {
    const { api, shop, refund, count } = await open()
    const first = await refund('rotated')
    const { token } = await mintToken(api.context, shop.tenant, { scopes: ['refunds:write'] })
    expectReplay(await refund('rotated', undefined, { token }), first)
    expect(await count()).toBe(1)
  })

  test('without a key, every request is a refund of its own', async () => {
    const { api, shop, body, count } = await open()
    const first = await api.send('POST', path, { token: shop.token, body })
    const second = await api.send('POST', path, { token: shop.token, body })
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.headers.get('idempotency-status')).toBeNull()
    expect(await count()).toBe(2)
  })
})

describe('409 idempotency_conflict', () => {
  test.for<[string, object]>([
    ['another amount', { amountKobo: 100_001 }],
    ['another reason', { reason: 'other' }],
    ['a note more', { note: 'Zip was broken.' }],
  ])('the same key with %s', async ([, more]) => {
    const { body, refund, count } = await open()
    const first = await refund('reused')
    answers('createRefund', 'idempotency_conflict', await refund('reused', { ...body, ...more }))
    expect(await count()).toBe(1)
    expectReplay(await refund('reused'), first)
  })

  test('is the same key after a refusal, with another body', async () => {
    const { body, refund } = await open(false)
    answers('createRefund', 'order_not_paid', await refund('reused'))
    answers('createRefund', 'idempotency_conflict', await refund('reused', { ...body, amountKobo: 5 }))
  })
})

describe('what sticks', () => {
  test('a refusal by the rules is repeated byte for byte, with the id of its first request', async () => {
    const { api, shop, body, refund, count } = await open(false)
    const first = await refund('refused')
    answers('createRefund', 'order_not_paid', first)
    const payment = { amountKobo: 1_000_000, method: 'cash', reference: newOrderId(0) }
    await api.send('POST', `/api/v1/orders/${body.orderId}/payments`, { token: shop.token, body: payment })
    const second = await refund('refused')
    expectReplay(second, first)
    expect(second.body.error.requestId).toBe(first.headers.get('request-id'))
    expect(second.headers.get('service-should-retry')).toBe('false')
    expect(await count()).toBe(0)
    expect((await refund('new')).status).toBe(201)
  })

  test.for<[string, object]>([
    ['too much', { amountKobo: 1_000_001 }],
    ['an amount that is not even kobo', { amountKobo: 100_000_000_000 }],
  ])('%s sticks', async ([, more]) => {
    const { body, refund } = await open()
    const first = await refund('exceeds', { ...body, ...more })
    answers('createRefund', 'refund_exceeds_refundable', first)
    expectReplay(await refund('exceeds', { ...body, ...more }), first)
  })

  test.for<[string, string, object]>([
    ['an invalid body', 'validation_failed', { colour: 'red' }],
    ['an unknown order', 'order_not_found', { orderId: newOrderId(0) }],
    ['an unknown line', 'item_not_found', { items: [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 }] }],
  ])('%s does not', async ([, code, more]) => {
    const { body, refund } = await open()
    const refused = await refund('again', { ...body, ...more })
    expect(refused.body.error.code).toBe(code)
    const second = await refund('again')
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
  })

  test.for<[string, { token?: string; headers?: Record<string, string> }, number]>([
    ['without a token', { token: '' }, 401],
    ['of another type', { headers: { 'Content-Type': 'text/plain' } }, 415],
  ])('a request %s does not', async ([, more, status]) => {
    const { refund } = await open()
    expect((await refund('again', undefined, more)).status).toBe(status)
    expect((await refund('again')).status).toBe(201)
  })

  test('a dry run does not use the key up, nor does it repeat what the key has', async () => {
    const { api, refund, count } = await open()
    const before = await contentsOf(api)
    const dry = await refund('tried', undefined, { headers: { 'Service-Dry-Run': 'true' } })
    expect(dry.status).toBe(201)
    expect(dry.headers.get('idempotency-status')).toBe('ignored')
    expect(await contentsOf(api)).toEqual(before)
    const real = await refund('tried')
    expect(real.headers.get('idempotent-replayed')).toBeNull()
    expect(real.body.id).not.toBe(dry.body.id)
    expect(await count()).toBe(1)
  })
})

describe('24 hours', () => {
  test('one millisecond less, and the first answer is given again', async () => {
    const { api, refund, count } = await open()
    const first = await refund('daily')
    api.clock.advance(dayMs - 1)
    expectReplay(await refund('daily'), first)
    expect(await count()).toBe(1)
  })

  test('at 24 hours the key is new, for any body', async () => {
    const { api, body, refund, count } = await open()
    const first = await refund('daily')
    api.clock.advance(dayMs)
    const second = await refund('daily', { ...body, amountKobo: 7 })
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(second.body.id).not.toBe(first.body.id)
    expect(await count()).toBe(2)
    api.clock.advance(dayMs - 1)
    expectReplay(await refund('daily', { ...body, amountKobo: 7 }), second)
    answers('createRefund', 'idempotency_conflict', await refund('daily'))
  })

  test('a replay does not prolong them', async () => {
    const { api, refund, count } = await open()
    await refund('daily')
    api.clock.advance(dayMs - 1)
    await refund('daily')
    api.clock.advance(1)
    expect((await refund('daily')).headers.get('idempotent-replayed')).toBeNull()
    expect(await count()).toBe(2)
  })

  test('a refusal is forgotten after them too', async () => {
    const { api, refund } = await open(false)
    const first = await refund('refused')
    api.clock.advance(dayMs)
    const second = await refund('refused')
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(second.body.error.requestId).not.toBe(first.body.error.requestId)
  })
})

describe('400 invalid_idempotency_key', () => {
  test.for(['k', ' ', 'a'.repeat(255), '"quoted"', '{}', "';--", '~!@#$%^&*()'])('takes the key %s', async (key) => {
    const { refund } = await open()
    const first = await refund(`x${key}`.slice(-255))
    expect(first.status).toBe(201)
    expectReplay(await refund(`x${key}`.slice(-255)), first)
  })

  test.for([
    ['no character', ''],
    ['nothing but spaces', '   '],
    ['256 characters', 'a'.repeat(256)],
    ['4,000 characters', 'a'.repeat(4000)],
    ['a letter beyond ASCII', 'k\u00e4se'],
    ['a byte beyond ASCII', '\u00ff'],
    ['a tab', 'a\tb'],
  ] as const)('refuses %s', async ([, key]) => {
    const { api, shop, body, count } = await open()
    const headers = {
      Authorization: `Bearer ${shop.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    }
    const reply = await sendRaw(api, { method: 'POST', path, headers, body: JSON.stringify(body) })
    answers('createRefund', 'invalid_idempotency_key', reply)
    expect(await count()).toBe(0)
  })

  test('a dry run refuses a key like the real one', async () => {
    const { refund } = await open()
    const headers = { 'Service-Dry-Run': 'true' }
    answers('createRefund', 'invalid_idempotency_key', await refund('a'.repeat(256), undefined, { headers }))
  })

  test('upper and lower case are two keys', async () => {
    const { refund, count } = await open()
    await refund('Key')
    await refund('key')
    expect(await count()).toBe(2)
  })
})

describe('who shares a key', () => {
  test('two merchants do not', async () => {
    const first = await open()
    const second = await open()
    expect((await first.refund('shared')).status).toBe(201)
    const reply = await second.refund('shared')
    expect(reply.status).toBe(201)
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
  })

  test('the live side and the test side do not', async () => {
    const { api, shop, refund } = await open()
    const tenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token, id } = await mintToken(api.context, tenant, {})
    const twin = await sceneOf(api, { ...shop, tenant, merchantId: shop.testMerchantId, token, tokenId: id }, true)
    expect((await refund('both')).status).toBe(201)
    const reply = await twin.refund('both')
    expect(reply.status).toBe(201)
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
    expect(await eventsOf(api, shop.testMerchantId, 'order.refunded')).toMatchObject([{ mode: 'test' }])
  })
})

describe('at once', () => {
  test('50 identical requests: one refund and 50 identical bodies', async () => {
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

  test('50 identical requests that are refused: one refusal, 50 times', async () => {
    const { refund } = await open(false)
    const replies = await Promise.all(Array.from({ length: 50 }, () => refund('storm')))
    for (const reply of replies) answers('createRefund', 'order_not_paid', reply)
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  })

  test('two bodies with one key: the first wins, the other is a conflict', async () => {
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

  test('a request that waits for its twin for five seconds is told to come again', async () => {
    const { api, shop, refund, count } = await open()
    await withClients(api, async (twin) => {
      await twin.query('begin')
      await twin.query(lockKey, [nameOf(shop, 'slow')])
      const reply = await refund('slow')
      answers('createRefund', 'idempotency_in_progress', reply)
      expect(reply.headers.get('retry-after')).toBe('1')
    })
    expect(await count()).toBe(0)
    expect((await refund('slow')).status).toBe(201)
  })

  test('so is one that was refused, but cannot keep its refusal because a twin has the key by then', async () => {
    const { api, shop, body, refund } = await open(false)
    await withClients(api, async (order, twin) => {
      await order.query('begin')
      await order.query('select 1 from orders where id = $1 for update', [body.orderId])
      const replied = refund('overtaken')
      await until(api, '$1 = any(pg_blocking_pids(pid))', await pidOf(order))
      await twin.query('begin')
      const pid = await pidOf(twin)
      const locked = twin.query(lockKey, [nameOf(shop, 'overtaken')])
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

  /** Asks until some connection is as described; in vain for as long as a statement may wait for a lock. */
  async function until(api: TestApi, condition: string, pid: number): Promise<void> {
    const text = `select 1 from pg_stat_activity where datname = current_database() and ${condition}`
    for (let asked = 0; (await select(api, text, [pid])).length === 0; asked++) {
      if (asked === 10_000) throw new Error(`No connection has ${condition}.`)
    }
  }
})

describe('a crash before the commit', () => {
  const crash = 'create function crash() returns trigger language plpgsql as'
  const die = `${crash} 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`
  const fail = `${crash} 'begin raise exception ''crash''; end'`
  const last = 'create constraint trigger crash after insert on audit_log deferrable initially deferred'

  test.for([
    ['the connection dies with the last insert', die, 'create trigger crash before insert on audit_log', 503],
    ['the connection dies with the answer', die, 'create trigger crash before insert on idempotency_keys', 503],
    ['the connection dies at the commit itself', die, last, 503],
    ['the last insert fails', fail, 'create trigger crash before insert on audit_log', 500],
    ['the commit itself fails', fail, last, 500],
  ] as const)('%s: nothing is kept, and the retry runs', async ([, reaction, moment, status]) => {
    const { api, refund, count } = await open()
    const before = await contentsOf(api)
    await select(api, reaction)
    await select(api, `${moment} for each row execute function crash()`)
    const crashed = await refund('crashed')
    await select(api, 'drop function crash cascade')
    expect(crashed.status, crashed.text).toBe(status)
    expect(crashed.headers.get('service-should-retry')).toBe('true')
    expect(await contentsOf(api)).toEqual(before)
    const retried = await refund('crashed')
    expect(retried.status).toBe(201)
    expect(retried.headers.get('idempotent-replayed')).toBeNull()
    expect(await count()).toBe(1)
  })
})
