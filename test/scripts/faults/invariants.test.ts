import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, type Invariant, violationsSeenBy } from '../../../scripts/faults/invariants.ts'
import { addEndpoint, contextOf, emit, openMerchant } from '../../../scripts/faults/merchants.ts'
import { forkWorker } from '../../../scripts/faults/processes.ts'
import { openReceivers, type Receivers } from '../../../scripts/faults/receivers.ts'
import type { Tenant } from '../../../src/store/core/mutation.ts'
import { useDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/wait-for.ts'

const opened = useDatabase()
let receivers: Receivers
let tenant: Tenant

/**
 * Creates a merchant with three webhook receivers: one responds with success, one with failures until its endpoint is
 * disabled, and one with occasional failures.
 */
beforeAll(async () => {
  const { database, connectionString } = opened()
  receivers = await openReceivers()
  receivers.answers.set('/bad', (response) => response.writeHead(500).end())
  receivers.answers.set('/shaky', (response, count) => response.writeHead(count <= 2 ? 500 : 200).end())
  tenant = await openMerchant(database)
  for (const path of ['/good', '/bad', '/shaky']) await addEndpoint(database, tenant, `${receivers.url}${path}`)
  // The number of events exceeds the number of failures that disable an endpoint. Some deliveries are therefore put on
  // hold without an attempt.
  await emit(contextOf(database), tenant, 16)
  const worker = forkWorker()
  await worker.start({ connectionString })
  const busy = `
    select from webhook_deliveries where next_attempt_at < now() + interval '10 seconds'`
  await waitFor(async () => expect((await database.pool.query(busy)).rowCount).toBe(0))
  await worker.stop()
  worker.signal('SIGKILL')
})
afterAll(() => receivers.close())

test('the invariant check finds no violation in a correct database', async () => {
  const narrow = { receivers, nowMs: Date.now(), merchantId: tenant.merchantId }
  expect(await findViolations(opened().ownerConnectionString, narrow)).toEqual([])
  expect(await findViolations(opened().ownerConnectionString, { receivers, nowMs: Date.now() })).toEqual([])
})

const one = (table: string, condition: string) =>
  `(merchant_id, id) = (select merchant_id, id from ${table} where ${condition} order by id limit 1)`
const changeDelivery = (condition: string, change: string) =>
  `update webhook_deliveries set ${change} where ${one('webhook_deliveries', condition)}`
const addAttempt = (condition: string) => `
  insert into webhook_attempts
    (merchant_id, delivery_id, number, started_at, finished_at, outcome, error_code, duration_ms, url, endpoint_epoch)
  select merchant_id, delivery_id, number + 1, finished_at, finished_at, 'failed', 'timeout', 0, url, endpoint_epoch
  from webhook_attempts where ${condition} order by delivery_id limit 1`

const addLease = (expiry: string, times: number) => `
  insert into webhook_leases (merchant_id, endpoint_id, worker_id, expires_at, delivery_ids)
  select merchant_id, endpoint_id, 'wrk', ${expiry}, array_fill(id::text, array[${times}])
  from webhook_deliveries where status = 'failed' order by id limit 1`

/** For each invariant, a change that corrupts one row. An invariant without such a change is a compile error. */
const corruptions: Record<Invariant, string> = {
  'a mutation has exactly the events that its audit record counts': `delete from webhook_events where ${one('webhook_events', 'true')}`,
  'an event belongs to a committed mutation': `
    update webhook_events set created_at = created_at + interval '1 ms' where ${one('webhook_events', 'true')}`,
  'an event has one delivery for each subscribed endpoint': `
    delete from webhook_deliveries where ${one('webhook_deliveries', 'true')}`,
  'a delivery belongs to an event': changeDelivery('true', "event_id = 'evt_00000000000000000000000000'"),
  'a succeeded delivery was acknowledged': changeDelivery(
    "status = 'held' and attempt_count > 0",
    "status = 'succeeded', completed_at = now()",
  ),
  'a received delivery has the exact bytes of its event': `
    update webhook_events set body = body || ' ' where ${one('webhook_events', 'true')}`,
  'a delivery is received at most once for each attempt': changeDelivery("status = 'succeeded'", 'lease_number = 0'),
  'a delivery has at most seven counted attempts, and the count is correct': changeDelivery(
    "status = 'succeeded'",
    'attempt_count = attempt_count + 1',
  ),
  'no attempt starts before its retry delay': addAttempt("outcome = 'failed'"),
  'no retry is due before its retry delay': changeDelivery(
    "status = 'failed'",
    "next_attempt_at = next_attempt_at - interval '1 ms'",
  ),
  'a disabled endpoint gets no automatic delivery': changeDelivery(
    "status = 'held' and attempt_count > 0",
    "status = 'failed', next_attempt_at = now() + interval '1 day'",
  ),
  'the count of consecutive failures matches the attempts': `
    update webhook_endpoints set consecutive_failures = 1 where url like '%/good'`,
  'an endpoint is disabled at its sixth failure, with one notification': `
    delete from notifications where kind = 'webhook_endpoint.disabled'`,
  'no lease remains after its expiry': addLease("now() - interval '11 seconds'", 1),
  'a delivery has one lease at a time': addLease("now() + interval '1 minute'", 2),
  'each ended lease has one attempt': changeDelivery('true', 'lease_number = lease_number + 1'),
  'a success is the last attempt and sets the status of the delivery': addAttempt("outcome = 'succeeded'"),
}

const scopes = ['all merchants', 'one merchant'] as const
const cases = Object.entries(corruptions).flatMap(([invariant, corruption]) =>
  scopes.map((scope) => [invariant, scope, corruption] as const),
)

test.each(
  cases,
)('the invariant check detects a violation of the invariant “%s” when it checks the rows of %s', async (invariant, scope, corruption) => {
  const client = new pg.Client({ connectionString: opened().ownerConnectionString })
  await client.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query(corruption)
    expect(rowCount).toBe(1)
    const narrow = scope === 'one merchant' ? { merchantId: tenant.merchantId } : {}
    const found = await violationsSeenBy(client, { receivers, nowMs: Date.now(), ...narrow })
    expect(found.map((violation) => violation.invariant)).toContain(invariant)
  } finally {
    await client.end()
  }
})
