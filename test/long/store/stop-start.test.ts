import { spawn } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { encryptionKey } from '../../../scripts/faults/merchants.ts'
import { endOf } from '../../../scripts/faults/processes.ts'
import { createPartitions } from '../../../src/store/partitions/partitions.ts'
import { migrate } from '../../../src/store/server/migrate.ts'
import { requireUsable } from '../../../src/store/server/usable.ts'
import { useDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/wait-for.ts'

/** If the service is stopped during its start, it aborts the database work for which the start waits. */

const opened = useDatabase()

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** A superuser, who can see which sessions of the service's role and of the owner's role wait. */
let superuser: pg.Client
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: opened().superuserConnectionString })
  await superuser.connect()
})
afterAll(() => superuser.end())

/**
 * Locks tables in a transaction that stays open until the test ends. The owner of the tables runs the given statement.
 */
async function hold(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: opened().ownerConnectionString })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query(statement)
}

async function untilAnyWaits(): Promise<void> {
  await waitFor(async () => expect((await superuser.query(waiting)).rowCount).toBeGreaterThan(0), {
    interval: 5,
    timeout: 120_000,
  })
}

async function expectNoLockWait(): Promise<void> {
  await waitFor(async () => expect((await superuser.query(waiting)).rowCount).toBe(0))
}

/** Starts database work and aborts it. Returns the error with which the work rejects. */
async function aborted(begin: (signal: AbortSignal) => Promise<unknown>, hasBegun: () => Promise<unknown>) {
  const stopping = new AbortController()
  const reason = new Error('Stop.')
  const ended = begin(stopping.signal).then(
    () => expect.fail('It ended by itself.'),
    (error) => error,
  )
  await hasBegun()
  stopping.abort(reason)
  expect(await ended).toBe(reason)
}

test('an aborted migration stops waiting for its database lock and does not retry', async () => {
  await hold('lock table kysely_migration, kysely_migration_lock')
  await aborted((signal) => migrate(opened().ownerConnectionString, { signal }), untilAnyWaits)
  await expectNoLockWait()
})

test('an aborted creation of partitions stops waiting for the database lock and does not block the next run', async () => {
  const { pool } = opened().database
  const nowMs = Date.parse('2061-05-01T00:00:00.000Z')
  await hold('select from webhook_events limit 1')
  await aborted((signal) => createPartitions(pool, nowMs, signal), untilAnyWaits)
  await expectNoLockWait()
  const locks = `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
  await waitFor(async () => expect((await pool.query(locks)).rowCount).toBe(0))
})

test('an aborted database check closes its connection to a server that does not respond', async () => {
  const sockets: Socket[] = []
  const connected = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.push(socket)
    connected.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  await aborted(
    (signal) => requireUsable(`postgres://none@127.0.0.1:${port}/none`, signal),
    () => connected.promise,
  )
})

test('SIGTERM ends a start that waits for a migration’s lock', async () => {
  await hold('lock table kysely_migration, kysely_migration_lock')
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      MIGRATE: 'always',
      PORT: '0',
      DATABASE_URL: opened().connectionString,
      DATABASE_OWNER_URL: opened().ownerConnectionString,
      LOG_LEVEL: 'silent',
      ENCRYPTION_KEY: encryptionKey.toString('base64'),
    },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = endOf(child)
  await untilAnyWaits()
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expectNoLockWait()
})
