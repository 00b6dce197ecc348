import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { contextOf, emit, openMerchant } from '../../../scripts/faults/merchants.ts'
import { silentLog } from '../../../src/base/log.ts'
import { recurringWorkOf } from '../../../src/base/recurring-work.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { isUnavailable } from '../../../src/store/core/faults.ts'
import { newClientOf } from '../../../src/store/core/server-client.ts'
import { reading } from '../../../src/store/core/statement.ts'
import { openJobPool } from '../../../src/store/server/job-pool.ts'
import { listen } from '../../../src/store/server/listen.ts'
import { requireUsable } from '../../../src/store/server/usable.ts'
import { type Cluster, onNode, openCluster, severalHosts, waitForReplay } from '../../support/cluster.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * A database URL with several hosts: a primary and a streaming standby. The tests must run in order, because the last
 * ones cause a failover.
 */

let cluster: Cluster

beforeAll(async () => {
  cluster = await openCluster()
})
afterAll(() => cluster.stop())

const portOf = reading<object>()(
  'port_of_server',
  () => sql<{ port: number }>`
  select current_setting('port')::int as port`,
)

async function portIn(database: Database): Promise<number | undefined> {
  const [row] = await database.read(portOf, {})
  return row?.port
}

function open(connectionString: string): Database {
  const database = openDatabase({ connectionString })
  onTestFinished(() => database.close())
  return database
}

async function portAt(connectionString: string): Promise<number> {
  const client = newClientOf(connectionString)
  await client.connect()
  try {
    return Number((await client.query('show port')).rows[0].port)
  } finally {
    await client.end()
  }
}

test('connections go to the primary database wherever the primary is in the list of hosts', async () => {
  const { primary, standby } = cluster
  expect(await portIn(open(severalHosts(primary, standby)))).toBe(primary.port)
  expect(await portIn(open(severalHosts(standby, primary)))).toBe(primary.port)
})

test.each([
  ['read-write', 'primary'],
  ['primary', 'primary'],
  ['standby', 'standby'],
  ['prefer-standby', 'standby'],
  ['read-only', 'standby'],
] as const)('a connection with target_session_attrs=%s selects the %s', async (attributes, role) => {
  const { primary, standby } = cluster
  const address = severalHosts(primary, standby)
  expect(await portAt(`${address}&target_session_attrs=${attributes}`)).toBe(cluster[role].port)
})

test('prefer-standby uses the primary when no standby responds, and target_session_attrs=any uses the first host', async () => {
  const { primary, standby } = cluster
  const gone = { connectionString: primary.connectionString.replace(`:${primary.port}/`, ':1/') }
  expect(await portAt(`${severalHosts(gone, primary)}&target_session_attrs=prefer-standby`)).toBe(primary.port)
  expect(await portAt(`${severalHosts(standby, primary)}&target_session_attrs=any`)).toBe(standby.port)
})

test('if no host in DATABASE_URL is a primary, the error states for each host why that host cannot be used', async () => {
  const { standby } = cluster
  const gone = { connectionString: standby.connectionString.replace(`:${standby.port}/`, ':1/') }
  const failure: unknown = await requireUsable(severalHosts(standby, gone)).catch((error: unknown) => error)
  const { message = '' } = failure instanceof Error ? failure : {}
  expect(message).toMatch(
    /^The database cannot be reached: No server of the database can be used: .*\. Check DATABASE_URL\.$/,
  )
  expect(message).toContain(`127.0.0.1:${standby.port} is a standby`)
  expect(message).toContain('127.0.0.1:1 failed (connect ECONNREFUSED 127.0.0.1:1)')
})

test('a write to a database that was set read-only fails as unavailable, and a write succeeds once the database accepts writes again', async () => {
  const { primary } = cluster
  const database = open(primary.connectionString)
  const tenant = await openMerchant(database)
  await onNode(primary, `alter database commerce set default_transaction_read_only = on`)
  await onNode(primary, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'commerce_service'`)
  await expect.poll(() => database.pool.totalCount).toBe(0)
  const failure: unknown = await emit(contextOf(database), tenant, 1).catch((error: unknown) => error)
  expect(isUnavailable(failure)).toBe(true)
  await onNode(primary, `set transaction_read_only = off; alter database commerce reset default_transaction_read_only`)
  await emit(contextOf(database), tenant, 1)
})

test('after the promotion of a standby, every connection moves to the new primary, and the old primary is not used when it runs again', async () => {
  const { primary, standby } = cluster
  const database = open(severalHosts(primary, standby))
  const tenant = await openMerchant(database)
  const broken = vi.fn()
  const listening = await listen(database, { channel: 'webhooks_due', notified: () => undefined, broken })
  onTestFinished(() => listening.close())
  const jobs = openJobPool(database.servers, { work: recurringWorkOf(silentLog), onError: () => undefined })
  onTestFinished(() => jobs.end())
  // A database connection that stays in use, like that of the job queue.
  const held = await jobs.connect()
  const ended = new Promise((resolve) => held.once('end', resolve)).finally(() => held.release(true))
  // Simulates a split brain: the old primary has not noticed that the standby was promoted, and still accepts writes.
  await waitForReplay(cluster)
  await onNode(standby, 'select pg_promote()')
  database.servers.suspect(await database.servers.locate())
  await expect.poll(() => portIn(database)).toBe(standby.port)
  await ended
  await waitFor(() => expect(broken).toHaveBeenCalledOnce())
  expect((await jobs.query('show port')).rows).toEqual([{ port: String(standby.port) }])
  await emit(contextOf(database), tenant, 1)

  await primary.kill()
  await primary.start()
  database.servers.suspect(await database.servers.locate())
  await database.servers.settled?.()
  expect(await portIn(database)).toBe(standby.port)
  await expect(emit(contextOf(database), tenant, 1)).resolves.toBeUndefined()
})
