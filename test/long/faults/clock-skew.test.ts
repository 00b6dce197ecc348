import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addEndpoint, contextOf, emit, encryptionKey } from '../../../scripts/faults/merchants.ts'
import { newId } from '../../../src/base/ids.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver, status } from '../../webhooks/receiver.ts'

/** Several processes of the service on one database: one process has a correct clock, and two have wrong clocks. */

const started = useApi()

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const preload = new URL('../../../scripts/faults/shift-clock.ts', import.meta.url).pathname

interface Process {
  readonly url: string
  readonly output: () => string
  stop(): Promise<void>
}

function environment(aheadMs: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CLOCK_AHEAD_MS: String(aheadMs),
    NODE_ENV: 'development',
    DATABASE_URL: started().connectionString,
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'info',
  }
}

async function start(aheadMs: number): Promise<Process> {
  const child = spawn(process.execPath, ['--import', preload, 'src/main.ts'], {
    env: environment(aheadMs),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const url = await waitFor(() => {
    const found = /listening on (http:\/\/[^/]+)/.exec(output)?.[1]
    if (found === undefined) throw new Error(output)
    return found
  })
  return { url, output: () => output, stop }
}

async function refund(at: Process, shop: Shop, body: object, key: string) {
  const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key }
  const response = await fetch(`${at.url}/api/v1/refunds`, { method: 'POST', headers, body: JSON.stringify(body) })
  return {
    status: response.status,
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
    text: await response.text(),
  }
}

/** Queues a job that the workers of all processes may run. Waits until one of them has completed it. */
async function job(name: string): Promise<void> {
  const api = started()
  await select(api, `select graphile_worker.add_job($1, job_key => 'test:' || $1, max_attempts => 1)`, [name])
  const left = `select last_error from graphile_worker.jobs where key = 'test:' || $1`
  await waitFor(async () => expect(await select(api, left, [name])).toEqual([]))
}

/** Inserts an open webhook delivery of each kind for an endpoint that does not exist, so that no worker claims it. */
async function addOpenDeliveries(shop: Shop): Promise<number> {
  const open = [
    ['pending', 'now()', null, null],
    ['pending', null, `now()`, `'wrk_gone'`],
    ['held', null, null, null],
  ]
  for (const [state, due, lease, worker] of open) {
    const ids = [shop.merchantId, newId('dlv', Date.now()), newId('evt', Date.now()), newId('whe', Date.now())]
    await select(
      started(),
      `insert into webhook_deliveries (
         merchant_id, id, event_id, endpoint_id, status, created_at, next_attempt_at, lease_until, leased_by
       )
       values ($1, $2, $3, $4, '${state}', now(), ${due}, ${lease}, ${worker})`,
      ids,
    )
  }
  return open.length
}

async function partitions(table = 'webhook%'): Promise<string[]> {
  const names = 'select inhrelid::regclass::text as name from pg_inherits where inhparent::regclass::text like $1'
  return (await select(started(), `${names} order by 1`, [table])).map(({ name }) => name)
}

describe('one process with a correct clock, one 25 hours ahead and one 70 days ahead', () => {
  let all: Process[] = []
  beforeAll(async () => {
    all = await Promise.all([start(0), start(25 * hourMs), start(70 * dayMs)])
  })
  afterAll(() => Promise.all(all.map((each) => each.stop())))

  test('for 24 hours by the clock of the database, any process responds to a repeated refund request with the stored response', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const { id: orderId } = await placeOrder(api, shop)
    const body = { orderId, amountKobo: 100, reason: 'damaged' }
    for (const [index, first] of all.entries()) {
      const made = await refund(first, shop, body, `key-${index}`)
      expect(made, made.text).toMatchObject({ status: 201, isReplayed: false })
      for (const other of all) {
        expect(await refund(other, shop, body, `key-${index}`)).toEqual({ ...made, isReplayed: true })
      }
    }
    expect(await select(api, 'select from refunds where order_id = $1', [orderId])).toHaveLength(all.length)
    const expiry = `
      select from idempotency_keys
      where merchant_id = $1 and expires_at between now() + interval '23 hours 55 minutes' and now() + interval '24 hours'`
    expect(await select(api, expiry, [shop.merchantId])).toHaveLength(all.length)
  })

  test('only the process with the correct clock adds recurring jobs, and only when the jobs are due by the database’s clock', async () => {
    const runs = `select last_execution > now() as "isAhead" from graphile_worker._private_known_crontabs
      where last_execution > now() - interval '1 minute'`
    await waitFor(async () => expect(await select(started(), runs)).toContainEqual({ isAhead: false }), {
      timeout: 90_000,
    })
    expect(await select(started(), runs)).not.toContainEqual({ isAhead: true })
  })

  test('processes with different clocks log requests with the time of the database', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const headers = { Authorization: `Bearer ${shop.token}` }
    for (const each of all) expect((await fetch(`${each.url}/api/v1/orders`, { headers })).status).toBe(200)
    const recent = `
      select from request_log
      where merchant_id = $1 and occurred_at between now() - interval '5 minutes' and now() + interval '1 minute'`
    await waitFor(async () => expect(await select(api, recent, [shop.merchantId])).toHaveLength(all.length))
  })

  test('cleanup jobs with different clocks delete neither a webhook partition with open deliveries nor a recent day of the request log', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const before = await partitions()
    const days = await partitions('request_log')
    const count = await addOpenDeliveries(shop)
    for (let round = 0; round < 6; round++) {
      await job('rotate_partitions')
      await job('purge_idempotency_keys')
    }
    // The service may have created partitions: for the month of the rows that the stopped clock of the test has written,
    // and for a day that has started in the database during the test.
    expect(await partitions()).toEqual(expect.arrayContaining(before))
    expect(days.length).toBeGreaterThan(1)
    expect(await partitions('request_log')).toEqual(expect.arrayContaining(days))
    const left = 'select from webhook_deliveries where merchant_id = $1'
    expect(await select(api, left, [shop.merchantId])).toHaveLength(count)
    expect((await select(api, 'select from idempotency_keys')).length).toBeGreaterThan(0)
  })

  test('only processes with a wrong clock log a clock warning', async () => {
    const [right, ...wrong] = all
    expect(right?.output()).not.toContain('clock of this process')
    const warning = 'The clock of this process differs from the clock of the database.'
    for (const each of wrong) await waitFor(() => expect(each.output()).toContain(warning))
  })

  test('processes with a wrong clock are not ready, and the process with the correct clock is ready', async () => {
    const [right, ...wrong] = all
    await waitFor(async () => expect((await fetch(`${right?.url}/readyz`)).status).toBe(200), { timeout: 60_000 })
    for (const each of wrong) {
      const response = await fetch(`${each.url}/readyz`)
      expect(response.status).toBe(503)
      const detail = expect.stringMatching(/^The clock of this process differs from the database’s by \d+ s\.$/)
      const clock = { name: 'clock', status: 'failed', detail }
      expect(await response.json()).toMatchObject({ checks: expect.arrayContaining([clock]) })
    }
  })

  test('processes with a wrong clock correctly compute when the throttling of an endpoint ends and when the next webhook retry is due', async () => {
    const [right, ahead, farAhead] = all
    await Promise.all([right?.stop(), farAhead?.stop()])
    const { database } = started()
    const { tenant } = await openShop(started().context)
    const receiver = await openReceiver(status(500))
    await addEndpoint(database, tenant, receiver.url)
    await emit(contextOf(database), tenant, 1)
    const settled = `
      select
        endpoint.paced_until between now() - interval '1 minute' and now() + interval '1 minute' as paced,
        delivery.next_attempt_at between now() and now() + interval '2 minutes' as due
      from webhook_deliveries delivery
      join webhook_endpoints endpoint on endpoint.merchant_id = delivery.merchant_id and endpoint.id = endpoint_id
      where delivery.merchant_id = $1 and delivery.status = 'failed'`
    await waitFor(async () =>
      expect(await select(started(), settled, [tenant.merchantId]), ahead?.output()).toEqual([
        { paced: true, due: true },
      ]),
    )
  })

  test('processes with a wrong clock delete nothing, not even expired rows', async () => {
    const api = started()
    const { merchantId, tokenId } = await openShop(api.context)
    await select(
      api,
      `insert into idempotency_keys (
         merchant_id, route, key, fingerprint, token_id, request_id, response_status, response_body, created_at, expires_at
       )
       values ($1, 'createRefund', 'old', decode(repeat('00', 32), 'hex'), $2, 'req_1', 201, '{}', now() - interval '2 days', now() - interval '1 day')`,
      [merchantId, tokenId],
    )
    await job('purge_idempotency_keys')
    const kept = 'select key from idempotency_keys where merchant_id = $1'
    expect(await select(api, kept, [merchantId])).toEqual([{ key: 'old' }])
    const warning = 'Nothing is deleted while the clock of this process differs'
    await waitFor(() => expect(all[1]?.output()).toContain(warning))
  })
})

test('a command on a machine whose clock is 70 days ahead neither creates nor drops a partition', async () => {
  const before = await partitions()
  const child = spawn(process.execPath, ['--import', preload, 'src/cli.ts', 'merchant', 'list'], {
    env: environment(70 * dayMs),
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.once('exit', resolve))
  expect(child.exitCode).toBe(0)
  expect(await partitions()).toEqual(before)
})
