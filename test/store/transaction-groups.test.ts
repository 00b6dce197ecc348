import type { Duplex } from 'node:stream'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { systemClock } from '../../src/base/clock.ts'
import { cappedWaitMs, withinBounds } from '../../src/base/deadline.ts'
import { OutcomeUnknown } from '../../src/store/core/transaction.ts'
import { openTransactionGroups } from '../../src/store/core/transaction-groups.ts'
import { useGroupedRefunds, type WantedRefund } from '../support/commerce/grouped-refunds.ts'
import { asOwner } from '../support/database.ts'
import { untilWaiting } from '../support/database-locks.ts'

/**
 * Refunds of one merchant that are stored in one common transaction. The outcome of each refund is the same as in a
 * separate transaction.
 */

const shop = useGroupedRefunds()

test('concurrent refunds of different orders share one transaction, and each is recorded', async () => {
  const amounts = shop.orderIds.map((orderId, index) => ({ orderId, amountKobo: 100 + index, key: `key-${index}` }))
  expect(await shop.outcomesOf(amounts)).toEqual(shop.orderIds)
  expect(await shop.transactionSizes()).toEqual([8])
  expect(await shop.refundedKobo()).toEqual(
    Object.fromEntries(amounts.map(({ orderId, amountKobo }) => [orderId, amountKobo])),
  )
  expect([
    await shop.countOf('refunds'),
    await shop.countOf('webhook_events'),
    await shop.countOf('idempotency_keys'),
  ]).toEqual([8, 8, 8])
  const { rows } = await shop.opened().database.pool.query(
    `select key.key, refund.amount_kobo::integer as amount, event.resource_id = refund.id as "isOfRefund"
     from refunds refund
     join audit_log audit on audit.merchant_id = refund.merchant_id and audit.resource_id = refund.id
     join webhook_events event on event.merchant_id = refund.merchant_id and event.resource_id = refund.id
     join idempotency_keys key
       on key.merchant_id = refund.merchant_id and key.response_body::jsonb ->> 'id' = refund.id
     where refund.merchant_id = $1
     order by amount`,
    [shop.merchantId],
  )
  expect(rows).toEqual(amounts.map(({ key, amountKobo: amount }) => ({ key, amount, isOfRefund: true })))
})

test('a rejected refund is removed from the transaction group, and the other refunds share the transaction', async () => {
  const wanted: WantedRefund[] = shop.orderIds.map((orderId) => ({ orderId }))
  wanted[2] = { orderId: OrderId.parse('ord_01jzzzzzzzzzzzzzzzzzzzzzzz') }
  wanted[5] = { ...wanted[5], orderId: shop.orderIds[5] ?? expect.fail(), amountKobo: 10_000_000_000 }
  const outcomes = await shop.outcomesOf(wanted)
  expect(outcomes[2]).toBe('order_unknown')
  expect(outcomes[5]).toBe('too_much')
  expect(await shop.transactionSizes()).toEqual([6])
  expect(await shop.countOf('refunds')).toBe(6)
})

test('a refund that fails after its first write is not stored, and each other refund of its transaction group runs in its own transaction', async () => {
  const wanted = shop.orderIds.map((orderId, index) => ({
    orderId,
    after: () => {
      if (index === 3) throw new Error('failed late')
    },
  }))
  const outcomes = await shop.outcomesOf(wanted)
  expect(outcomes).toEqual(shop.orderIds.map((id, index) => (index === 3 ? 'failed late' : id)))
  expect(await shop.transactionSizes()).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(await shop.countOf('refunds')).toBe(7)
})

test('a constraint violation of one refund in a transaction group fails that refund only', async () => {
  await asOwner(shop.opened(), `alter table refunds add constraint is_not_666 check (amount_kobo <> 666) not valid`)
  try {
    const outcomes = await shop.outcomesOf(
      shop.orderIds.map((orderId, index) => ({ orderId, amountKobo: index === 0 ? 666 : 100 })),
    )
    expect(outcomes[0]).toContain('is_not_666')
    expect(outcomes.slice(1)).toEqual(shop.orderIds.slice(1))
    expect(await shop.countOf('refunds')).toBe(7)
  } finally {
    await asOwner(shop.opened(), 'alter table refunds drop constraint is_not_666')
  }
})

test('while another transaction holds the lock of one order, the refunds of other orders in the group are stored', async () => {
  const [locked, ...others] = shop.orderIds
  if (locked === undefined) expect.fail('There is no order.')
  const client = new pg.Client({ connectionString: shop.opened().connectionString })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from orders where merchant_id = $1 and id = $2 for update', [shop.merchantId, locked])
    const waiting = shop.refund({ orderId: locked })
    expect(await shop.outcomesOf(others.map((orderId) => ({ orderId })))).toEqual(others)
    expect(Object.keys(await shop.refundedKobo()).sort()).toEqual([...others].sort())
    await client.query('commit')
    expect((await waiting).orderId).toBe(locked)
  } finally {
    await client.end()
  }
})

test('two refunds of one order are never in one transaction, and both are included in the refunded amount', async () => {
  const [orderId] = shop.orderIds
  if (orderId === undefined) expect.fail('There is no order.')
  await Promise.all([
    shop.refund({ orderId, amountKobo: 100 }),
    shop.refund({ orderId, amountKobo: 20 }),
    shop.refund({ orderId }),
  ])
  expect(await shop.transactionSizes()).toEqual([1, 1, 1])
  expect(await shop.refundedKobo()).toEqual({ [orderId]: 220 })
})

test('a transaction group waits for the lock of an order, and then reads the amounts that the holder of the lock has committed', async () => {
  const [locked = expect.fail()] = shop.orderIds
  const holder = await shop.opened().database.pool.connect()
  await holder.query('begin')
  await holder.query('select from orders where id = $1 for update', [locked])
  const outcomes = shop.outcomesOf(shop.orderIds.map((orderId) => ({ orderId, amountKobo: 1_000 })))
  await untilWaiting(shop.opened(), 1)
  await holder.query('update orders set refunded_kobo = paid_kobo where id = $1', [locked])
  await holder.query('commit')
  holder.release()
  const [ofLocked, ...others] = await outcomes
  expect(ofLocked).toBe('order_fully_refunded')
  expect(others).toEqual(shop.orderIds.slice(1))
})

describe('a transaction group whose connection breaks', () => {
  const die = `create function die() returns trigger language plpgsql
               as 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`

  test.for([
    ['with the last insert', 'create trigger die before insert on idempotency_keys', { code: '57P01' }],
    [
      'during the commit',
      'create constraint trigger die after insert on audit_log deferrable initially deferred',
      expect.any(OutcomeUnknown),
    ],
  ] as const)('when the connection breaks %s, no refund of the transaction group runs again, nothing is stored, and a retry succeeds', async ([
    ,
    trigger,
    reason,
  ]) => {
    await asOwner(shop.opened(), die)
    await asOwner(shop.opened(), `${trigger} for each row execute function die()`)
    let runs = 0
    const wanted = shop.orderIds.map((orderId, index) => ({ orderId, key: `key-${index}`, after: () => (runs += 1) }))
    const settled = await Promise.allSettled(wanted.map(shop.refund))
    await asOwner(shop.opened(), 'drop function die cascade')
    expect(settled).toMatchObject(shop.orderIds.map(() => ({ status: 'rejected', reason })))
    expect(runs).toBe(8)
    expect(await shop.countOf('refunds')).toBe(0)
    expect(await shop.outcomesOf(wanted)).toEqual(shop.orderIds)
    expect(await shop.countOf('refunds')).toBe(8)
  })
})

/** Replaces the database with a copy in which the function `change` changes the first connection. */
function changeFirstConnection(change: (client: pg.PoolClient) => unknown): void {
  const { database } = shop.opened()
  let connections = 0
  const connect = async (id?: MerchantId) => {
    const client = await database.connect(id)
    connections += 1
    if (connections === 1) await change(client)
    return client
  }
  const changed = { ...database, connect }
  shop.context = { ...shop.context, database: changed, groups: openTransactionGroups(changed) }
}

/**
 * Returns the socket of a database connection, and a function that counts the socket's writes. Each write is one round
 * trip.
 */
function socketOf(client: pg.PoolClient): { readonly socket: Duplex; readonly writes: () => number } {
  if (!(client instanceof pg.Client)) expect.fail('The connection has no socket.')
  const { stream: socket } = client.connection
  const write = vi.spyOn(socket, 'write')
  onTestFinished(() => write.mockRestore())
  return { socket, writes: () => write.mock.calls.length }
}

test('a transaction group of refunds takes two round trips to the database', async () => {
  let writes = () => 0
  changeFirstConnection((client) => {
    writes = socketOf(client).writes
  })
  expect(await shop.outcomesOf(shop.orderIds.map((orderId) => ({ orderId })))).toEqual(shop.orderIds)
  expect(writes()).toBe(2)
  expect(await shop.transactionSizes()).toEqual([8])
})

test('when the connection fails during the response to the commit, no refund without an idempotency key runs again', async () => {
  changeFirstConnection((client) => {
    const { socket, writes } = socketOf(client)
    const emit = socket.emit.bind(socket)
    socket.emit = (event: string, ...values: unknown[]) => {
      // The server responds to a round trip only when it has executed all of its statements. The service does not
      // recognise the code of this error.
      if (event === 'data' && writes() === 2) return socket.destroy(new Error('bad record')).destroyed
      return emit(event, ...values)
    }
  })
  const settled = await Promise.allSettled(shop.orderIds.map((orderId) => shop.refund({ orderId, key: null })))
  expect(settled).toMatchObject(shop.orderIds.map(() => ({ status: 'rejected', reason: expect.any(OutcomeUnknown) })))
  expect(await shop.countOf('refunds')).toBe(8)
})

test.for([
  ['a group', 8],
  ['a refund alone', 1],
] as const)('when a pooler loses the database server during the commit of %s, no refund without an idempotency key runs again', async ([
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
  const wanted = shop.orderIds.slice(0, count).map((orderId) => ({ orderId, key: null }))
  const settled = await Promise.allSettled(wanted.map(shop.refund))
  expect(settled).toMatchObject(wanted.map(() => ({ status: 'rejected', reason: expect.any(OutcomeUnknown) })))
  expect(await shop.countOf('refunds')).toBe(count)
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

test('when the database server is demoted, each refund of the transaction group runs again on another connection', async () => {
  changeFirstConnection((client) => client.query('set default_transaction_read_only = on'))
  expect(await shop.outcomesOf(shop.orderIds.map((orderId) => ({ orderId })))).toEqual(shop.orderIds)
})

test('when the transaction group gets no database connection, each of its refunds runs in its own transaction', async () => {
  changeFirstConnection((client) => {
    client.release()
    throw new Error('There is no connection.')
  })
  expect(await shop.outcomesOf(shop.orderIds.map((orderId) => ({ orderId })))).toEqual(shop.orderIds)
  expect(await shop.transactionSizes()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
})

test('a refund that fails before its first statement is removed from its transaction group', async () => {
  let calls = 0
  const nowMs = () => {
    calls += 1
    if (calls === 3) throw new Error('no clock')
    return systemClock.nowMs()
  }
  shop.context = { ...shop.context, clock: { nowMs } }
  expect(await shop.outcomesOf(shop.orderIds.map((orderId) => ({ orderId })))).toEqual(
    shop.orderIds.with(2, expect.stringContaining('no clock')),
  )
  expect(await shop.transactionSizes()).toEqual([7])
})

test('a transaction group waits for a database connection no longer than the shortest wait that its requests allow', async () => {
  const { database } = shop.opened()
  const waitsMs: number[] = []
  const connect: typeof database.connect = (id) => {
    waitsMs.push(cappedWaitMs(Number.POSITIVE_INFINITY))
    return database.connect(id)
  }
  shop.context = { ...shop.context, groups: openTransactionGroups({ connect }) }
  const shortestMs = 60_000
  const refunds = shop.orderIds.map((orderId, index) => {
    const queuedMs = index === 3 ? shortestMs : 2 * shortestMs
    const bounds = { queuedMs, totalMs: 2 * shortestMs, onDisconnect: () => () => undefined }
    return withinBounds(bounds, () => shop.refund({ orderId }))
  })
  await Promise.all(refunds)
  expect(waitsMs).toHaveLength(1)
  expect(waitsMs[0]).toBeLessThanOrEqual(shortestMs)
})
