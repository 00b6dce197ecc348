import { runOnce } from 'graphile-worker'
import { expect, test } from 'vitest'
import { openProviders } from '../../../src/partners/payments/providers.ts'
import { scheduleNextAttempts } from '../../../src/store/webhooks/next-attempts.ts'
import { openPump } from '../../../src/webhooks/pump.ts'
import { createTasks } from '../../../src/worker/tasks.ts'
import { useDatabase } from '../../support/database.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop } from '../shop.ts'

/** The retries of webhook deliveries, which a job of Graphile Worker starts, or a sweep if the job is lost. */

const opened = useDatabase()

const retryDelayMs = 60_000

/**
 * Opens a shop whose first delivery attempt has failed. The clock of the shop is behind by the retry delay, so the
 * retry job is due by the clock of the database only. After `advance`, the retry is due by both clocks.
 */
async function openFailed() {
  const { database, connectionString } = opened()
  const shop = await openShop(database)
  shop.clock.advance(-retryDelayMs)
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(1)
  const pump = openPump(shop.pumpContext)
  const providers = openProviders(shop.pumpContext.fetch, { urls: { paystack: 'http://127.0.0.1:9/' } })
  const tasks = createTasks({ ...shop.sweepContext, ...shop.context, providers, wake: pump.wake })
  return {
    receiver,
    endpoint,
    advance: () => shop.clock.advance(retryDelayMs),
    /** Runs the due retry jobs, but no sweep. */
    runJobs: async () => {
      const taskList = { deliver_webhooks: tasks.deliver_webhooks }
      await runOnce({ connectionString, taskList, noHandleSignals: true })
      await pump.idle()
    },
    sweep: async () => {
      await tasks.sweep_deliveries({})
      await pump.idle()
    },
  }
}

test('the transaction that records a failed webhook delivery attempt adds the job of the retry', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const endpoint = await shop.addEndpoint((await openReceiver(status(500))).url)
  await shop.emit()
  const runAts: Record<string, unknown> = {}
  const reach = async (point: string) => {
    const key = `retry:${endpoint.endpointId}`
    const { rows } = await database.pool.query('select run_at from graphile_worker.jobs where key = $1', [key])
    runAts[point] = rows.map(({ run_at }) => run_at)
  }
  await shop.deliver(endpoint, { reach })
  const { nextAttemptAt } = only(await shop.deliveries())
  expect(runAts).toMatchObject({ result_not_committed: [], result_committed: [nextAttemptAt] })
})

test('if a concurrent transaction commits an earlier due time, the job of the webhook endpoint is scheduled for that time', async () => {
  const { endpoint } = await openFailed()
  const { database } = opened()
  const earlier = "'2026-01-01T00:00:00Z'::timestamptz"
  const lock = {
    text: 'select 1 from webhook_endpoints where id = $1 for no key update',
    values: [endpoint.endpointId],
  }
  const scheduled = await whileLocked(opened(), lock, async (holder) => {
    const waiting = scheduleNextAttempts(database, [endpoint])
    await untilWaiting(opened(), 1)
    const retry = `update webhook_deliveries set next_attempt_at = ${earlier} where endpoint_id = $1`
    await holder.query(retry, [endpoint.endpointId])
    await holder.query('commit')
    return { waiting }
  })
  await scheduled.waiting
  const due = `select run_at = ${earlier} as is_earlier from graphile_worker.jobs where key = $1`
  expect((await database.pool.query(due, [`retry:${endpoint.endpointId}`])).rows).toEqual([{ is_earlier: true }])
})

test('a webhook delivery is retried by its job, without a sweep', async () => {
  const { receiver, advance, runJobs } = await openFailed()
  advance()
  await runJobs()
  expect(receiver.received).toHaveLength(2)
})

test('a webhook delivery whose retry job was deleted is retried by the next sweep', async () => {
  const { receiver, endpoint, advance, runJobs, sweep } = await openFailed()
  await opened().database.pool.query('select graphile_worker.remove_job($1)', [`retry:${endpoint.endpointId}`])
  await sweep()
  expect(receiver.received).toHaveLength(1)
  advance()
  await runJobs()
  expect(receiver.received).toHaveLength(1)
  await sweep()
  expect(receiver.received).toHaveLength(2)
})
