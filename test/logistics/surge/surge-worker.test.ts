import { expect, test } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { useDatabase } from '../../support/database.ts'
import { openTestClock } from '../../support/database-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { policy, vault } from '../../webhooks/shop.ts'

const opened = useDatabase()

test('the worker publishes the surge of every zone', async () => {
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
  } finally {
    await worker.stop()
  }
})
