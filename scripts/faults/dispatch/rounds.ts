import { setTimeout as wait } from 'node:timers/promises'
import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import type { MerchantId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { type Random, randomOf } from '../../../src/demo/random.ts'
import { openSimulator } from '../../../src/simulator/simulator.ts'
import type { Database } from '../../../src/store/core/database.ts'
import { contextOf, operator } from '../merchants.ts'
import { type Dispatcher, forkDispatcher } from './dispatcher.ts'
import { findBrokenAtEnd, findBrokenNow } from './invariants.ts'
import { type Death, deaths } from './points.ts'

/**
 * One round: a process dispatches, cancels and looks while carriers go wrong, is killed at a point, and another takes over
 * until nothing is left to be done. The carriers live on in this process, and the clock is this process’s, too.
 *
 *   dispatches ── looks, cancellations, looks … ── SIGKILL ── invariants ── heir looks … until all is over ── invariants
 */
export interface DispatchReport {
  readonly round: number
  readonly death: Death
  /** Whether it died where it was to; else it was killed when it had nothing left to do. */
  readonly isReached: boolean
  /** Askings that were open when it died. */
  readonly open: number
  readonly shipments: Readonly<Record<string, number>>
  readonly orders: number
  /** Shipments of which two orders went on, and somebody was told to call. */
  readonly doubles: number
  /** From the kill until every shipment was accepted, failed, cancelled, or waited for with a person told. */
  readonly settledMs: number
}

export interface DispatchWorld {
  readonly database: Database
  readonly connectionString: string
  readonly seed: string
}

const shipmentsPerRound = 6

/** Small beside all that is waited for at first; then the clock may hurry. */
const stepMs = 5_000
const laterStepMs = 15_000
const laterAfterSteps = 12

/** So many steps let the slowest point be reached: a late order is found after five minutes at most. */
const stepsMax = 36

/** Who says nothing for a day is given up; then the last rider still has his way to go. */
const overMaxMs = 30 * 3_600_000

/** By then late orders have turned up, and riders and the rest of a day are left to be waited for. */
const calmAfterMs = 10 * 60_000
const calmStepMs = 30 * 60_000

/** Steady is searched for a minute, the unknown waited for two, or fifteen where no rider comes at once. */
const settledMaxMs = 45 * 60_000

/** A step takes seconds, and the first one half a minute where a busy machine loads the process. Beyond this it will not end. */
const stuckMs = 120_000

export async function runDispatchRounds(world: DispatchWorld, rounds: readonly number[]): Promise<DispatchReport[]> {
  const reports: DispatchReport[] = []
  const clock = { ms: Date.UTC(2026, 10, 2, 7) }
  // Set while a round waits for a carrier to have taken an order whose answer is still to be sent.
  const carrier: { onOrder: () => Promise<void> } = { onOrder: async () => undefined }
  const simulator = await openSimulator({
    database: tellingOf(world.database, () => carrier.onOrder()),
    clock: { nowMs: () => clock.ms },
    seed: world.seed,
  })
  const heir = forkDispatcher()
  const { connectionString } = world
  const opening = { is: 'start', connectionString, simulatorUrl: simulator.url } as const
  let victim = forkDispatcher()
  try {
    await within(heir.tell({ ...opening, nowMs: clock.ms, death: null }), heir)
    for (const round of rounds) {
      const current = victim
      // The next one gets ready meanwhile.
      victim = forkDispatcher()
      const death = deathOf(round)
      const random = randomOf(world.seed, round)
      try {
        const start = { ...opening, nowMs: clock.ms, death: { point: death, time: timeOf(death, random) } }
        await within(current.tell(start), current)
        reports.push(await runRound({ world, clock, carrier, round, death, random, victim: current, heir }))
      } catch (error) {
        throw new Error(`Round ${round} of seed ${world.seed} (${death}) failed.`, { cause: error })
      } finally {
        current.kill()
      }
    }
  } finally {
    heir.kill()
    victim.kill()
    await simulator.close()
  }
  return reports
}

function deathOf(round: number): Death {
  const death = deaths[round % deaths.length]
  if (death === undefined) throw new Error('There is no such way to die.')
  return death
}

/** Each shipment has an asking, but few are called off or turn up late. */
function timeOf(death: Death, random: Random): number {
  return death.startsWith('cancel') || death.startsWith('late') ? 1 : random.between(1, 3)
}

/** The same database, whose owner hears of each order before whoever placed it does. */
function tellingOf(database: Database, onOrder: () => Promise<void>): Database {
  return {
    ...database,
    run: async (statement, args) => {
      const rows = await database.run(statement, args)
      // Behind the label a statement's name has a hash of its text.
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
  readonly death: Death
  readonly random: Random
  readonly victim: Dispatcher
  readonly heir: Dispatcher
}

async function runRound(all: Round): Promise<DispatchReport> {
  const { world, clock, round, death, victim } = all
  const { pool } = world.database
  const { testId: merchantId } = await createMerchant(contextOf(world.database), operator, 'Adire Lagos')
  await live(all, merchantId)
  const isReached = victim.hasEnded()
  victim.kill()
  await victim.ended
  await untilServerForgot(pool)
  expectNone(await findBrokenNow(pool, merchantId))
  const { rows: open } = await pool.query(
    "select from dispatch_attempts where merchant_id = $1 and state in ('sending', 'unknown', 'cancelling')",
    [merchantId],
  )
  const killedMs = clock.ms
  const settledMs = await inherit(all, merchantId, killedMs)
  expectNone(await findBrokenAtEnd(pool, merchantId))
  return { round, death, isReached, open: open.length, settledMs, ...(await countEnds(pool, merchantId)) }
}

/** The victim’s life, which ends at its point. */
async function live(all: Round, merchantId: MerchantId): Promise<void> {
  const { world, clock, carrier, death, random, victim } = all
  const doing: Promise<void>[] = []
  const order = random.between(1, 3)
  let placed = 0
  carrier.onOrder = async () => {
    placed += 1
    if (death !== 'accepted_not_answered' || placed !== order) return
    victim.kill()
    await victim.ended
  }
  if (death === 'any_moment') doing.push(wait(random.between(0, 1_500)).then(() => victim.kill()))
  for (const [place, { phone, carriers }] of parcelsOf(random, shipmentsPerRound).entries()) {
    const reference = `ROUND-${all.round}-${place}`
    doing.push(victim.tell({ is: 'dispatch', merchantId, reference, phone, carriers }))
  }
  // A worker looks while they come in.
  doing.push(victim.tell({ is: 'look', nowMs: clock.ms }))
  await within(Promise.all(doing), victim)
  for (let step = 1; step <= stepsMax && !victim.hasEnded(); step++) {
    clock.ms += step <= laterAfterSteps ? stepMs : laterStepMs
    const cancelled = step === 2 || step === 10 ? await toBeCancelled(world.database, merchantId, step) : []
    await within(
      Promise.all([
        victim.tell({ is: 'look', nowMs: clock.ms }),
        ...cancelled.map((id) => victim.tell({ is: 'cancel', merchantId, id })),
      ]),
      victim,
    )
  }
  carrier.onOrder = async () => undefined
}

interface SentParcel {
  readonly phone: string
  readonly carriers: readonly string[]
}

/**
 * The first goes well, so that it can be called off; the second turns up late; of the others each asking has a fault by
 * chance, and each carrier is the first choice of as many.
 */
export function parcelsOf(random: Random, count: number): SentParcel[] {
  const [swift, steady, saver] = testCarrierCodes
  const fixed = [
    { phone: `${dispatchPhonePrefix}000`, carriers: [swift, steady, saver] },
    {
      phone: `${dispatchPhonePrefix}900`,
      carriers: random.chance(50) ? [swift, steady, saver] : [steady, swift, saver],
    },
  ]
  const others = Array.from({ length: count - fixed.length }, (_, place) => ({
    phone: dispatchPhonePrefix + [1, 2, 3].map(() => random.pick(digits)).join(''),
    carriers: [0, 1, 2].map((index) => testCarrierCodes[(place + index) % 3] ?? swift),
  }))
  return [...fixed, ...others]
}

/** Every fault but a rider who is never found: a carrier that does not let go would be waited for without end. */
const digits = [0, 0, 1, 2, 3, 4, 5, 6, 9] as const

/** The first parcel at once, and later one whose fate is not known. */
async function toBeCancelled({ pool }: Database, merchantId: MerchantId, step: number): Promise<ShipmentId[]> {
  const { rows } = await pool.query<{ id: ShipmentId }>(
    `select id from shipments
     where merchant_id = $1 and (reference like $2 or ($3 and status = 'dispatching'))
     order by id limit 1`,
    [merchantId, step === 2 ? 'ROUND-%-0' : '', step !== 2],
  )
  return rows.map(({ id }) => id)
}

/** The heir’s work, until nothing is due any more. How long the first part of it took, until all was settled. */
async function inherit({ world, clock, heir }: Round, merchantId: MerchantId, killedMs: number): Promise<number> {
  const { pool } = world.database
  let settledMs: number | undefined
  for (;;) {
    if (settledMs === undefined && (await isSettled(pool, merchantId))) settledMs = clock.ms - killedMs
    if (settledMs === undefined && clock.ms - killedMs > settledMaxMs)
      throw new Error('Not every shipment was settled.')
    const dueMs = await nextDueMs(pool, merchantId)
    if (dueMs === undefined) return settledMs ?? clock.ms - killedMs
    const isHurried = settledMs !== undefined && clock.ms - killedMs > calmAfterMs
    clock.ms = Math.max(clock.ms + (isHurried ? calmStepMs : stepMs), dueMs)
    if (clock.ms - killedMs > overMaxMs) throw new Error('Something is looked at without end.')
    await within(heir.tell({ is: 'look', nowMs: clock.ms }), heir)
    expectNone(await findBrokenNow(pool, merchantId))
  }
}

/** Somebody has it, nobody takes it, or nobody knows and a person has been told. */
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

/** What the dead process had sent to the server may still be on its way through it. */
export async function untilServerForgot(pool: Database['pool']): Promise<void> {
  const others = `
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`
  const startedMs = Date.now()
  while ((await pool.query(others)).rowCount !== 0) {
    if (Date.now() - startedMs > stuckMs) throw new Error('A dead process’s statement went on.')
    await wait(5)
  }
}

function expectNone(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(broken.join('\n'))
}

async function within<Result>(doing: Promise<Result>, { log }: Dispatcher): Promise<Result> {
  const late = AbortSignal.timeout(stuckMs)
  const tooLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error(`A step did not end.\n${log()}`)))
  })
  return Promise.race([doing, tooLate])
}
