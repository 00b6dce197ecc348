import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addEndpoint, contextOf, emit } from '../../../scripts/faults/merchants.ts'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { stoppedClock } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { newOrderId } from '../../../src/base/records.ts'
import { recurringWorkOf } from '../../../src/base/recurring-work.ts'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { definitions } from '../../../src/management/metrics/definitions.ts'
import { openMetrics } from '../../../src/management/metrics/registry.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import type { Outcome } from '../../../src/partners/carriers/carrier.ts'
import { observeProvider } from '../../../src/partners/payments/observe-provider.ts'
import { openPaystack } from '../../../src/partners/payments/paystack.ts'
import { connectionName } from '../../../src/store/core/server-client.ts'
import { observeTasks } from '../../../src/worker/observe-tasks.ts'
import { useDatabase } from '../../support/database.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver } from '../../webhooks/receiver.ts'

/** The metrics of a process that serves requests and runs the worker, with tracing off. */

const opened = useDatabase()
let folder: string
let service: ServiceProcess
let shop: Shop

/** Writes the URL of each module that the process loads to a file, so that the test can check them. */
const recordModules = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({ load: (url, context, next) => (appendFileSync(process.env.MODULES_FILE, url + '\\n'), next(url, context)) })`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-metrics-'))
  shop = await openShop(contextOf(opened().database))
  service = await startServiceProcess(opened().connectionString, {
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    MODULES_FILE: join(folder, 'modules'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recordModules)}`,
  })
})
afterAll(async () => {
  service.kill('SIGKILL')
  await service.ended
  await rm(folder, { recursive: true, force: true })
})

async function scrape(): Promise<string> {
  const response = await fetch(`${service.managementUrl}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/)
  return response.text()
}

function valueIn(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

async function get(path: string, token: string): Promise<number> {
  const response = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}

test('every defined metric has its type and its description, and no sample contains an id', async () => {
  const text = await scrape()
  for (const [name, { type, help }] of Object.entries(definitions)) {
    expect(text).toContain(`# HELP ${name} ${help}\n`)
    expect(text).toContain(`# TYPE ${name} ${type}\n`)
  }
  expect(text).not.toMatch(/_[0-7][0-9a-hjkmnp-tv-z]{25}/)
  expect(text).toContain('process_cpu_seconds_total')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(text).toContain('commerce_process_info{role="all",version="')
})

test('the metrics count requests by operation and status, with their durations', async () => {
  const before = await scrape()
  expect(await get('/api/v1/orders', shop.token)).toBe(200)
  expect(await get(`/api/v1/orders/${newOrderId(0)}`, shop.token)).toBe(404)
  expect(await get('/api/v1/orders', 'none')).toBe(401)
  expect(await get('/zq-no-such-path', shop.token)).toBe(404)
  expect(await get('/docs', '')).toBe(200)
  expect(await get('/dashboard/sign-in', '')).toBe(200)
  const text = await scrape()
  const grown = (sample: string) => (valueIn(text, sample) ?? 0) - (valueIn(before, sample) ?? 0)
  const requests = (operation: string, status: number) =>
    grown(`commerce_http_requests_total{operation="${operation}",status="${status}"}`)
  expect(requests('listOrders', 200)).toBe(1)
  expect(requests('listOrders', 401)).toBe(1)
  expect(requests('getOrder', 404)).toBe(1)
  expect(requests('none', 404)).toBe(1)
  expect(requests('reference', 200)).toBe(1)
  expect(requests('dashboard', 200)).toBe(1)
  expect(grown('commerce_http_request_duration_seconds_count{operation="listOrders"}')).toBe(2)
  expect(valueIn(text, 'commerce_http_requests_in_flight')).toBe(0)
  expect(text).not.toContain('zq-no-such-path')
})

test('the metrics count webhook deliveries and measure their latency since the commit of the event', async () => {
  const { url } = await openReceiver()
  const context = contextOf(opened().database)
  await addEndpoint(opened().database, shop.tenant, url)
  await emit(context, shop.tenant, 2)
  await waitFor(async () => {
    const text = await scrape()
    expect(valueIn(text, 'commerce_delivery_attempts_total{outcome="succeeded"}')).toBe(2)
    expect(valueIn(text, 'commerce_delivery_latency_seconds_count')).toBe(2)
    expect(valueIn(text, 'commerce_deliveries_in_flight')).toBe(0)
  })
})

test('the metrics include the size of the connection pool, the state of the process, and gauges that are read from the database', async () => {
  await waitFor(async () => {
    const text = await scrape()
    expect(valueIn(text, 'commerce_database_gauges_current')).toBe(1)
    expect(valueIn(text, 'commerce_ready')).toBe(1)
    expect(valueIn(text, 'commerce_database_connections{state="idle"}')).toBeGreaterThan(0)
    expect(valueIn(text, 'commerce_table_bytes{table="webhook_deliveries"}')).toBeGreaterThan(0)
    expect(valueIn(text, 'commerce_oldest_due_delivery_seconds')).toBeGreaterThanOrEqual(0)
    expect(valueIn(text, 'commerce_event_loop_utilization')).toBeGreaterThan(0)
  })
})

test('the application_name of every database connection of a process contains the role, the host and the id of the process', async () => {
  const { rows } = await opened().database.pool.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'commerce-all-%'`,
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set([connectionName('all', hostname(), service.pid)]))
  // All other database connections, such as those of this test, also have a name that starts with `commerce-`.
  const others = await opened().database.pool.query(
    `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and application_name not like 'commerce-%'`,
  )
  expect(others.rowCount).toBe(0)
})

test('the metrics count jobs, calls to partners and rejected requests, and show open circuit breakers', async () => {
  const { meters, readFrom, scrape: scrapeOwn } = openMetrics({ role: 'all', version: '1.0.0' })
  const failing = () => Promise.reject(new Error('The job failed.'))
  const jobs = observeTasks(
    { expire_orders: async () => undefined, pay_refunds: failing },
    { meters, work: recurringWorkOf(silentLog) },
  )
  await jobs.expire_orders?.({})
  await expect(jobs.pay_refunds?.({})).rejects.toThrow('The job failed.')
  const clock = stoppedClock(0)
  const breakers = openBreakers(clock, meters)
  readFrom({ circuits: breakers.circuits })
  const requested = { carrier: { code: 'fez' }, account: { credentials: {} } } as const
  const lost = { is: 'unavailable', message: 'No response.', retryAfterSeconds: undefined } as const
  for (let call = 0; call < 9; call++)
    await breakers.run(requested, { operation: 'quote', timeoutMs: 1_000 }, async () => lost)
  meters.rateLimited('read')
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  // The URL of an address at which no server listens.
  const provider = observeProvider('paystack', openPaystack(outbound.fetch, 'http://127.0.0.1:1'), meters)
  await provider.findPayment('key', 'reference')
  const { body: text } = await scrapeOwn()
  expect(valueIn(text, 'commerce_job_runs_total{task="expire_orders",outcome="succeeded"}')).toBe(1)
  expect(valueIn(text, 'commerce_job_runs_total{task="pay_refunds",outcome="failed"}')).toBe(1)
  const calls = (outcome: string) =>
    valueIn(text, `commerce_carrier_calls_total{carrier="fez",operation="quote",outcome="${outcome}"}`)
  expect([calls('unavailable'), calls('circuit_open')]).toEqual([8, 1])
  expect(valueIn(text, 'commerce_carrier_circuit_open{carrier="fez",operation="quote"}')).toBe(1)
  expect(valueIn(text, 'commerce_rate_limited_total{policy="read"}')).toBe(1)
  const findings =
    'commerce_payment_provider_calls_total{provider="paystack",operation="findPayment",outcome="unavailable"}'
  expect(valueIn(text, findings)).toBe(1)
})

test('during an outage, the metrics report a circuit breaker as open, even while it is half-open, until a request to the carrier succeeds', async () => {
  const { readFrom, scrape: scrapeOwn } = openMetrics({ role: 'all', version: '1.0.0' })
  const clock = stoppedClock(0)
  const breakers = openBreakers(clock)
  readFrom({ circuits: breakers.circuits })
  const requested = { carrier: { code: 'fez' }, account: { credentials: {} } } as const
  const lost = { is: 'unavailable', message: 'No response.', retryAfterSeconds: undefined } as const
  const run = (outcome: Outcome<string>) =>
    breakers.run(requested, { operation: 'quote', timeoutMs: 1_000 }, async () => outcome)
  const isOpen = async () =>
    valueIn((await scrapeOwn()).body, 'commerce_carrier_circuit_open{carrier="fez",operation="quote"}')
  for (let call = 0; call < 8; call++) await run(lost)
  // Reads the metrics every 15 s for six minutes. A request is sent every minute, when the last pause of the circuit
  // breaker has been over for half a minute.
  const scrapes: unknown[] = []
  for (let scrape = 1; scrape <= 24; scrape++) {
    clock.advance(15_000)
    scrapes.push(await isOpen())
    if (scrape % 4 === 0) await run(lost)
  }
  expect(scrapes).toEqual(scrapes.map(() => 1))
  clock.advance(60_000)
  await run({ is: 'ok', value: 'A quote.' })
  expect(await isOpen()).toBe(0)
})

test('a process without a trace endpoint loads only the API package of OpenTelemetry, which the Prometheus client requires', async () => {
  const modules = (await readFile(join(folder, 'modules'), 'utf8')).split('\n')
  expect(modules.some((url) => url.endsWith('/src/management/metrics/registry.ts'))).toBe(true)
  const packages = modules.flatMap((url) => /@opentelemetry\/([\w-]+)/.exec(url)?.[1] ?? [])
  expect([...new Set(packages)]).toEqual(['api'])
})
