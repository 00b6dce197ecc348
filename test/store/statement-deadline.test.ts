import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withinBounds } from '../../src/base/deadline.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { isCancelled, isUnavailable } from '../../src/store/core/faults.ts'
import { QueueRefused } from '../../src/store/core/keyed-queue.ts'
import { shareDatabase } from '../../src/store/core/shared-database.ts'
import { reading } from '../../src/store/core/statement.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

const sleep = reading<{ seconds: number }>()(
  'sleep',
  (p) => sql<{ slept: string }>`select pg_sleep(${p.seconds})::text as slept`,
)
const one = reading<object>()('one', () => sql<{ one: number }>`select 1 as one`)

test('an SQL statement is cancelled on the database server at the deadline of its request', async () => {
  const database = shareDatabase(opened().database)
  // Opens the database connection first, so that the deadline passes during the statement even on a busy machine.
  await database.read(one, {})
  const bounds = { queuedMs: 1_500, totalMs: 1_500, onDisconnect: () => () => undefined }
  const error: unknown = await withinBounds(bounds, () => database.read(sleep, { seconds: 60 })).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(isCancelled(error)).toBe(true)
  const { rows } = await opened().database.pool.query(
    "select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()",
  )
  expect(rows).toEqual([])
  expect(await database.read(one, {})).toEqual([{ one: 1 }])
})

test('an SQL statement is not cancelled before the deadline of its request', async () => {
  const database = shareDatabase(opened().database)
  const bounds = { queuedMs: 9_000, totalMs: 9_000, onDisconnect: () => () => undefined }
  expect(await withinBounds(bounds, () => database.read(sleep, { seconds: 0.1 }))).toHaveLength(1)
})

test('a request that waits for a database connection is rejected at its deadline, and the pool loses no connection', async () => {
  const database = shareDatabase(opened().database)
  const { pool } = opened().database
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const bounds = { queuedMs: 1_000, totalMs: 1_000, onDisconnect: () => () => undefined }
  await expect(withinBounds(bounds, () => database.read(one, {}))).rejects.toThrow(QueueRefused)
  for (const client of taken) client.release()
  // Runs as many concurrent reads as the pool has connections, to check that no connection was lost.
  const reads = await Promise.all(taken.map(() => database.read(one, {})))
  expect(reads).toHaveLength(pool.options.max)
  expect(pool.idleCount).toBe(pool.options.max)
})

test('if the database server does not respond before the deadline of a request, the request fails with a connection failure and not with the error of a full queue', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = Object(silent.address())
  const database = openDatabase({ connectionString: `postgres://commerce@127.0.0.1:${port}/commerce` })
  const bounds = { queuedMs: 600, totalMs: 600, onDisconnect: () => () => undefined }
  const error: unknown = await withinBounds(bounds, () => database.read(one, {})).catch((reason: unknown) => reason)
  expect(error).not.toBeInstanceOf(QueueRefused)
  expect(isUnavailable(error)).toBe(true)
  for (const socket of sockets) socket.destroy()
  await database.close()
  silent.close()
})
