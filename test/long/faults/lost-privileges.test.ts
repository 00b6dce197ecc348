import { afterEach, expect, onTestFinished, test } from 'vitest'
import { contextOf } from '../../../scripts/faults/merchants.ts'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { grantService } from '../../../src/store/server/service-role.ts'
import type { ReplyBody } from '../../support/api.ts'
import { asOwner, useDatabase } from '../../support/database.ts'
import { openShop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * The database role of a running process loses its privileges on one table after another, and so does the role of a
 * starting process.
 */

const opened = useDatabase()

/**
 * For each table, the recurring work that is the first to use the table. All recurring work of the service is repeated
 * every two to fifteen seconds.
 */
const workOfTables = {
  rate_limit_processes: 'rate_limit_processes',
  webhook_leases: 'sweep.releaseExpiredLeases',
  webhook_deliveries: 'sweep.holdStrays',
  webhook_endpoints: 'sweep.wakeForDeliveries',
  refunds: 'sweep.enqueueRefunds',
  provider_callbacks: 'sweep.enqueueProviderCallbacks',
  carrier_callbacks: 'sweep.enqueueCarrierCallbacks',
  webhook_bulk_replays: 'sweep.enqueueReplays',
  product_imports: 'sweep.enqueueImports',
  shipments: 'sweep.enqueueShipmentChecks',
  notifications: 'sweep.enqueueMails',
  simulated_orders: 'simulated_callbacks',
  simulated_payment_callbacks: 'simulated_callbacks',
  'graphile_worker._private_jobs': 'job_queue.get_job',
  'graphile_worker._private_known_crontabs': 'job_queue.cron',
} as const

/** For each scheduled job, a table that it uses. The jobs run only when the test adds them. */
const tablesOfJobs = {
  expire_orders: 'orders',
  publish_surge: 'surge_states',
  seal_audit: 'audit_queue',
  purge_idempotency_keys: 'idempotency_keys',
  delete_expired_secrets: 'webhook_secrets',
  delete_request_counts: 'request_counts',
  rotate_partitions: 'request_log_default',
  reconcile_payments: 'payment_provider_keys',
  redact_quotes: 'quotes',
  purge_positions: 'shipment_positions',
} as const

/**
 * The tables that every process needs before it can serve requests. The value of each table is the start step that
 * needs the table.
 */
const tablesOfStart = {
  encryption_keys: 'start.encryption_keys',
  webhook_secrets: 'start.encryption_keys',
  service_keys: 'start.service_keys',
  'graphile_worker.migrations': 'job_queue.statement',
} as const

/**
 * Maximum wait until a process reports the failure. The wait is far above the longest interval, because the machine may
 * also run other tests. The work is repeated every two seconds or less often, so more frequent probes would only take
 * processor time.
 */
const noticed = { timeout: 90_000, interval: 250 }

async function roleOf(): Promise<string> {
  const { rows } = await opened().database.pool.query<{ role: string }>('select current_user as role')
  return rows[0]?.role ?? ''
}

const revoke = async (table: string) => asOwner(opened(), `revoke all on ${table} from ${await roleOf()}`)

const grantAll = () => grantService(opened())

// If a test fails, its revoked privileges are granted again before the next test.
afterEach(grantAll)

/** Returns the names of the recurring work that fails. Throws unless the liveness probe of the process passes. */
async function failingOf(managementUrl: string): Promise<string> {
  expect((await fetch(`${managementUrl}/livez`)).status).toBe(200)
  const { checks }: ReplyBody = await (await fetch(`${managementUrl}/readyz`)).json()
  return checks.find(({ name }: { name: string }) => name === 'recurring_work')?.detail ?? ''
}

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess(opened().connectionString, { MIGRATE: 'never' })
  onTestFinished(async () => {
    service.kill('SIGKILL')
    await service.ended
  })
  return service
}

const untilNamed = (service: ServiceProcess, name: string) =>
  waitFor(async () => expect(await failingOf(service.managementUrl)).toContain(name), noticed)

const untilHealthy = (service: ServiceProcess) =>
  waitFor(async () => {
    expect(await failingOf(service.managementUrl)).toBe('')
    expect((await fetch(`${service.managementUrl}/readyz`)).status).toBe(200)
  }, noticed)

/**
 * Returns how often the log reports that a kind of recurring work failed, and how often it reports that this work
 * succeeds again.
 */
function reportsOf(service: ServiceProcess, work: string): { readonly failed: number; readonly recovered: number } {
  const lines = service.output().split('\n')
  const count = (message: string) =>
    lines.filter((line) => line.includes(`"work":"${work}"`) && line.includes(message)).length
  return { failed: count('Recurring work failed.'), recovered: count('Recurring work succeeds again.') }
}

test('a process that loses a database privilege on a table names the failing tasks, stays live, and recovers when the privilege is granted again', async () => {
  const service = await start()
  await untilHealthy(service)
  for (const [table, work] of Object.entries(workOfTables)) {
    await revoke(table)
    await untilNamed(service, work)
    await grantAll()
  }
  await untilHealthy(service)
  for (const work of new Set(Object.values(workOfTables))) {
    const { failed, recovered } = reportsOf(service, work)
    expect([work, failed, recovered]).toEqual([work, expect.any(Number), failed])
    // Each outage has one line in the log, however many runs of the recurring work failed during the outage.
    expect(failed).toBeGreaterThan(0)
  }
})

test('a running process reports the scheduled job that failed for lack of a database privilege, until that job succeeds', async () => {
  const service = await start()
  const { database } = opened()
  const run = (job: string) => database.pool.query('select graphile_worker.add_job($1, max_attempts => 1)', [job])
  for (const [job, table] of Object.entries(tablesOfJobs)) {
    await revoke(table)
    await run(job)
    await untilNamed(service, `job.${job}`)
    await grantAll()
    await run(job)
  }
  await untilHealthy(service)
})

test('a process without the database privilege to write its request counts reports this problem and still serves requests', async () => {
  const { token } = await openShop(contextOf(opened().database))
  const service = await start()
  const headers = { Authorization: `Bearer ${token}` }
  const statusOfRead = async () => (await fetch(`${service.url}/api/v1/orders`, { headers })).status
  await revoke('rate_limits')
  expect(await statusOfRead()).toBe(200)
  await untilNamed(service, 'rate_limit_reports')
  expect(await statusOfRead()).toBe(200)
  await grantAll()
  await untilHealthy(service)
})

test('a process starts even without the database privilege on the table merchants, because the start reads this table only to print the next steps', async () => {
  await revoke('merchants')
  const service = await start()
  await waitFor(
    () =>
      expect(service.output()).toContain(
        'The next steps that are printed at the start could not be read from the database.',
      ),
    noticed,
  )
  expect(await failingOf(service.managementUrl)).not.toContain('start.')
  await grantAll()
})

test('a starting process that lacks a database privilege stays live but not ready, reports the failing step, and starts once it gets the privilege', async () => {
  for (const [table, step] of Object.entries(tablesOfStart)) {
    await revoke(table)
    const lines: string[] = []
    const starting = startServiceProcess(
      opened().connectionString,
      { MIGRATE: 'never' },
      { onLine: (line) => lines.push(line) },
    )
    const urlOf = () => /management port is (http:\/\/\S+)\.$/m.exec(lines.join('\n'))?.[1]
    await waitFor(() => expect(urlOf()).toBeDefined(), noticed)
    const managementUrl = urlOf() ?? ''
    await waitFor(async () => expect(await failingOf(managementUrl)).toContain(step), noticed)
    expect((await fetch(`${managementUrl}/readyz`)).status).toBe(503)
    await grantAll()
    const service = await starting
    await untilHealthy(service)
    service.kill('SIGKILL')
    await service.ended
  }
})
