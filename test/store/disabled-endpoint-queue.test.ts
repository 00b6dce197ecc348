import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queueBacklog } from '../../scripts/bench/growth/backlog.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { readBacklog } from '../../src/store/metrics/backlog.ts'
import { claimDeliveries } from '../../src/store/webhooks/delivery-claims.ts'
import { listDueEndpoints, readOldestDueMs } from '../../src/store/webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../../src/store/webhooks/endpoints.ts'
import { scheduleNextAttempts } from '../../src/store/webhooks/next-attempts.ts'
import { useDatabase } from '../support/database.ts'
import { operator, policy, vault } from '../webhooks/shop.ts'

/**
 * A disabled webhook endpoint with many due automatic deliveries, which the sweeper has not put on hold yet, and one
 * due test delivery. An earlier version searched for the test delivery with a filter on the kind of delivery, and
 * therefore read all index entries of the queue.
 */

const opened = useDatabase()

const queued = 20_000

/**
 * Maximum number of rows that a claim of four deliveries reads: five deliveries in each of two branches of the query,
 * ten rows in the update, and the rows of one lease.
 */
const readMax = 30

const caps = { room: 9, merchantCap: 9, endpointCap: 4 }

let database: Database
let lane: EndpointKey
const plans: Plan[] = []
const nowMs = systemClock.nowMs()
const now = toTimestamp(nowMs)

beforeAll(async () => {
  const { superuserConnectionString } = opened()
  // Only a superuser may load the PostgreSQL module auto_explain, and only for the superuser's own connection.
  database = openDatabase({ connectionString: superuserConnectionString, maxConnections: 1 })
  const context = { database, clock: systemClock, nudge: () => undefined, policy, vault }
  const { id: merchantId } = await createMerchant(context, operator, 'Adire Lagos')
  const request = { url: 'http://127.0.0.1:1/hook', kinds: ['order.created' as const] }
  const endpoint = await createWebhookEndpoint(context, operator, { merchantId, mode: 'live' }, request)
  if (endpoint.is !== 'created') throw new Error(`The endpoint was refused: ${endpoint.is}.`)
  lane = { merchantId, endpointId: endpoint.id }
  const client = new pg.Client({ connectionString: superuserConnectionString })
  await client.connect()
  await queueBacklog(client, { ...lane, count: queued, trigger: 'automatic', untilMs: nowMs - 1 })
  await queueBacklog(client, { ...lane, count: 1, trigger: 'test', untilMs: nowMs })
  await client.query('analyze webhook_deliveries')
  await client.end()
  await explainEverything()
})
afterAll(() => database.close())

/**
 * Sets auto_explain to log the query plan of every later statement. The settings of one connection apply to all
 * statements, because the database has only one connection.
 */
async function explainEverything(): Promise<void> {
  const connection = await database.pool.connect()
  connection.on('notice', ({ message = '' }) => plans.push(...planOf(message)))
  await connection.query("load 'auto_explain'")
  await connection.query('set auto_explain.log_min_duration = 0')
  await connection.query('set auto_explain.log_level = notice')
  await connection.query('set auto_explain.log_analyze = on')
  await connection.query('set auto_explain.log_format = json')
  connection.release()
}

/**
 * Changes only the status of the webhook endpoint. This is the state before the sweeper puts the deliveries on hold.
 */
async function setStatus(status: 'enabled' | 'disabled'): Promise<void> {
  await database.pool.query(statusText, [status])
  plans.splice(0)
}

const statusText = `
  update webhook_endpoints
  set
    status = $1,
    disabled_reason = case when $1 = 'disabled' then 'manual' end,
    disabled_at = case when $1 = 'disabled' then now() end`

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

function planOf(notice: string): Plan[] {
  return notice.includes('plan:') ? [JSON.parse(notice.slice(notice.indexOf('{'))).Plan] : []
}

/** Returns the number of deliveries that a query plan read, including those that a filter discarded. */
function readBy(plan: Plan): number {
  const isScan = plan['Relation Name']?.startsWith('webhook_deliveries') ?? false
  const rows = (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)
  const own = isScan ? rows * (plan['Actual Loops'] ?? 0) : 0
  return (plan.Plans ?? []).reduce((sum, child) => sum + readBy(child), own)
}

const readByAll = () => plans.reduce((sum, plan) => sum + readBy(plan), 0)

describe('20,000 due automatic deliveries of a disabled endpoint', () => {
  beforeEach(() => setStatus('disabled'))

  test('with 20,000 due deliveries of a disabled endpoint, the list of due endpoints reads few rows and returns the due time of the endpoint’s test delivery', async () => {
    const due = await listDueEndpoints(database, now)
    expect(readByAll()).toBeGreaterThan(0)
    expect(readByAll()).toBeLessThan(readMax)
    expect(due).toEqual([{ ...lane, dueAt: now }])
  })

  test('with 20,000 due deliveries of a disabled endpoint, scheduling the endpoint’s next attempt reads only a few deliveries', async () => {
    await scheduleNextAttempts(database, [lane])
    expect(readByAll()).toBeLessThan(readMax)
    const { rows } = await database.pool.query('select run_at from graphile_worker.jobs where key = $1', [
      `retry:${lane.endpointId}`,
    ])
    expect(rows).toEqual([{ run_at: now }])
  })

  test('the age of the oldest due delivery is computed from a few rows, and ignores the 20,000 due automatic deliveries of the disabled endpoint', async () => {
    const oldestMs = await readOldestDueMs(database)
    expect(readByAll()).toBeLessThan(readMax)
    // The automatic deliveries are due up to 20 s earlier than the test delivery. They must not count for the age of
    // the oldest due delivery.
    expect(oldestMs).toBeLessThanOrEqual(systemClock.nowMs() - nowMs + 1000)
  })

  test('the count of due deliveries reads few rows, and includes the test delivery but no automatic delivery of the disabled endpoint', async () => {
    const { deliveriesDue } = await readBacklog(database)
    expect(readByAll()).toBeGreaterThan(0)
    expect(readByAll()).toBeLessThan(readMax)
    expect(deliveriesDue).toBe(1)
  })

  test('with 20,000 due deliveries of a disabled endpoint, a claim of deliveries reads few rows and leases only the test delivery', async () => {
    const claimed = await claimDeliveries(database, { lanes: [lane], workerId: 'wrk_one', now, ...caps })
    expect(readByAll()).toBeGreaterThan(0)
    expect(readByAll()).toBeLessThan(readMax)
    expect(claimed.lanes[0]?.deliveries.map(({ trigger }) => trigger)).toEqual(['test'])
  })
})

describe('20,000 due automatic deliveries of an enabled endpoint', () => {
  beforeEach(() => setStatus('enabled'))

  test('the list of due endpoints reads few rows, and returns the due time of the oldest of the 20,000 deliveries', async () => {
    const due = await listDueEndpoints(database, now)
    expect(readByAll()).toBeLessThan(readMax)
    expect(due).toEqual([{ ...lane, dueAt: toTimestamp(nowMs - queued) }])
  })

  test('with 20,000 due deliveries of an enabled endpoint, a claim of deliveries reads few rows and leases only automatic deliveries', async () => {
    const claimed = await claimDeliveries(database, { lanes: [lane], workerId: 'wrk_two', now, ...caps })
    expect(readByAll()).toBeLessThan(readMax)
    expect(new Set(claimed.lanes[0]?.deliveries.map(({ trigger }) => trigger))).toEqual(new Set(['automatic']))
  })
})
