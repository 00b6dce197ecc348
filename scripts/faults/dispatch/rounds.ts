import { setTimeout as wait } from 'node:timers/promises'
import type { MerchantId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { type Random, randomOf } from '../../../src/demo/random.ts'
import { openSimulator } from '../../../src/simulator/simulator.ts'
import type { Database } from '../../../src/store/core/database.ts'
import { contextOf, operator } from '../merchants.ts'
import { type Dispatcher, forkDispatcher } from './dispatcher.ts'
import { findBrokenAtEnd, findBrokenNow } from './invariants.ts'
import { parcelsOf } from './parcels.ts'
import { type KillPoint, killPoints } from './points.ts'

/**
 * Runs rounds of process kills. In a round, a process dispatches, cancels and checks shipments while carriers fail. The
 * process is killed at a kill point, and a second process, the successor, checks the shipments until no check is due.
 * The simulated carriers and the clock belong to the parent process and survive the kill.
 *
 * dispatches ── checks, cancellations, checks … ── SIGKILL ── invariants ── successor’s checks … ── invariants
 */
export interface DispatchReport {
  readonly round: number
  readonly killPoint: KillPoint
  /** Whether the process was killed at its kill point. If not, it was killed after its last step. */
  readonly isReached: boolean
  /** Number of dispatch attempts in progress when the process was killed. */
  readonly open: number
  /** Number of shipments in each final status. */
  readonly shipments: Readonly<Record<string, number>>
  /** Number of carrier orders that are not cancelled. */
  readonly orders: number
  /**
   * Number of shipments with two active carrier orders. Each of them must have an exception that reports the duplicate.
   */
  readonly doubles: number
  /** Time from the kill until every shipment was accepted, failed, cancelled, or had an `outcome_unknown` exception. */
  readonly settledMs: number
}

export interface DispatchWorld {
  readonly database: Database
  readonly connectionString: string
  readonly seed: string
}

const shipmentsPerRound = 6

/**
 * Length of the first steps of the simulated clock. It is at most the shortest delay between two checks of a shipment.
 * The later steps are longer.
 */
const stepMs = 5_000
const longStepMs = 15_000
const shortSteps = 12

/**
 * Maximum number of clock steps before the kill, enough to reach every kill point. The latest kill point follows the
 * discovery of a late acceptance, which takes up to five minutes.
 */
const stepsMax = 36

/**
 * Maximum simulated time of a round: an abandoned dispatch attempt is monitored for a day, and the last delivery needs
 * a few more hours.
 */
const finishedMaxMs = 30 * 3_600_000

/**
 * Simulated time after which the clock steps are longer, because all late acceptances have arrived. Only deliveries and
 * daily timeouts remain.
 */
const longStepsAfterMs = 10 * 60_000
const halfHourStepMs = 30 * 60_000

/**
 * Maximum simulated time until every outcome is known or reported by an exception. The service resolves one unknown
 * outcome within fifteen minutes, or within two minutes for an on-demand delivery. The limit is higher, because a round
 * has several unknown outcomes.
 */
const settledMaxMs = 45 * 60_000

/**
 * Timeout of a step of the dispatching process. A step takes seconds; the first one takes half a minute on a busy
 * machine, because the process still loads its modules.
 */
const stuckMs = 120_000

export async function runDispatchRounds(world: DispatchWorld, rounds: readonly number[]): Promise<DispatchReport[]> {
  const reports: DispatchReport[] = []
  const clock = { ms: Date.UTC(2026, 10, 2, 7) }
  // Called after a simulated carrier has accepted an order and before it responds. The current round sets this
  // function.
  const carrier: { onOrder: () => Promise<void> } = { onOrder: async () => undefined }
  const simulator = await openSimulator({
    database: withOrderHook(world.database, () => carrier.onOrder()),
    clock: { nowMs: () => clock.ms },
    seed: world.seed,
  })
  const successor = forkDispatcher()
  const { connectionString } = world
  const opening = { is: 'start', connectionString, simulatorUrl: simulator.url } as const
  let victim = forkDispatcher()
  try {
    await within(successor.send({ ...opening, nowMs: clock.ms, kill: null }), successor)
    for (const round of rounds) {
      const current = victim
      // Starts the process of the next round early, so that it loads its modules during this round.
      victim = forkDispatcher()
      const killPoint = killPointOf(round)
      const random = randomOf(world.seed, round)
      try {
        const start = {
          ...opening,
          nowMs: clock.ms,
          kill: { point: killPoint, occurrence: occurrenceOf(killPoint, random) },
        }
        await within(current.send(start), current)
        reports.push(await runRound({ world, clock, carrier, round, killPoint, random, victim: current, successor }))
      } catch (error) {
        throw new Error(`Round ${round} of seed ${world.seed} (${killPoint}) failed.`, { cause: error })
      } finally {
        current.kill()
      }
    }
  } finally {
    successor.kill()
    victim.kill()
    await simulator.close()
  }
  return reports
}

function killPointOf(round: number): KillPoint {
  const killPoint = killPoints[round % killPoints.length]
  if (killPoint === undefined) throw new Error('There are no kill points.')
  return killPoint
}

/**
 * Returns at which occurrence of its kill point the process is killed. Every shipment has an attempt, but few shipments
 * are cancelled or accepted late. A kill point of a cancellation or a late acceptance therefore uses its first
 * occurrence.
 */
function occurrenceOf(killPoint: KillPoint, random: Random): number {
  return killPoint.startsWith('cancel') || killPoint.startsWith('late') ? 1 : random.between(1, 3)
}

/**
 * Wraps the database of the simulated carriers. Calls a function after a carrier has stored an order and before the
 * carrier responds.
 */
function withOrderHook(database: Database, onOrder: () => Promise<void>): Database {
  return {
    ...database,
    run: async (statement, args) => {
      const rows = await database.run(statement, args)
      // The name of a prepared statement is a label and a hash of its SQL. Only the label is compared.
      if (statement.name.startsWith('insert_simulated_order_')) await onOrder()
      return rows
    },
  }
}

interface Round {
  readonly world: DispatchWorld
  readonly clock: { ms: number }
  readonly carrier: { onOrder: () => Promise<void> }
  readonly round: number
  readonly killPoint: KillPoint
  readonly random: Random
  readonly victim: Dispatcher
  readonly successor: Dispatcher
}

async function runRound(options: Round): Promise<DispatchReport> {
  const { world, clock, round, killPoint, victim } = options
  const { pool } = world.database
  const { testId: merchantId } = await createMerchant(contextOf(world.database), operator, 'Adire Lagos')
  await runVictim(options, merchantId)
  const isReached = victim.hasEnded()
  victim.kill()
  await victim.ended
  await waitForIdleServer(pool)
  expectNone(await findBrokenNow(pool, merchantId))
  const { rows: open } = await pool.query(
    "select from dispatch_attempts where merchant_id = $1 and state in ('sending', 'unknown', 'cancelling')",
    [merchantId],
  )
  const killedMs = clock.ms
  const settledMs = await finishRound(options, merchantId, killedMs)
  expectNone(await findBrokenAtEnd(pool, merchantId))
  return { round, killPoint, isReached, open: open.length, settledMs, ...(await countEnds(pool, merchantId)) }
}

/**
 * Runs dispatches, checks and cancellations in the first process of a round, until it is killed or has taken all steps.
 */
async function runVictim(options: Round, merchantId: MerchantId): Promise<void> {
  const { world, clock, carrier, killPoint, random, victim } = options
  const pending: Promise<void>[] = []
  const order = random.between(1, 3)
  let placed = 0
  carrier.onOrder = async () => {
    placed += 1
    if (killPoint !== 'accepted_without_response' || placed !== order) return
    victim.kill()
    await victim.ended
  }
  if (killPoint === 'any_moment') pending.push(wait(random.between(0, 1_500)).then(() => victim.kill()))
  for (const [place, { phone, carriers }] of parcelsOf(random, shipmentsPerRound).entries()) {
    const reference = `ROUND-${options.round}-${place}`
    pending.push(victim.send({ is: 'dispatch', merchantId, reference, phone, carriers }))
  }
  // The shipment checks run concurrently with the dispatches, as they do in a worker.
  pending.push(victim.send({ is: 'check', nowMs: clock.ms }))
  await within(Promise.all(pending), victim)
  for (let step = 1; step <= stepsMax && !victim.hasEnded(); step++) {
    clock.ms += step <= shortSteps ? stepMs : longStepMs
    const cancelled = step === 2 || step === 10 ? await toBeCancelled(world.database, merchantId, step) : []
    await within(
      Promise.all([
        victim.send({ is: 'check', nowMs: clock.ms }),
        ...cancelled.map((id) => victim.send({ is: 'cancel', merchantId, id })),
      ]),
      victim,
    )
  }
  carrier.onOrder = async () => undefined
}

/**
 * Returns the shipment to cancel: at step 2, the shipment of the first parcel; at a later step, a shipment that is
 * still being dispatched.
 */
async function toBeCancelled({ pool }: Database, merchantId: MerchantId, step: number): Promise<ShipmentId[]> {
  const { rows } = await pool.query<{ id: ShipmentId }>(
    `select id from shipments
     where merchant_id = $1 and (reference like $2 or ($3 and status = 'dispatching'))
     order by id limit 1`,
    [merchantId, step === 2 ? 'ROUND-%-0' : '', step !== 2],
  )
  return rows.map(({ id }) => id)
}

/**
 * Runs the checks of the successor process until no check is due. Returns the time from the kill until the outcome of
 * every shipment was certain or reported by an exception.
 */
async function finishRound(
  { world, clock, successor }: Round,
  merchantId: MerchantId,
  killedMs: number,
): Promise<number> {
  const { pool } = world.database
  let settledMs: number | undefined
  for (;;) {
    if (settledMs === undefined && (await isSettled(pool, merchantId))) settledMs = clock.ms - killedMs
    if (settledMs === undefined && clock.ms - killedMs > settledMaxMs)
      throw new Error('Not every shipment was settled 45 minutes after the kill.')
    const dueMs = await nextDueMs(pool, merchantId)
    if (dueMs === undefined) return settledMs ?? clock.ms - killedMs
    const isLongStep = settledMs !== undefined && clock.ms - killedMs > longStepsAfterMs
    clock.ms = Math.max(clock.ms + (isLongStep ? halfHourStepMs : stepMs), dueMs)
    if (clock.ms - killedMs > finishedMaxMs) throw new Error('Checks are still due 30 hours after the kill.')
    await within(successor.send({ is: 'check', nowMs: clock.ms }), successor)
    expectNone(await findBrokenNow(pool, merchantId))
  }
}

/** Reports whether each shipment was accepted, failed, was cancelled, or has an `outcome_unknown` exception. */
export async function isSettled(pool: Database['pool'], merchantId: MerchantId): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from shipments
     where merchant_id = $1
       and status in ('dispatching', 'cancelling')
       and not exceptions @> '[{"code": "outcome_unknown"}]'
     limit 1`,
    [merchantId],
  )
  return rowCount === 0
}

async function nextDueMs(pool: Database['pool'], merchantId: MerchantId): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from least(
       (select min(next_check_at) from shipments where merchant_id = $1),
       (select min(next_check_at) from dispatch_attempts
        where merchant_id = $1 and state in ('not_found_at_carrier', 'abandoned'))
     ))::float8 * 1000 as ms`,
    [merchantId],
  )
  return rows[0]?.ms ?? undefined
}

async function countEnds(pool: Database['pool'], merchantId: MerchantId) {
  const { rows } = await pool.query<{ status: string; count: number }>(
    'select status, count(*)::integer as count from shipments where merchant_id = $1 group by 1 order by 1',
    [merchantId],
  )
  const { rows: orders } = await pool.query<{ count: number }>(
    `select count(*)::integer as count
     from simulated_orders join shipments on starts_with(simulated_orders.reference, shipments.id || '-')
     where merchant_id = $1 and cancelled_at is null and fault <> 'carrier_cancels'
     group by shipments.id`,
    [merchantId],
  )
  return {
    shipments: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
    orders: orders.reduce((sum, { count }) => sum + count, 0),
    doubles: orders.filter(({ count }) => count > 1).length,
  }
}

/** Waits until PostgreSQL executes no statement. It may still execute the statements of a killed process. */
export async function waitForIdleServer(pool: Database['pool']): Promise<void> {
  const others = `
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`
  const startedMs = Date.now()
  while ((await pool.query(others)).rowCount !== 0) {
    if (Date.now() - startedMs > stuckMs) throw new Error('A statement of the killed process did not end.')
    await wait(5)
  }
}

function expectNone(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(broken.join('\n'))
}

/** Rejects with the log of the dispatching process if `pending` takes longer than `stuckMs`. */
async function within<Result>(pending: Promise<Result>, { log }: Dispatcher): Promise<Result> {
  const timeout = AbortSignal.timeout(stuckMs)
  const timedOut = new Promise<never>((_, reject) => {
    timeout.addEventListener('abort', () =>
      reject(new Error(`A step did not end within ${stuckMs / 1000} s.\n${log()}`)),
    )
  })
  return Promise.race([pending, timedOut])
}
