import { expect, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { silentLog } from '../../src/log.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { startWorker } from '../../src/worker/runner.ts'
import { useDatabase } from '../support/database.ts'
import { policy, vault } from '../webhooks/shop.ts'

const opened = useDatabase()

test('a worker publishes the surge of every zone when its minute has come, and has that minute in its calendar', async () => {
  const { database, connectionString } = opened()
  const select = async (text: string) => (await database.pool.query(text)).rows
  const worker = await startWorker({
    database,
    clock: systemClock,
    nudge: () => undefined,
    vault,
    paystackUrl: 'http://127.0.0.1:1',
    rules: standardRules,
    connectionString,
    log: silentLog,
    policy,
  })
  try {
    await select("select graphile_worker.add_job('publish_surge')")
    await vi.waitFor(
      async () => expect(await select('select count(*)::int from surge_snapshots')).toEqual([{ count: 34 }]),
      { timeout: 20_000 },
    )
    const known = await select('select identifier from graphile_worker._private_known_crontabs')
    expect(known.map(({ identifier }) => identifier)).toEqual(
      expect.arrayContaining(['publish_surge', 'delete_old_surge']),
    )
  } finally {
    await worker.stop()
  }
})
