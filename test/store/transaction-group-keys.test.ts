import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { StoredResponseFound } from '../../src/store/core/idempotency.ts'
import { reading } from '../../src/store/core/statement.ts'
import { refundRoute, useGroupedRefunds } from '../support/commerce/grouped-refunds.ts'
import { untilWaiting } from '../support/database-locks.ts'

/** Idempotency keys of refunds that are stored in one common transaction. */

const shop = useGroupedRefunds()

test('a repeated idempotency key in a transaction group returns the stored response, and the other refunds of the group are not affected', async () => {
  const [first, ...others] = shop.orderIds
  if (first === undefined) expect.fail('There is no order.')
  const made = await shop.refund({ orderId: first, key: 'used' })
  const repeated = shop.refund({ orderId: first, key: 'used' })
  const outcomes = shop.outcomesOf(others.map((orderId) => ({ orderId })))
  await expect(repeated).rejects.toSatisfy(
    (error) => error instanceof StoredResponseFound && error.stored.body === JSON.stringify(made),
  )
  expect(await outcomes).toEqual(others)
  expect(await shop.transactionSizes()).toEqual([7, 1])
})

test('of two refunds of different orders with the same idempotency key, one is stored and the other is rejected', async () => {
  const outcomes = await shop.outcomesOf(shop.orderIds.slice(0, 2).map((orderId) => ({ orderId, key: 'same' })))
  expect(outcomes.filter((outcome) => outcome.startsWith('ord_'))).toHaveLength(1)
  expect(await shop.countOf('refunds')).toBe(1)
})

test('two refunds of different orders with the same idempotency key are never in one transaction', async () => {
  const [first, second] = shop.orderIds
  if (first === undefined || second === undefined) expect.fail('There are no orders.')
  const read = sql<{ one: number }>`select 1 as one`
  const one = reading<object>()('one_more_read', () => read)
  // If a refund of the transaction group stores its key later than the others, a separate statement stores its
  // response.
  const outcomes = await shop.outcomesOf([
    { orderId: first, key: 'same', after: ({ trx }) => trx.read(one, {}) },
    { orderId: second, key: 'same' },
  ])
  expect(outcomes.filter((outcome) => outcome.startsWith('ord_'))).toHaveLength(1)
  expect([await shop.countOf('refunds'), await shop.countOf('idempotency_keys')]).toEqual([1, 1])
})

test.each([
  ['in time', true],
  ['later than a group waits', false],
] as const)('a transaction group handles an idempotency key whose response another process stores %s', async (_, isInTime) => {
  const [first = expect.fail(), ...others] = shop.orderIds
  const client = new pg.Client({ connectionString: shop.opened().connectionString })
  await client.connect()
  try {
    await client.query('begin')
    const lockName = `${shop.merchantId} ${refundRoute} shared`
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lockName])
    const shared = shop.refund({ orderId: first, key: 'shared' })
    // The test awaits this rejected promise later. Until then, Node.js must not report it as unhandled.
    shared.catch(() => undefined)
    const outcomes = shop.outcomesOf(others.map((orderId) => ({ orderId })))
    await untilWaiting(shop.opened(), 1)
    // A transaction group ends when one of its refunds waits too long. The other refunds are stored.
    if (!isInTime) expect(await outcomes).toEqual(others)
    await client.query(
      `insert into idempotency_keys (merchant_id, route, key, fingerprint, token_id, request_id, response_status,
         response_body, created_at, expires_at)
       values ($1, $2, 'shared', sha256($3), 'tok_other', 'req_other', 201, 'stored', now(), now() + interval '24 hours')`,
      [shop.merchantId, refundRoute, Buffer.from(first)],
    )
    await client.query('commit')
    await expect(shared).rejects.toSatisfy(
      (error) => error instanceof StoredResponseFound && error.stored.body === 'stored',
    )
    expect(await outcomes).toEqual(others)
  } finally {
    await client.end()
  }
  expect([await shop.countOf('refunds'), await shop.countOf('idempotency_keys')]).toEqual([7, 8])
  const alone = [1, 1, 1, 1, 1, 1, 1]
  // On a busy machine, the transaction group may already have ended because one refund waited too long.
  expect(isInTime ? [[7], alone] : [alone]).toContainEqual(await shop.transactionSizes())
})
