import { expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { startWorker, type WorkerOptions } from '../../src/worker/runner.ts'
import { type TestApi, useApi, vault } from '../support/api.ts'
import { connectShop } from '../support/commerce/paystack.ts'
import { refunding } from '../support/commerce/refund.ts'
import { openTestClock } from '../support/database-clock.ts'
import { eventsOf, select } from '../support/database-contents.ts'
import { openShop, placeOrder } from '../support/shop.ts'
import { waitFor } from '../support/wait-for.ts'

/** Payments that the real worker verifies through its sweeps alone, without a callback. */

const started = useApi()

function startTestWorker(paystackUrl: string, more: Partial<WorkerOptions> = {}) {
  const { context } = started()
  const rest = { log: silentLog, policy: { allowsLoopback: true }, vault, rules: standardRules, ...more }
  const paymentProviders = { urls: { paystack: paystackUrl } }
  return startWorker({ ...context, paymentProviders, ...rest })
}

test('the payment worker applies Paystack’s callbacks, submits a refund, and stops on request', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, sendCallback } = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { isPaid: false })
  const worker = await startTestWorker(server.url)
  const { refund, read } = refunding(api, shop, order.id)
  try {
    const data = { reference: 'T1', amount: order.totalKobo, currency: 'NGN', metadata: { orderId: order.id } }
    expect((await sendCallback(server.callback('charge.success', data))).status).toBe(200)
    await waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'paid' }))
    server.newStatus = 'processed'
    const reply = await refund(order.totalKobo)
    expect(reply.body).toMatchObject({ status: 'pending', provider: 'paystack' })
    await waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'refunded' }))
    expect(server.refunds).toMatchObject([{ amount: order.totalKobo, merchantNote: reply.body.id }])
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toHaveLength(1)
  } finally {
    await worker.stop()
  }
  await worker.ended
})

test('the payment worker runs the daily reconciliation with Paystack at its start if the run at 03:53 UTC was missed', async () => {
  const api = started()
  const { server } = await connectShop(api, await openShop(api.context))
  await select(
    api,
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('reconcile_payments', now() - interval '9 days', now() - interval '3 days')
     on conflict (identifier) do update set last_execution = excluded.last_execution`,
  )
  const lastRun = `
    select to_char(last_execution at time zone 'UTC', 'HH24:MI') as at, now() - last_execution < interval '1 day' as "isRecent"
    from graphile_worker._private_known_crontabs
    where identifier = 'reconcile_payments'`
  const worker = await startTestWorker(server.url, { clock: await openTestClock(api.database) })
  try {
    await waitFor(() => expect(server.requests).toContainEqual(expect.objectContaining({ line: 'GET /transaction' })))
    expect(await select(api, lastRun)).toEqual([{ at: '03:53', isRecent: true }])
  } finally {
    await worker.stop()
  }
})

test('a worker applies the callbacks of a merchant although an earlier worker was killed while it ran the job that applies them', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { server, sendCallback } = await connectShop(api, shop)
  const order = await placeOrder(api, shop, { isPaid: false })
  const data = { reference: 'T1', amount: order.totalKobo, currency: 'NGN', metadata: { orderId: order.id } }
  expect((await sendCallback(server.callback('charge.success', data))).status).toBe(200)
  await holdJobs(api, `apply_callbacks:${shop.merchantId}`)
  const worker = await startTestWorker(server.url)
  try {
    const { read } = refunding(api, shop, order.id)
    await waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'paid' }))
  } finally {
    await worker.stop()
  }
})

/** Locks the job with a key and its queue, if it has one, as a worker that was killed leaves them. */
async function holdJobs(api: TestApi, key: string) {
  const lock = "set locked_at = now(), locked_by = 'worker-killed'"
  await select(api, `update graphile_worker._private_job_queues ${lock} where queue_name = $1`, [key])
  const held = await select(api, `update graphile_worker._private_jobs ${lock} where key = $1 returning key`, [key])
  expect(held).toEqual([{ key }])
}
