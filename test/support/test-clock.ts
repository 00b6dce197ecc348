import { expect, onTestFinished } from 'vitest'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { silentLog } from '../../src/base/log.ts'
import { advisoryLocks } from '../../src/store/core/advisory-locks.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { type RunningWorker, startWorker } from '../../src/worker/runner.ts'
import { type Reply, type TestApi, vault } from './api.ts'
import { whileLocked } from './database-locks.ts'
import { operator, type Shop } from './shop.ts'
import { waitFor } from './wait-for.ts'

const policy = { allowsLoopback: true } as const

/**
 * Starts a real worker, which carries out the requested advances of test clocks. Stops the worker at the end of the
 * test, unless the test has already stopped it.
 */
export async function startClockWorker(api: TestApi): Promise<Pick<RunningWorker, 'stop'>> {
  const worker = await startWorker({
    ...api.context,
    log: silentLog,
    policy,
    vault,
    rules: standardRules,
    // Without the URL of a payment provider, the worker would not apply the callbacks of the simulated provider.
    paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } },
    testPayments: api.payments.testPayments,
    logistics: api.logistics,
    simulator: api.simulator,
  })
  const stop = once(() => worker.stop())
  onTestFinished(stop)
  return { stop }
}

/** Returns a function that runs once, and returns the result of this run to each call. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= run())
}

export function requestAdvance(api: TestApi, shop: Shop, seconds: unknown): Promise<Reply> {
  return api.send('POST', '/api/v1/test/clock/advance', { token: shop.token, body: { seconds } })
}

export function readClock(api: TestApi, shop: Shop): Promise<Reply> {
  return api.send('GET', '/api/v1/test/clock', { token: shop.token })
}

/** Advances the test clock, and waits until all due work is done. Requires a running worker. */
export async function advance(api: TestApi, shop: Shop, seconds: number): Promise<Reply> {
  const started = await requestAdvance(api, shop, seconds)
  expect(started.status, started.text).toBe(200)
  return waitFor(async () => {
    const read = await readClock(api, shop)
    expect(read.body).toMatchObject({ status: 'idle', remainingSeconds: 0 })
    return read
  })
}

/** Runs a function while a connection holds the lock of the merchant's test clock, as a step of the test clock does. */
export function duringStep<Result>(api: TestApi, { merchantId }: Shop, run: () => Promise<Result>): Promise<Result> {
  const text = 'select pg_advisory_xact_lock($1, hashtext($2))'
  return whileLocked(api, { text, values: [advisoryLocks.testClock, merchantId] }, run)
}

export async function addEndpoint(api: TestApi, { tenant }: Shop, url: string) {
  const request = { url, kinds: ['order.created' as const], headers: [] }
  const outcome = await createWebhookEndpoint({ ...api.context, policy, vault }, operator, tenant, request)
  if (outcome.is !== 'created') throw new Error(`The endpoint was rejected: ${outcome.is}.`)
  return outcome
}
