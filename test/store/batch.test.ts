import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Channel, type Connection, openChannel } from '../../src/store/core/channel.ts'
import { writing } from '../../src/store/core/statement.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

const echo = writing<{ value: string }>()('echo', (p) => sql<{ value: string }>`select ${p.value}::text as value`)
const divide = writing<{ by: number }>()(
  'divide',
  (p) => sql<{ result: number }>`select 10 / ${p.by}::integer as result`,
)
const nothing = writing<object>()('nothing', () => sql<{ value: string }>`select 'x' as value where false`)
const huge = writing<object>()('huge', () => sql<{ value: number }>`select 9007199254740993::bigint as value`)
const broken = writing<object>()('broken', () => sql`select from a_table_that_is_not_there`)
const hang = writing<object>()('hang', () => sql`select pg_sleep(60)`)

let connection: Connection
let channel: Channel

beforeEach(async () => {
  connection = await opened().database.connect()
  channel = openChannel(() => connection)
})
afterEach(() => connection.release(true))

describe('statements queued in one event-loop turn', () => {
  test('statements queued in one event-loop turn are sent together, and each statement gets its own rows', async () => {
    const results = await Promise.all([
      channel.run(echo, { value: 'a' }),
      channel.run(nothing, {}),
      channel.run(echo, { value: 'b' }),
      channel.run(divide, { by: 5 }),
    ])
    expect(results).toEqual([[{ value: 'a' }], [], [{ value: 'b' }], [{ result: 2 }]])
  })

  test('after a failed statement, the statements queued in the same event-loop turn are not executed, and their errors have the failure as their cause', async () => {
    const outcomes = await Promise.allSettled([
      channel.run(echo, { value: 'a' }),
      channel.run(divide, { by: 0 }),
      channel.run(echo, { value: 'c' }),
    ])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: [{ value: 'a' }] },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { cause: { code: '22012' } } },
    ])
  })

  test('new statements can be executed on a database connection after a failed statement', async () => {
    await expect(channel.run(divide, { by: 0 })).rejects.toMatchObject({ code: '22012' })
    expect(await channel.run(divide, { by: 2 })).toEqual([{ result: 5 }])
    await expect(channel.run(divide, { by: 0 })).rejects.toMatchObject({ code: '22012' })
    expect(await channel.run(divide, { by: 1 })).toEqual([{ result: 10 }])
  })

  test('after a batch with an invalid statement, the prepared statements of that batch still work in later batches', async () => {
    const outcomes = await Promise.allSettled([
      channel.run(echo, { value: 'a' }),
      channel.run(broken, {}),
      channel.run(divide, { by: 1 }),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await channel.run(divide, { by: 1 })).toEqual([{ result: 10 }])
    await expect(channel.run(broken, {})).rejects.toMatchObject({ code: '42P01' })
    expect(await channel.run(echo, { value: 'z' })).toEqual([{ value: 'z' }])
  })
})

test('if a row cannot be parsed, only the statement that read the row fails', async () => {
  const outcomes = await Promise.allSettled([channel.run(huge, {}), channel.run(echo, { value: 'after' })])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { message: 'An integer from the database is beyond 2^53.' } },
    { status: 'fulfilled', value: [{ value: 'after' }] },
  ])
})

test('a closed connection rejects its pending statements, and the pool opens a new connection', async () => {
  const { rows } = await connection.client.query('select pg_backend_pid() as pid')
  const hanging = Promise.allSettled([channel.run(hang, {}), channel.run(echo, { value: 'never' })])
  const { database } = opened()
  await expect
    .poll(async () => (await database.pool.query('select pg_terminate_backend($1) as cut', [rows[0].pid])).rows)
    .toEqual([{ cut: true }])
  expect((await hanging).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
  expect(await database.run(echo, { value: 'new' })).toEqual([{ value: 'new' }])
})
