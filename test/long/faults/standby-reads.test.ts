import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { contextOf, emit, openMerchant, operator } from '../../../scripts/faults/merchants.ts'
import { createToken } from '../../../src/access/create-token.ts'
import { openLog, silentLog } from '../../../src/base/log.ts'
import { createApiServer } from '../../../src/http/server.ts'
import { openService } from '../../../src/http/service.ts'
import { allOperations } from '../../../src/operations/implementations.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import type { Tenant } from '../../../src/store/core/mutation.ts'
import { reading } from '../../../src/store/core/statement.ts'
import { openStandby } from '../../../src/store/server/standby.ts'
import { openStandbyReads, type StandbyReads } from '../../../src/store/server/standby-reads.ts'
import { addressOf } from '../../support/api.ts'
import { type Cluster, onNode, openCluster } from '../../support/cluster.ts'

/** Reads on a streaming standby that stops replaying changes or fails. */

/**
 * Limit of the standby's replay delay: longer than the time for which a test pauses the replay. Only the test in which
 * the delay must exceed the limit sets a shorter limit.
 */
const lagMs = 600_000

let cluster: Cluster
let database: Database
let reads: StandbyReads
/** Two merchants that are created before the tests start. The merchant `idle` writes nothing during the tests. */
let idle: Tenant
let writer: Tenant

beforeAll(async () => {
  cluster = await openCluster()
  const { primary, standby } = cluster
  database = openDatabase({ connectionString: primary.connectionString })
  idle = await openMerchant(database)
  writer = await openMerchant(database)
  const { clock } = contextOf(database)
  reads = openStandbyReads({ url: standby.connectionString, lagMs, primary, clock, log: silentLog })
})
afterAll(async () => {
  await reads.close()
  await database.close()
  await cluster.stop()
})

const portOf = reading<object>()(
  'port_of_server',
  () => sql<{ port: number }>`select current_setting('port')::int as port`,
)

async function serverFor({ merchantId }: Tenant, from = reads): Promise<'primary' | 'standby'> {
  const db = await from.databaseFor(merchantId, database)
  const [row] = await db.read(portOf, {})
  return row?.port === cluster.standby.port ? 'standby' : 'primary'
}

const pause = () => onNode(cluster.standby, 'select pg_wal_replay_pause()')
const resume = () => onNode(cluster.standby, 'select pg_wal_replay_resume()')

test('the standby database serves the reads of a merchant once it has all of the merchant’s writes', async () => {
  await expect.poll(() => serverFor(idle)).toBe('standby')
  await emit(contextOf(database), writer, 1)
  await expect.poll(() => serverFor(writer)).toBe('standby')
})

test('the primary serves a merchant’s reads until the standby has replayed the merchant’s last write; the standby serves the reads of other merchants', async () => {
  await expect.poll(() => serverFor(writer)).toBe('standby')
  await pause()
  // Another process writes. The process that reads has no information about that write.
  await emit(contextOf(database), writer, 1)
  expect(await serverFor(writer)).toBe('primary')
  expect(await serverFor(idle)).toBe('standby')
  await resume()
  await expect.poll(() => serverFor(writer)).toBe('standby')
})

test('an API process returns a record that was created while the standby did not replay the primary’s writes', async () => {
  const request = { name: 'test', scopes: ['customers:read' as const, 'customers:write' as const] }
  const created = await createToken(contextOf(database), operator, writer, {
    ...request,
    expiresAt: null,
    ipAllowlist: [],
  })
  if (created.is !== 'created') throw new Error(created.is)
  const service = await openService({ ...contextOf(database), standbyReads: reads }, silentLog, 0)
  const server = createApiServer(service, allOperations())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await service.subscription.close()
    server.close()
    server.closeAllConnections()
  })
  const { port } = addressOf(server.address())
  const headers = { Authorization: `Bearer ${created.token}`, 'Content-Type': 'application/json' }
  const url = `http://127.0.0.1:${port}/api/v1/customers`
  await expect.poll(() => serverFor(writer)).toBe('standby')
  await pause()
  const body = JSON.stringify({ name: 'Adaeze Okafor', email: 'adaeze@example.com' })
  const { id }: { id: string } = JSON.parse(await (await fetch(url, { method: 'POST', headers, body })).text())
  expect((await fetch(`${url}/${id}`, { headers })).status).toBe(200)
  expect(await (await fetch(url, { headers })).json()).toMatchObject({ data: [{ id }] })
  await resume()
})

test('the primary serves all reads while the standby lags by more than the limit', async () => {
  const { primary, standby } = cluster
  const { clock } = contextOf(database)
  const strict = openStandbyReads({ url: standby.connectionString, lagMs: 1_000, primary, clock, log: silentLog })
  onTestFinished(() => strict.close())
  await expect.poll(() => serverFor(idle, strict)).toBe('standby')
  await pause()
  await emit(contextOf(database), writer, 1)
  await expect.poll(() => serverFor(idle, strict)).toBe('primary')
  expect(await serverFor(idle)).toBe('standby')
  await resume()
  await expect.poll(() => serverFor(idle, strict)).toBe('standby')
})

const onPrimaryOnly = reading<object>()(
  'runs_on_primary_only',
  () => sql<{ isPrimary: boolean }>`select pg_current_wal_lsn() is not null as "isPrimary"`,
)

test('the primary serves a read that fails on the standby', async () => {
  await expect.poll(() => serverFor(idle)).toBe('standby')
  const db = await reads.databaseFor(idle.merchantId, database)
  expect(await db.read(onPrimaryOnly, {})).toEqual([{ isPrimary: true }])
})

test.for([
  ['not a standby', ({ primary }: Cluster) => primary.connectionString],
  [
    'a standby of another database',
    ({ standby }: Cluster) => Object.assign(new URL(standby.connectionString), { pathname: '/postgres' }).href,
  ],
  [
    'not reachable',
    ({ standby }: Cluster) => Object.assign(new URL(standby.connectionString), { password: 'wrong' }).href,
  ],
] as const)('a standby server that is %s serves no reads, and the log reports this state', async ([problem, urlOf]) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  const { clock } = contextOf(database)
  const wrong = openStandbyReads({ url: urlOf(cluster), lagMs, primary: cluster.primary, clock, log })
  onTestFinished(() => wrong.close())
  // On a busy machine, the server may respond too late at first. The log then first reports that the server is not
  // reachable.
  await expect
    .poll(() => lines.map((line): object => JSON.parse(line)))
    .toContainEqual(expect.objectContaining({ problem, host: expect.stringContaining(':') }))
  expect(await serverFor(idle, wrong)).toBe('primary')
})

test('a problem of a standby is reported when it first appears, and not again by each further measurement', async () => {
  const problems: unknown[] = []
  const url = Object.assign(new URL(cluster.standby.connectionString), { password: 'wrong' }).href
  const standby = openStandby(url, { lagMs, onChange: (problem) => problems.push(problem) })
  onTestFinished(() => standby.close())
  for (let count = 0; count < 3; count++) await standby.measure({ marks: [], identity: undefined })
  expect(problems).toEqual(['not reachable'])
})

test('no read fails when the standby is lost, and the standby serves reads again when it returns', async () => {
  await expect.poll(() => serverFor(idle)).toBe('standby')
  await cluster.standby.kill()
  expect(await serverFor(idle)).toBe('primary')
  expect(await serverFor(idle)).toBe('primary')
  await cluster.standby.start()
  await expect.poll(() => serverFor(idle)).toBe('standby')
})
