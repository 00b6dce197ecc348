import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { contextOf, emit, openMerchant } from '../../../scripts/faults/merchants.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { reading } from '../../../src/store/core/statement.ts'
import { openStandbyReads } from '../../../src/store/server/standby-reads.ts'
import { type Cluster, onNode, openCluster, waitForReplay } from '../../support/cluster.ts'

/** A former primary that runs as a standby, with writes that its new primary never received. */

let cluster: Cluster

beforeAll(async () => {
  cluster = await openCluster()
})
afterAll(() => cluster.stop())

const portOf = reading<object>()(
  'port_of_server',
  () => sql<{ port: number }>`select current_setting('port')::int as port`,
)

test('after a failover that lost writes, the former primary serves no reads as a standby, because it has the lost writes and lacks the new ones', async () => {
  const { primary: former, standby: promoted } = cluster
  const formerDatabase = openDatabase({ connectionString: former.connectionString })
  const tenant = await openMerchant(formerDatabase)
  await waitForReplay(cluster)
  await promoted.kill()
  await emit(contextOf(formerDatabase), tenant, 300)
  await formerDatabase.close()
  await former.stop()
  await promoted.start()
  await onNode(promoted, 'select pg_promote()')
  await former.follow(promoted)
  await former.start()

  const database = openDatabase({ connectionString: promoted.connectionString })
  const { clock } = contextOf(database)
  const urls = { url: former.connectionString, primary: promoted }
  const reads = openStandbyReads({ ...urls, lagMs: 60_000, clock, log: silentLog })
  onTestFinished(async () => {
    await reads.close()
    await database.close()
  })
  const ports = new Set<number | undefined>()
  for (let count = 0; count < 30; count++) {
    const db = await reads.databaseFor(tenant.merchantId, database)
    const [row] = await db.read(portOf, {})
    ports.add(row?.port)
    await wait(100)
  }
  expect([...ports]).toEqual([promoted.port])
})
