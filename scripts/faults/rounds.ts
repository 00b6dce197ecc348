import { disableWebhookEndpoint } from '../../src/access/disable-webhook-endpoint.ts'
import { type Random, randomOf } from '../../src/demo/random.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { leaseSeconds } from '../../src/store/webhooks/leases.ts'
import { type Death, deathOf, pointOf } from './deaths.ts'
import { expectEqual } from './expect-equal.ts'
import { findViolations } from './invariants.ts'
import { expectOutcomes, type Lane, openLanes } from './lanes.ts'
import { contextOf, emit, openMerchant, operator } from './merchants.ts'
import { forkWorker, type WorkerProcess } from './processes.ts'
import { roundMaxMs, until } from './until.ts'
import { asVictim, waitForDisconnect } from './victim-connections.ts'
import type { World } from './world.ts'

/**
 * One round of the test: a worker is killed at a kill point, a successor whose clock is ahead takes over, and the
 * invariants are checked.
 *
 * 1. Events are emitted, and the victim starts.
 * 2. SIGKILL ends the victim.
 * 3. A successor runs before the leases expire. It must not break them.
 * 4. A successor runs after the leases have expired. It must send the deliveries.
 * 5. The round waits until all deliveries are sent, and checks the invariants.
 */
export interface RoundReport {
  readonly round: number
  readonly death: Death
  /** Number of webhook deliveries in progress when the worker was killed. */
  readonly stuck: number
  readonly received: number
  /** Number of requests that the webhook receivers got in addition to the completed delivery attempts. */
  readonly duplicates: number
  /**
   * Time from the kill until each webhook delivery in progress was released, by the clock of the worker that released
   * it.
   */
  readonly recoveriesMs: readonly number[]
}

/**
 * Maximum time until another worker takes over the deliveries of a killed worker: the lease duration plus one sweep
 * interval, rounded up.
 */
const recoveryMaxMs = 40_000

export async function runRounds(world: World, rounds: readonly number[]): Promise<RoundReport[]> {
  const reports: RoundReport[] = []
  const successor = forkWorker()
  let victim = forkWorker()
  try {
    for (const round of rounds) {
      const current = victim
      // Forks the worker process of the next round in advance.
      victim = forkWorker()
      try {
        reports.push(await runRound(world, round, current, successor))
      } catch (error) {
        throw new Error(`Round ${round} of seed ${world.seed} (${deathOf(round)}) failed.`, { cause: error })
      } finally {
        if (!current.hasEnded()) current.signal('SIGKILL')
      }
    }
  } finally {
    successor.signal('SIGKILL')
    victim.signal('SIGKILL')
  }
  return reports
}

async function runRound(
  world: World,
  round: number,
  victim: WorkerProcess,
  successor: WorkerProcess,
): Promise<RoundReport> {
  const { database, connectionString, receivers } = world
  const random = randomOf(world.seed, round)
  const death = deathOf(round)
  const tenant = await openMerchant(database)
  const lanes = await openLanes(world, tenant, random, death)
  const before = receivers.receipts.length
  // Some events exist when the worker starts; the rest are emitted while it runs.
  const first = random.between(3, 9)
  await emit(contextOf(database), tenant, first)
  const killedMs = await kill(world, tenant, victim, { death, random })
  await waitForDisconnect(database)
  const stuck = await leasesOf(world)
  if (stuck.length > 0) {
    const seen = receivers.receipts.length
    const soonest = Math.min(...stuck.map(({ untilMs }) => untilMs))
    // The clock of the worker stands still just before the expiry of the first lease, so that no lease expires on a
    // slow machine.
    await successor.start({ connectionString, standingMs: soonest - 1 })
    await successor.stop()
    const untouched = await leasesOf(world)
    expectEqual(untouched, stuck, 'A lease was broken before its expiry.')
    const early = receivers.receipts
      .slice(seen)
      .filter(({ eventId, path }) => stuck.some((lease) => lease.eventId === eventId && lease.url.endsWith(path)))
    expectEqual(early, [], 'A leased delivery was sent.')
  }
  const aheadMs = killedMs + leaseSeconds * 1000 + 200 - Date.now()
  await successor.start({ connectionString, aheadMs })
  await until(() => isSettled(world, tenant, aheadMs), 'The deliveries did not settle.')
  await successor.stop()
  const report = await verifyRound(world, tenant, { round, death, killedMs, before, stuck, lanes })
  // Disables the webhook endpoints with the clock of the second worker, which is ahead, so that their retries do not
  // fall into the next rounds.
  const successorContext = { ...contextOf(database), clock: { nowMs: () => Date.now() + aheadMs } }
  for (const { endpointId } of lanes) await disableWebhookEndpoint(successorContext, operator, tenant, endpointId)
  return report
}

/**
 * Kills the worker and returns the time of the kill. If the worker finishes all its work before, it is killed while
 * idle.
 */
async function kill(
  world: World,
  tenant: Tenant,
  victim: WorkerProcess,
  { death, random }: { readonly death: Death; readonly random: Random },
): Promise<number> {
  const { receivers, connectionString, database } = world
  const time = random.between(1, 4)
  let killedMs: number | undefined
  const die = () => {
    killedMs ??= Date.now()
    victim.signal('SIGKILL')
  }
  // Random time in milliseconds from the first delivery request to the kill, at most 25. In most rounds, all deliveries
  // complete within 25 ms.
  const moment = random.between(0, 25)
  let arrived = 0
  receivers.onArrived = () => {
    arrived += 1
    if (death === 'any_moment' && arrived === 1) setTimeout(die, moment)
    if (death === 'request_arrived' && arrived >= time) die()
  }
  let answered = 0
  receivers.onAnswered = () => {
    answered += 1
    if (death === 'request_answered' && answered >= time) die()
  }
  const point = pointOf(death)
  await victim.start({
    connectionString: asVictim(connectionString),
    death: point === undefined ? null : { point, time },
  })
  if (!victim.hasEnded()) await emit(contextOf(database), tenant, random.between(1, 5))
  await until(async () => victim.hasEnded() || (await isSettled(world, tenant, 0)), 'The worker did not die.')
  die()
  await victim.ended
  receivers.onArrived = () => undefined
  receivers.onAnswered = () => undefined
  return killedMs ?? Date.now()
}

interface Lease {
  readonly id: string
  readonly eventId: string
  readonly url: string
  readonly workerId: string
  readonly leaseNumber: number
  readonly untilMs: number
}

async function leasesOf({ database }: World): Promise<Lease[]> {
  const { rows } = await database.pool.query(`
    select
      delivery.id, delivery.event_id, endpoint.url, lease.worker_id, delivery.lease_number + 1 as lease_number, lease.expires_at
    from webhook_leases lease
    cross join lateral unnest(lease.delivery_ids) as leased (id)
    join webhook_deliveries delivery on delivery.merchant_id = lease.merchant_id and delivery.id = leased.id
    join webhook_endpoints endpoint on endpoint.merchant_id = lease.merchant_id and endpoint.id = lease.endpoint_id
    order by delivery.id`)
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id,
    url: row.url,
    workerId: row.worker_id,
    leaseNumber: row.lease_number,
    untilMs: Date.parse(row.expires_at),
  }))
}

/**
 * Reports whether no webhook delivery is in progress or due, by a clock that is `aheadMs` ahead of the system clock.
 */
async function isSettled({ database }: World, { merchantId }: Tenant, aheadMs: number): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `select from webhook_deliveries
     where merchant_id = $1 and next_attempt_at <= $2 limit 1`,
    [merchantId, new Date(Date.now() + aheadMs).toISOString()],
  )
  return rowCount === 0
}

interface RoundState {
  readonly round: number
  readonly death: Death
  readonly killedMs: number
  readonly before: number
  readonly stuck: readonly Lease[]
  readonly lanes: readonly Lane[]
}

async function verifyRound(world: World, tenant: Tenant, state: RoundState): Promise<RoundReport> {
  const { database, ownerConnectionString, receivers } = world
  const { round, death, killedMs, stuck } = state
  const nowMs = killedMs + leaseSeconds * 1000 + roundMaxMs
  expectEqual(await findViolations(ownerConnectionString, { receivers, nowMs }), [], 'An invariant is violated.')
  const receipts = receivers.receipts.slice(state.before)
  const { rows: deliveries } = await database.pool.query(
    `select delivery.id, delivery.event_id, delivery.status, delivery.attempt_count, delivery.lease_number, endpoint.url,
       (select count(*)::integer from webhook_attempts attempt
        where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
          and attempt.error_code = 'worker_lost') as losses
     from webhook_deliveries delivery
     join webhook_endpoints endpoint
       on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
     where delivery.merchant_id = $1`,
    [tenant.merchantId],
  )
  let duplicates = 0
  for (const delivery of deliveries) {
    const times = receipts.filter(
      ({ eventId, path }) => eventId === delivery.event_id && delivery.url.endsWith(path),
    ).length
    const wasStuck = stuck.some(({ id }) => id === delivery.id)
    const surplus = times - delivery.attempt_count
    duplicates += surplus
    const isRight = surplus >= 0 && surplus <= (wasStuck ? 1 : 0) && delivery.losses === (wasStuck ? 1 : 0)
    if (!isRight) throw new Error(`Received ${times} times, stuck: ${wasStuck}: ${JSON.stringify(delivery)}.`)
  }
  await expectOutcomes(world, tenant, state.lanes)
  const { rows: freed } = await database.pool.query(
    `select finished_at from webhook_attempts where merchant_id = $1 and error_code = 'worker_lost'`,
    [tenant.merchantId],
  )
  const recoveriesMs = freed.map(({ finished_at }) => Date.parse(finished_at) - killedMs)
  if (recoveriesMs.some((ms) => ms > recoveryMaxMs)) throw new Error(`A delivery was stuck for ${recoveriesMs} ms.`)
  return { round, death, stuck: stuck.length, received: receipts.length, duplicates, recoveriesMs }
}
