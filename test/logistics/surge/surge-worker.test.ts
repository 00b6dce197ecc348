import { expect, test } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { useDatabase } from '../../support/database.ts'
import { openTestClock } from '../../support/database-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { policy, vault } from '../../webhooks/shop.ts'

const opened = useDatabase()

test('the worker publishes the surge of every zone and schedules the next run', async () => {
  const { database } = opened()
  const select = async (text: string) => (await database.pool.query(text)).rows
  const clock = await openTestClock(database)
  const worker = await startWorker({
    database,
    clock,
    nudge: () => undefined,
    vault,
    paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } },
    rules: standardRules,
    log: silentLog,
    policy,
  })
  try {
    await select("select graphile_worker.add_job('publish_surge')")
    await waitFor(async () =>
      expect(await select('select count(*)::int from surge_snapshots')).toEqual([{ count: 34 }]),
    )
    const queued = async () => (await select('select key from graphile_worker.jobs')).map(({ key }) => key)
    await waitFor(async () =>
      expect(await queued()).toEqual(expect.arrayContaining(['scheduled:publish_surge', 'scheduled:delete_old_surge'])),
    )
  } finally {
    await worker.stop()
  }
})
