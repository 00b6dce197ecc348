import { hash, randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Refund } from '../../registry/refunds/refunds.ts'
import { type MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { listOrderIds, makeOrders } from '../../scripts/bench/orders.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { createRefund } from '../../src/commerce/refunds/create-refund.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { StoredResponseFound } from '../../src/store/core/idempotency.ts'
import { type Context, mutate, type Work } from '../../src/store/core/mutation.ts'
import { reading } from '../../src/store/core/statement.ts'
import { OutcomeUnknown } from '../../src/store/core/transaction.ts'
import { openTransactionGroups } from '../../src/store/core/transaction-groups.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/database-locks.ts'
import { operator } from '../support/shop.ts'

/** Refunds of one merchant that share a transaction: the outcome of each is the same as in a transaction of its own. */

const opened = useDatabase()

let merchantId: MerchantId
let orderIds: readonly OrderId[]
let context: Context

beforeEach(async () => {
  const { database, ownerConnectionString, connectionString } = opened()
  context = { database, clock: systemClock, nudge: () => undefined, groups: openTransactionGroups(database) }
  merchantId = (await createMerchant(context, operator, 'Adire Lagos')).id
  await makeOrders(ownerConnectionString, [merchantId], 8)
  orderIds = (await listOrderIds(connectionString, merchantId)).map((id) => OrderId.parse(id))
})

interface Wanted {
  readonly orderId: OrderId
  readonly amountKobo?: number
  /** Null without a key. */
  readonly key?: string | null
  readonly after?: (work: Work<'order.refunded'>) => unknown
}

function refund({ orderId, amountKobo = 100, key = randomUUID(), after }: Wanted): Promise<Refund> {
  const scope = { merchantId, route: 'POST /refunds', key: key ?? '' }
  const fingerprint = hash('sha256', orderId, 'buffer')
  const request = { scope, fingerprint, requestId: `req_${key}`, callerId: 'tok_test' }
  return mutate(
    context,
    {
      tenant: { merchantId, mode: 'live' },
      actor: systemActor('test'),
      action: 'refund.create',
      resourceType: 'refund',
      resourceId: ({ id }: Refund) => id,
      emits: ['order.refunded'],
      sharesTransactionFor: orderId,
      keyed:
        key === null
          ? undefined
          : { request, responseOf: (made) => ({ status: 201, body: JSON.stringify(made), location: null }) },
    },
    async (work) => {
      const outcome = await createRefund(work, { orderId, amountKobo: toKobo(amountKobo), reason: 'damaged' })
      if (outcome.is !== 'refunded') throw new Error(outcome.is)
      await after?.(work)
      return outcome.refund
    },
  )
}

/** Returns the outcomes as the refunded order or the message of the error, in the order of the requests. */
async function outcomesOf(wanted: readonly Wanted[]): Promise<string[]> {
  const settled = await Promise.allSettled(wanted.map(refund))
  return settled.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.orderId : outcome.reason.message))
}

/** Returns the number of refunds per transaction, largest first. */
async function transactionSizes(): Promise<number[]> {
  const { rows } = await opened().database.pool.query<{ size: number }>(
    `select count(*)::integer as size from audit_log
     where merchant_id = $1 and action = 'refund.create' group by transaction_id order by 1 desc`,
    [merchantId],
  )
  return rows.map(({ size }) => size)
}

async function refundedKobo(): Promise<Record<string, number>> {
  const { rows } = await opened().database.pool.query<{ id: string; refunded: string }>(
    'select id, refunded_kobo::text as refunded from orders where merchant_id = $1 and refunded_kobo > 0',
    [merchantId],
  )
  return Object.fromEntries(rows.map(({ id, refunded }) => [id, Number(refunded)]))
}

async function countOf(table: 'refunds' | 'webhook_events' | 'idempotency_keys'): Promise<number> {
  const { rows } = await opened().database.pool.query(
    `select count(*)::integer as count from ${table} where merchant_id = $1`,
    [merchantId],
  )
  return rows[0].count
}

test('concurrent refunds of different orders share one transaction, and each is recorded', async () => {
  const amounts = orderIds.map((orderId, index) => ({ orderId, amountKobo: 100 + index, key: `key-${index}` }))
  expect(await outcomesOf(amounts)).toEqual(orderIds)
  expect(await transactionSizes()).toEqual([8])
  expect(await refundedKobo()).toEqual(
    Object.fromEntries(amounts.map(({ orderId, amountKobo }) => [orderId, amountKobo])),
  )
  expect([await countOf('refunds'), await countOf('webhook_events'), await countOf('idempotency_keys')]).toEqual([
    8, 8, 8,
  ])
  const { rows } = await opened().database.pool.query(
    `select key.key, refund.amount_kobo::integer as amount, event.resource_id = refund.id as "isOfRefund"
     from refunds refund
     join audit_log audit on audit.merchant_id = refund.merchant_id and audit.resource_id = refund.id
     join webhook_events event on event.merchant_id = refund.merchant_id and event.resource_id = refund.id
     join idempotency_keys key
       on key.merchant_id = refund.merchant_id and key.response_body::jsonb ->> 'id' = refund.id
     where refund.merchant_id = $1
     order by amount`,
    [merchantId],
  )
  expect(rows).toEqual(amounts.map(({ key, amountKobo: amount }) => ({ key, amount, isOfRefund: true })))
})

test('a repeated key in a group returns the stored response, and the other members are not affected', async () => {
  const [first, ...others] = orderIds
  if (first === undefined) expect.fail('There is no order.')
  const made = await refund({ orderId: first, key: 'used' })
  const repeated = refund({ orderId: first, key: 'used' })
  const outcomes = outcomesOf(others.map((orderId) => ({ orderId })))
  await expect(repeated).rejects.toSatisfy(
    (error) => error instanceof StoredResponseFound && error.stored.body === JSON.stringify(made),
  )
  expect(await outcomes).toEqual(others)
  expect(await transactionSizes()).toEqual([7, 1])
})

test('a rejected refund leaves the group, and the other members share the transaction', async () => {
  const wanted: Wanted[] = orderIds.map((orderId) => ({ orderId }))
  wanted[2] = { orderId: OrderId.parse('ord_01jzzzzzzzzzzzzzzzzzzzzzzz') }
  wanted[5] = { ...wanted[5], orderId: orderIds[5] ?? expect.fail(), amountKobo: 10_000_000_000 }
  const outcomes = await outcomesOf(wanted)
  expect(outcomes[2]).toBe('order_unknown')
  expect(outcomes[5]).toBe('too_much')
  expect(await transactionSizes()).toEqual([6])
  expect(await countOf('refunds')).toBe(6)
})

test('a member that fails after a write is not stored, and each other member runs alone', async () => {
  const wanted = orderIds.map((orderId, index) => ({
    orderId,
    after: () => {
      if (index === 3) throw new Error('failed late')
    },
  }))
  const outcomes = await outcomesOf(wanted)
  expect(outcomes).toEqual(orderIds.map((id, index) => (index === 3 ? 'failed late' : id)))
  expect(await transactionSizes()).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(await countOf('refunds')).toBe(7)
})

test('a constraint violation of one member fails that member only', async () => {
  await asOwner(opened(), `alter table refunds add constraint is_not_666 check (amount_kobo <> 666) not valid`)
  try {
    const outcomes = await outcomesOf(
      orderIds.map((orderId, index) => ({ orderId, amountKobo: index === 0 ? 666 : 100 })),
    )
    expect(outcomes[0]).toContain('is_not_666')
    expect(outcomes.slice(1)).toEqual(orderIds.slice(1))
    expect(await countOf('refunds')).toBe(7)
  } finally {
    await asOwner(opened(), 'alter table refunds drop constraint is_not_666')
  }
})

test('while another transaction holds the lock of one order, the other members are stored', async () => {
  const [locked, ...others] = orderIds
  if (locked === undefined) expect.fail('There is no order.')
  const client = new pg.Client({ connectionString: opened().connectionString })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from orders where merchant_id = $1 and id = $2 for update', [merchantId, locked])
    const waiting = refund({ orderId: locked })
    expect(await outcomesOf(others.map((orderId) => ({ orderId })))).toEqual(others)
    expect(Object.keys(await refundedKobo()).sort()).toEqual([...others].sort())
    await client.query('commit')
    expect((await waiting).orderId).toBe(locked)
  } finally {
    await client.end()
  }
})

test('two refunds of one order are never in one transaction, and both count', async () => {
  const [orderId] = orderIds
  if (orderId === undefined) expect.fail('There is no order.')
  await Promise.all([refund({ orderId, amountKobo: 100 }), refund({ orderId, amountKobo: 20 }), refund({ orderId })])
  expect(await transactionSizes()).toEqual([1, 1, 1])
  expect(await refundedKobo()).toEqual({ [orderId]: 220 })
})

test('two refunds of different orders with one key: one is stored, the other is rejected', async () => {
  const outcomes = await outcomesOf(orderIds.slice(0, 2).map((orderId) => ({ orderId, key: 'same' })))
  expect(outcomes.filter((outcome) => outcome.startsWith('ord_'))).toHaveLength(1)
  expect(await countOf('refunds')).toBe(1)
})

test('two refunds of different orders with one key are never in one transaction', async () => {
  const [first, second] = orderIds
  if (first === undefined || second === undefined) expect.fail('There are no orders.')
  const read = sql<{ one: number }>`select 1 as one`
  const one = reading<object>()('one_more_read', () => read)
  // A member that records later than the others has its own response statement.
  const outcomes = await outcomesOf([
    { orderId: first, key: 'same', after: ({ trx }) => trx.read(one, {}) },
    { orderId: second, key: 'same' },
  ])
  expect(outcomes.filter((outcome) => outcome.startsWith('ord_'))).toHaveLength(1)
  expect([await countOf('refunds'), await countOf('idempotency_keys')]).toEqual([1, 1])
})

test('a group waits for a lock that is released in time, and reads the amounts that its holder has committed', async () => {
  const [locked = expect.fail()] = orderIds
  const holder = await opened().database.pool.connect()
  await holder.query('begin')
  await holder.query('select from orders where id = $1 for update', [locked])
  const outcomes = outcomesOf(orderIds.map((orderId) => ({ orderId, amountKobo: 1_000 })))
  await untilWaiting(opened(), 1)
  await holder.query('update orders set refunded_kobo = paid_kobo where id = $1', [locked])
  await holder.query('commit')
  holder.release()
  const [ofLocked, ...others] = await outcomes
  expect(ofLocked).toBe('order_fully_refunded')
  expect(others).toEqual(orderIds.slice(1))
})

describe('when the connection breaks', () => {
  const die = `create function die() returns trigger language plpgsql
               as 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`

  test.for([
    ['with the last insert', 'create trigger die before insert on idempotency_keys', { code: '57P01' }],
    [
      'during the commit',
      'create constraint trigger die after insert on audit_log deferrable initially deferred',
      expect.any(OutcomeUnknown),
    ],
  ] as const)('%s, no member runs again, nothing is stored, and a retry succeeds', async ([, trigger, reason]) => {
    await asOwner(opened(), die)
    await asOwner(opened(), `${trigger} for each row execute function die()`)
    let runs = 0
    const wanted = orderIds.map((orderId, index) => ({ orderId, key: `key-${index}`, after: () => (runs += 1) }))
    const settled = await Promise.allSettled(wanted.map(refund))
    await asOwner(opened(), 'drop function die cascade')
    expect(settled).toMatchObject(orderIds.map(() => ({ status: 'rejected', reason })))
    expect(runs).toBe(8)
    expect(await countOf('refunds')).toBe(0)
    expect(await outcomesOf(wanted)).toEqual(orderIds)
    expect(await countOf('refunds')).toBe(8)
  })
})

/** Uses groups of a database whose first connection is changed by `change`. */
function changeFirstConnection(change: (client: pg.PoolClient) => unknown): void {
  const { database } = opened()
  let connections = 0
  const connect = async (id?: MerchantId) => {
    const client = await database.connect(id)
    connections += 1
    if (connections === 1) await change(client)
    return client
  }
  const changed = { ...database, connect }
  context = { ...context, database: changed, groups: openTransactionGroups(changed) }
}

/** Returns the socket of a connection, and a function that returns the number of its writes: one for each round trip. */
function socketOf(client: pg.PoolClient): { readonly socket: Duplex; readonly writes: () => number } {
  if (!(client instanceof pg.Client)) expect.fail('The connection has no socket.')
  const { stream: socket } = client.connection
  const write = vi.spyOn(socket, 'write')
  onTestFinished(() => write.mockRestore())
  return { socket, writes: () => write.mock.calls.length }
}

test('a group takes two round trips', async () => {
  let writes = () => 0
  changeFirstConnection((client) => {
    writes = socketOf(client).writes
  })
  expect(await outcomesOf(orderIds.map((orderId) => ({ orderId })))).toEqual(orderIds)
  expect(writes()).toBe(2)
  expect(await transactionSizes()).toEqual([8])
})

test('when the socket fails with the answer of the commit, no refund without a key runs again', async () => {
  changeFirstConnection((client) => {
    const { socket, writes } = socketOf(client)
    const emit = socket.emit.bind(socket)
    socket.emit = (event: string, ...values: unknown[]) => {
      // The server answers a round trip when it has executed all of it. This error has no code that is known.
      if (event === 'data' && writes() === 2) return socket.destroy(new Error('bad record')).destroyed
      return emit(event, ...values)
    }
  })
  const settled = await Promise.allSettled(orderIds.map((orderId) => refund({ orderId, key: null })))
  expect(settled).toMatchObject(orderIds.map(() => ({ status: 'rejected', reason: expect.any(OutcomeUnknown) })))
  expect(await countOf('refunds')).toBe(8)
})

test.for([
  ['a group', 8],
  ['a refund alone', 1],
] as const)('when a pooler loses the server in the commit of %s, no refund without a key runs again', async ([
  ,
  count,
]) => {
  changeFirstConnection((client) => {
    const { socket, writes } = socketOf(client)
    const emit = socket.emit.bind(socket)
    let isLost = false
    socket.emit = (event: string, ...values: unknown[]) => {
      if (event !== 'data' || writes() < 2) return emit(event, ...values)
      if (isLost) return true
      isLost = true
      emit('data', errorMessage({ S: 'FATAL', C: '08P01', M: 'server conn crashed?' }))
      return socket.destroy().destroyed
    }
  })
  const wanted = orderIds.slice(0, count).map((orderId) => ({ orderId, key: null }))
  const settled = await Promise.allSettled(wanted.map(refund))
  expect(settled).toMatchObject(wanted.map(() => ({ status: 'rejected', reason: expect.any(OutcomeUnknown) })))
  expect(await countOf('refunds')).toBe(count)
})

/** Returns an ErrorResponse of the PostgreSQL protocol. */
function errorMessage(fields: Readonly<Record<string, string>>): Buffer {
  const body = `${Object.entries(fields)
    .map(([code, value]) => `${code}${value}\0`)
    .join('')}\0`
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}

test('when the server is demoted, each refund runs again on another connection', async () => {
  changeFirstConnection((client) => client.query('set default_transaction_read_only = on'))
  expect(await outcomesOf(orderIds.map((orderId) => ({ orderId })))).toEqual(orderIds)
})

test('when the group gets no connection, each refund runs alone', async () => {
  changeFirstConnection((client) => {
    client.release()
    throw new Error('There is no connection.')
  })
  expect(await outcomesOf(orderIds.map((orderId) => ({ orderId })))).toEqual(orderIds)
  expect(await transactionSizes()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
})

test('a member that fails before its first statement leaves the group', async () => {
  let calls = 0
  const nowMs = () => {
    calls += 1
    if (calls === 3) throw new Error('no clock')
    return systemClock.nowMs()
  }
  context = { ...context, clock: { nowMs } }
  expect(await outcomesOf(orderIds.map((orderId) => ({ orderId })))).toEqual(
    orderIds.with(2, expect.stringContaining('no clock')),
  )
  expect(await transactionSizes()).toEqual([7])
})
