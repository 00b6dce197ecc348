import pg from 'pg'
import { systemClock } from '../../../src/base/clock.ts'
import { openLog } from '../../../src/base/log.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../../src/store/server/service-role.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { type Claimer, openClaimer } from '../../../src/webhooks/claimer.ts'
import { openInFlightSends } from '../../../src/webhooks/in-flight-sends.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { openRecorder } from '../../../src/webhooks/recorder.ts'
import { median } from '../compare.ts'
import { rounds } from '../peers/measure-case.ts'
import { queueBacklog } from './backlog.ts'
import { claimsPerRound, deleteText, enabledQueue, measureInTurn, openMerchant, report } from './claims.ts'

/**
 * The two databases in which the search for due deliveries is measured. Only the database `with` has many completed
 * deliveries. Their index entries still exist, because no vacuum ran.
 */
interface Compared {
  readonly without: DatabaseRoles
  readonly with: DatabaseRoles
  readonly completed: number
}

interface Queue {
  readonly database: Database
  readonly claimer: Claimer
  readonly lane: EndpointKey
}

export async function measureClaimsAfterCompletion(compared: Compared): Promise<void> {
  const short = await openQueue(compared.without, 0)
  const long = await openQueue(compared.with, compared.completed)
  try {
    const pairs = await measureInTurn({ short, long, measure: (queue) => claimMsOf(queue) })
    console.log(`\nDeliveries of an endpoint, after ${compared.completed} completed ones without a vacuum`)
    const [shortMs, longMs] = [pairs.map((pair) => pair.short), pairs.map((pair) => pair.long)]
    report('claim', { shortMs, longMs, without: 'them' })
    // A claim that searches all index entries of an endpoint: one claim of the endpoint about every ten seconds, and
    // every claim of a throttled endpoint.
    console.log(`  claim that searches all of them ${(await unboundedMsOf(long)).toFixed(2)} ms`)
  } finally {
    await short.database.close()
    await long.database.close()
  }
}

/**
 * Number of due deliveries: enough for all claims of the compared rounds, and in each round also for one claim by a new
 * claimer.
 */
const queueLength = enabledQueue + (rounds + 1) * standardRules.sendsPerEndpoint

/**
 * Time since the last completed delivery was due. It is so long that every search for due deliveries starts at a later
 * due time.
 */
const completedAgoMs = 60_000

/** Closing the returned database ends the connection. */
async function openQueue(roles: DatabaseRoles, completed: number): Promise<Queue> {
  const database = openDatabase({ connectionString: roles.connectionString, maxConnections: 1 })
  const { addEndpoint } = await openMerchant(database)
  const lane = await addEndpoint('busy')
  const client = new pg.Client({ connectionString: roles.ownerConnectionString })
  await client.connect()
  const { rows } = await client.query<{ partition: string }>(partitionsText)
  for (const { partition } of rows) await client.query(`alter table ${partition} set (autovacuum_enabled = false)`)
  const nowMs = systemClock.nowMs()
  const due = { ...lane, trigger: 'automatic' } as const
  if (completed > 0) await queueBacklog(client, { ...due, untilMs: nowMs - completedAgoMs, count: completed })
  await client.query(completeText, [lane.merchantId])
  await queueBacklog(client, { ...due, untilMs: nowMs, count: queueLength })
  await client.query('analyze webhook_deliveries, webhook_events')
  await client.end()
  return { database, claimer: claimerOf(database), lane }
}

function claimerOf(database: Database): Claimer {
  const context = { database, clock: systemClock, rules: standardRules, log: openLog('error') }
  const parts = {
    inFlight: openInFlightSends(),
    recorder: openRecorder(context),
    capacity: () => standardRules.sendsInAll,
  }
  return openClaimer({ ...context, workerId: 'wrk_bench' }, parts)
}

const partitionsText = `
  select inhrelid::regclass::text as partition
  from pg_inherits
  where inhparent = 'webhook_deliveries'::regclass`

const completeText = `
  update webhook_deliveries
  set status = 'succeeded', attempt_count = 1, lease_number = 1, next_attempt_at = null, completed_at = now()
  where merchant_id = $1`

/**
 * Returns the median time of the first claim of a new claimer. A first claim searches without a lower bound on the due
 * time.
 */
async function unboundedMsOf({ database, lane }: Queue): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn <= rounds; turn++)
    times.push(await claimMsOf({ database, claimer: claimerOf(database), lane }, 1))
  return median(times)
}

/** Claims due deliveries `claims` times, and returns the median duration of a claim. */
async function claimMsOf({ database, claimer, lane }: Queue, claims = claimsPerRound): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < claims; turn++) {
    const startMs = performance.now()
    const { lanes } = await claimer.claim([lane])
    times.push(performance.now() - startMs)
    const ids = lanes.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
    if (ids.length !== standardRules.sendsPerEndpoint) throw new Error(`${ids.length} deliveries were claimed.`)
    await database.pool.query(deleteText, [lane.merchantId, ids])
  }
  return median(times)
}
