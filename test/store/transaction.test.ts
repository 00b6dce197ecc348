import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { withinBounds } from '../../src/base/deadline.ts'
import { openDatabase, type WriteTrx } from '../../src/store/core/database.ts'
import { reading, writing } from '../../src/store/core/statement.ts'
import { OutcomeUnknown, openTransaction } from '../../src/store/core/transaction.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { whileLocked } from '../support/database-locks.ts'

const opened = useDatabase()

const insert = writing<{ id: unknown }>()('insert_parent', (p) => sql`insert into parents values (${p.id}::integer)`)
const insertChild = writing<{ id: number }>()(
  'insert_child',
  (p) => sql<{ id: number }>`insert into children values (${p.id}::integer) returning id`,
)
const count = reading<object>()('count_parents', () => sql`select count(*) from parents`)
const selectAll = writing<object>()(
  'select_wide',
  () => sql`select parents.*, 'tail' as tail from parents where id = 7`,
)

beforeAll(async () => {
  await asOwner(
    opened(),
    `create table parents (id integer primary key);
     create table children (id integer references parents deferrable initially deferred);
     grant select, insert on parents, children to public`,
  )
})

async function idsOf(table: 'parents' | 'children'): Promise<number[]> {
  return (await opened().database.pool.query(`select id from ${table} order by id`)).rows.map((row) => row.id)
}

test('when the commit of a transaction fails, its SQL statements are not reported as executed', async () => {
  await expect(opened().database.run(insertChild, { id: 404 })).rejects.toMatchObject({ code: '23503' })
  expect(await idsOf('children')).toEqual([])
})

test('when the check before a commit throws an error, queued statements whose results were not awaited are rolled back too', async () => {
  const guard = async () => {
    throw new Error('refused')
  }
  const transaction = openTransaction(opened().database, { guard })
  transaction.trx.queue(insert, { id: 1 })
  await expect(transaction.end('commit', Promise.resolve())).rejects.toThrow('refused')
  expect(await idsOf('parents')).toEqual([])
})

test.each([
  ['XX000', true, 'is unknown'],
  ['08006', true, 'is unknown'],
  ['57014', true, 'is unknown'],
  ['53100', true, 'is a rollback'],
  ['XX000', false, 'is a rollback'],
  ['57014', false, 'is a rollback'],
])('if a commit fails with the error %s (on a distributed database: %s), the outcome of the transaction %s', async (code, isDistributed, outcome) => {
  const database = openDatabase({ connectionString: opened().connectionString, maxConnections: 1 })
  onTestFinished(database.close)
  if (isDistributed) database.reachability.set({ reachable: [], unreachable: [] })
  await asOwner(
    opened(),
    `create function fail_commit() returns trigger language plpgsql as
     $$ begin raise exception using errcode = '${code}', message = 'the commit failed'; end $$`,
  )
  const trigger = 'create constraint trigger fail_commit after insert on parents deferrable initially deferred'
  await asOwner(opened(), `${trigger} for each row execute function fail_commit()`)
  const transaction = openTransaction(database)
  transaction.trx.queue(insert, { id: 77 })
  const failure = await transaction.end('commit', Promise.resolve()).catch((error: unknown) => error)
  expect(failure instanceof OutcomeUnknown).toBe(outcome === 'is unknown')
  expect(String(Reflect.get(Object(failure), outcome === 'is unknown' ? 'cause' : 'message'))).toContain(
    'the commit failed',
  )
  await asOwner(opened(), 'drop function fail_commit() cascade')
})

test('the guard that runs before the commit of a transaction may execute several SQL statements', async () => {
  const guard = async (trx: WriteTrx) => {
    await trx.write(insert, { id: 2 })
    await trx.write(insert, { id: 3 })
  }
  const transaction = openTransaction(opened().database, { guard })
  transaction.trx.queue(insert, { id: 4 })
  await transaction.end('commit', Promise.resolve())
  expect(await idsOf('parents')).toEqual([2, 3, 4])
})

test('a request with little time left fails with a lock timeout before its SQL statement is cancelled', async () => {
  await whileLocked(opened(), { text: 'lock table parents in access exclusive mode' }, async () => {
    const bounds = { queuedMs: 2_500, totalMs: 2_500, onDisconnect: () => () => undefined }
    const failed: unknown = await withinBounds(bounds, async () => {
      const transaction = openTransaction(opened().database)
      return transaction.end('commit', transaction.trx.write(insert, { id: 5 }))
    }).catch((error: unknown) => error)
    // The error code is that of lock_not_available. If the statement had been cancelled, the code would be that of
    // query_canceled.
    expect(failed).toMatchObject({ code: '55P03' })
  })
})

test('in a request with little time left, an aborted transaction can still read and releases its connection at its end', async () => {
  const { pool } = opened().database
  const transaction = openTransaction(opened().database)
  transaction.refuseWrites()
  await withinBounds({ queuedMs: 1_000, totalMs: 1_000, onDisconnect: () => () => undefined }, async () => {
    expect(await transaction.trx.read(count, {})).toHaveLength(1)
    await transaction.end('rollback', Promise.resolve())
  })
  expect(pool.totalCount - pool.idleCount).toBe(0)
})

test('a transaction commits nothing when one of its SQL statements could not be sent', async () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const transaction = openTransaction(opened().database)
  transaction.trx.queue(insert, { id: 5 })
  transaction.trx.queue(insert, { id: circle })
  await expect(transaction.end('commit', Promise.resolve())).rejects.toThrow(/circular/)
  expect(await idsOf('parents')).toEqual([2, 3, 4])
})

test('reads continue to work on open connections when a column is added while the service runs', async () => {
  const { database } = opened()
  await database.run(insert, { id: 7 })
  const old = await database.connect()
  expect(await database.run(selectAll, {})).toEqual([{ id: 7, tail: 'tail' }])
  await asOwner(opened(), "alter table parents add column note text not null default 'new'")
  for (let round = 0; round < 3; round++) {
    expect(await database.run(selectAll, {})).toEqual([{ id: 7, note: 'new', tail: 'tail' }])
  }
  old.release()
})
