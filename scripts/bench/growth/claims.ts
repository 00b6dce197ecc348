import pg from 'pg'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../../src/store/server/service-role.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { listDueEndpoints } from '../../../src/store/webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { median } from '../compare.ts'
import { actor, policy, vault } from '../delivery/merchants.ts'
import { rounds, spreadOf } from '../peers/measure-case.ts'
import { requireMsAtMost } from '../verdict.ts'
import { queueBacklog } from './backlog.ts'

/**
 * Measures the search for due webhook deliveries of a merchant with an enabled and a disabled endpoint. In one of two
 * databases, the disabled endpoint has a long queue of due deliveries.
 */

/**
 * Number of claims of due deliveries in one round. After each claim, its leases and its deliveries are deleted, so that
 * the next claim finds no delivery in flight.
 */
export const claimsPerRound = 100

/** Number of queued deliveries of the enabled webhook endpoint: enough for the claims of all rounds and the warm-up. */
export const enabledQueue = (rounds + 1) * claimsPerRound * standardRules.sendsPerEndpoint

/**
 * Maximum ratio of two search times: the time with the additional rows of the larger database, to the time without
 * these rows.
 */
const timesMax = 1.2

/**
 * Accepted difference for times below two milliseconds. Such times differ by a tenth of a millisecond for reasons other
 * than the number of rows, such as the age of a connection. A search that reads the additional rows exceeds this
 * difference, because it takes 26 ms per 100,000 deliveries.
 */
const toleranceMs = 0.5

interface Queue {
  readonly database: Database
  readonly lanes: readonly EndpointKey[]
}

interface Times {
  readonly claimMs: number
  readonly listMs: number
}

interface Compared {
  readonly without: DatabaseRoles
  readonly with: DatabaseRoles
  /** Number of due deliveries of the disabled webhook endpoint. */
  readonly backlog: number
}

export async function measureClaims(compared: Compared): Promise<void> {
  const short = await openQueue(compared.without, 0)
  const long = await openQueue(compared.with, compared.backlog)
  try {
    const pairs = await measureInTurn({ short, long, measure: timesOf })
    console.log(`\nDeliveries of an enabled endpoint, beside ${compared.backlog} of a disabled one`)
    const shorts = pairs.map((pair) => pair.short)
    const longs = pairs.map((pair) => pair.long)
    report('claimDeliveries', { shortMs: shorts.map(claimOf), longMs: longs.map(claimOf), without: 'the backlog' })
    report('listDueEndpoints', { shortMs: shorts.map(listOf), longMs: longs.map(listOf), without: 'the backlog' })
  } finally {
    await short.database.close()
    await long.database.close()
  }
}

interface Sides<Side, Result> {
  readonly short: Side
  readonly long: Side
  readonly measure: (side: Side) => Promise<Result>
}

/** Round 0 is a warm-up whose result is discarded. The order of the two databases alternates. */
export async function measureInTurn<Side, Result>({ short, long, measure }: Sides<Side, Result>) {
  const pairs: { readonly short: Result; readonly long: Result }[] = []
  for (let round = 0; round <= rounds; round++) {
    const pair =
      round % 2 === 0
        ? { short: await measure(short), long: await measure(long) }
        : { long: await measure(long), short: await measure(short) }
    if (round > 0) pairs.push(pair)
  }
  return pairs
}

const claimOf = ({ claimMs }: Times) => claimMs
const listOf = ({ listMs }: Times) => listMs

export interface Measured {
  readonly shortMs: readonly number[]
  readonly longMs: readonly number[]
  /** Description, for the printed result, of the rows that only the larger database has. */
  readonly without: string
}

export function report(name: string, { shortMs, longMs, without }: Measured): void {
  const [short, long] = [spreadOf(shortMs).median, spreadOf(longMs).median]
  const ceilingMs = Math.max(short * timesMax, short + toleranceMs)
  const times = `${long.toFixed(2)} ms, without ${without} ${short.toFixed(2)} ms`
  requireMsAtMost(`  ${name.padEnd(18)} ${times}`, long, Number(ceilingMs.toFixed(2)))
}

/** Closing the returned database ends the connection. */
async function openQueue(roles: DatabaseRoles, backlog: number): Promise<Queue> {
  const database = openDatabase({ connectionString: roles.connectionString, maxConnections: 1 })
  const { merchantId, addEndpoint } = await openMerchant(database)
  const [enabled, disabled] = [await addEndpoint('enabled'), await addEndpoint('disabled')]
  await database.pool.query(disableText, [merchantId, disabled.endpointId])
  const client = new pg.Client({ connectionString: roles.ownerConnectionString })
  await client.connect()
  const due = { trigger: 'automatic', untilMs: systemClock.nowMs() } as const
  await queueBacklog(client, { ...enabled, ...due, count: enabledQueue })
  if (backlog > 0) await queueBacklog(client, { ...disabled, ...due, count: backlog })
  await client.query('vacuum analyze webhook_deliveries, webhook_events, webhook_endpoints')
  await client.end()
  return { database, lanes: [enabled, disabled] }
}

export async function openMerchant(database: Database) {
  const context = { database, clock: systemClock, nudge: () => undefined, policy, vault }
  const { id: merchantId } = await createMerchant(context, actor, 'Adire Lagos')
  const addEndpoint = async (name: string): Promise<EndpointKey> => {
    const request = { url: `http://127.0.0.1:1/${name}`, kinds: ['order.created' as const] }
    const created = await createWebhookEndpoint(context, actor, { merchantId, mode: 'live' }, request)
    if (created.is !== 'created') throw new Error(`No endpoint: ${created.is}.`)
    return { merchantId, endpointId: created.id }
  }
  return { merchantId, addEndpoint }
}

/** Disables a webhook endpoint and leaves its deliveries queued, as they are until the sweeps put them on hold. */
const disableText = `
  update webhook_endpoints
  set status = 'disabled', disabled_reason = 'manual', disabled_at = now()
  where merchant_id = $1 and id = $2`

/**
 * Deletes the deliveries by primary key, because a scan of all due deliveries would replace the content of the CPU's
 * caches.
 */
export const deleteText = `
  with lease as (
    delete from webhook_leases where merchant_id = $1
  )
  delete from webhook_deliveries where merchant_id = $1 and id = any($2::text[])`

/**
 * Returns two median times of one round: of a claim of due deliveries, and of the query that lists the due endpoints.
 */
async function timesOf({ database, lanes }: Queue): Promise<Times> {
  const claims: number[] = []
  const lists: number[] = []
  for (let turn = 0; turn < claimsPerRound; turn++) {
    const now = toTimestamp(systemClock.nowMs())
    const startMs = performance.now()
    const due = await listDueEndpoints(database, now)
    const listedMs = performance.now()
    const claimed = await claimDeliveries(database, { lanes, workerId: 'wrk_bench', now, ...caps })
    claims.push(performance.now() - listedMs)
    lists.push(listedMs - startMs)
    const ids = claimed.lanes.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
    if (due.length !== 1 || ids.length !== standardRules.sendsPerEndpoint)
      throw new Error(`${due.length} endpoints were due and ${ids.length} deliveries were claimed.`)
    await database.pool.query(deleteText, [lanes[0]?.merchantId, ids])
  }
  return { claimMs: median(claims), listMs: median(lists) }
}

/** Limits on the number of deliveries in a claim, as for a worker that has no attempts in flight. */
const caps = {
  room: standardRules.sendsInAll,
  merchantCap: standardRules.sendsPerMerchant,
  endpointCap: standardRules.sendsPerEndpoint,
}
