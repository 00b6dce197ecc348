import { createHash } from 'node:crypto'
import { parcelExample } from '../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { dispatchShipment as operation } from '../../registry/logistics/shipments.ts'
import { testCarrierCodes } from '../../registry/service/test-carriers.ts'
import { dispatchAttemptsMax } from '../../registry/values/limits.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { silentLog } from '../../src/base/log.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { type LogisticsContext, openLogistics } from '../../src/logistics/carriers/context.ts'
import { dispatchShipment } from '../../src/logistics/dispatch/dispatch-shipment.ts'
import { checkDueShipments } from '../../src/logistics/jobs/check-shipments.ts'
import type { Actor } from '../../src/store/core/audit.ts'
import type { Database } from '../../src/store/core/database.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { findShipment } from '../../src/store/logistics/shipments/shipments.ts'
import { phoneOf } from './faults.ts'
import { dispatchNaively } from './naive.ts'
import { openRunClock, openStreet, type RunClock, type Street } from './street.ts'
import { type Carried, type Ended, tallyOrders, tallyShipments } from './tally.ts'

/**
 * Dispatches many shipments with the service’s own code while carriers fail, and each shipment again with a naive
 * failover, with the same offers and faults through separate simulated carriers. The clock does not advance during a
 * dispatch.
 *
 *   dispatch a batch ── advance 20 s ── run due checks ── … ── after 1,000 dispatches, advance a day in steps ── …
 */
export interface Measured {
  readonly dispatches: number
  readonly asked: Street['asked']
  readonly ours: Carried & Ended
  readonly naive: Carried & { readonly accepted: number; readonly waitsMs: readonly number[] }
}

export interface Measuring {
  /** Separate databases, so that the carriers of the naive failover do not know the service's orders. */
  readonly database: Database
  readonly naiveDatabase: Database
  readonly dispatches: number
  readonly seed: string
  /**
   * `default` sends no preferences. `carriers_in_turn` makes each carrier the first choice of the same number of
   * dispatches, regardless of its price, including carriers that a default dispatch would not select.
   */
  readonly preferences: 'default' | 'carriers_in_turn'
  /** Called after each simulated day and at the end. */
  readonly onProgress?: (measured: Measured) => void
}

/** Number of merchants, and size of a batch: one dispatch for each merchant. */
const merchants = 25

/** Time between batches, as in a busy city. */
const batchMs = 20_000

/** After this many dispatches the clock advances a day, until no attempt is monitored any more. */
const dayOf = 1_000

/**
 * The timeouts of the service, except a longer one for quotes, which use real time: on a busy machine, responding
 * carriers would time out. A quote and a create request still fit into the 25 s of a dispatch.
 */
const timeouts = { quoteMs: 16_000, createMs: 8_000, readMs: 8_000, cancelMs: 8_000 }

const startMs = Date.UTC(2026, 10, 2, 7)

const actor: Actor = {
  type: 'operator',
  id: null,
  label: 'dispatch measure',
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

interface Run extends Measuring {
  readonly clock: RunClock
  readonly context: LogisticsContext
  readonly naiveStreet: Street
  readonly tenants: readonly Tenant[]
}

export async function dispatchMany(measuring: Measuring): Promise<Measured> {
  const { database, naiveDatabase, dispatches, seed } = measuring
  const clock = openRunClock(startMs)
  const [street, naiveStreet] = await Promise.all([
    openStreet(database, clock, seed),
    openStreet(naiveDatabase, clock, seed),
  ])
  try {
    const context = openLogistics({
      database,
      clock,
      nudge: () => undefined,
      log: silentLog,
      vault: vaultOf([Buffer.alloc(32, 5)]),
      carriers: street.carriers,
      timeouts,
    })
    const tenants = await openTenants(context)
    const run: Run = { ...measuring, clock, context, naiveStreet, tenants }
    const naive: { isTaken: boolean; waitedMs: number }[] = []
    for (let first = 0; first < dispatches; first += merchants) {
      const batch = Array.from({ length: Math.min(merchants, dispatches - first) }, (_, place) => first + place)
      naive.push(...(await Promise.all(batch.map((dispatch) => dispatchTwice(run, dispatch)))))
      await pass(run, clock.plain.nowMs() + batchMs)
      const done = first + batch.length
      if (done % dayOf !== 0 && done !== dispatches) continue
      await passDay(run)
      measuring.onProgress?.(await measure(run, street, naive))
    }
    return await measure(run, street, naive)
  } finally {
    await Promise.all([street.close(), naiveStreet.close()])
  }
}

async function measure(
  { database, naiveDatabase }: Run,
  { asked }: Street,
  naive: readonly { isTaken: boolean; waitedMs: number }[],
): Promise<Measured> {
  const taken = naive.filter(({ isTaken }) => isTaken)
  return {
    dispatches: naive.length,
    asked,
    ours: { ...(await tallyOrders(database)), ...(await tallyShipments(database)) },
    naive: {
      ...(await tallyOrders(naiveDatabase)),
      accepted: taken.length,
      waitsMs: taken.map(({ waitedMs }) => waitedMs).sort((one, other) => one - other),
    },
  }
}

async function openTenants(context: LogisticsContext): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (let count = 0; count < merchants; count++) {
    const { testId } = await createMerchant(context, actor, `Adire ${count + 1}`)
    tenants.push({ merchantId: testId, mode: 'test' })
  }
  return tenants
}

async function dispatchTwice(run: Run, dispatch: number): Promise<{ isTaken: boolean; waitedMs: number }> {
  const { clock, context, tenants, seed, preferences } = run
  const tenant = tenants[dispatch % tenants.length]
  if (tenant === undefined) throw new Error('At least one merchant is required.')
  const reference = `MEASURE-${dispatch}`
  const input = operation.body.schema.parse({
    reference,
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, phone: phoneOf(seed, dispatch) },
    parcels: [parcelExample],
    ...(preferences === 'default' ? {} : { failover: takingTurns(dispatch) }),
  })
  const call = { context, tenant, actor, isDryRun: false }
  const hash = createHash('sha256').update(reference).digest('hex')
  const { result: outcome } = await clock.apart(() => dispatchShipment(call, input, hash))
  if (outcome.is !== 'shipment' && outcome.is !== 'no_carrier_accepted')
    throw new Error(`Dispatch ${dispatch}: ${outcome.is}.`)
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id: outcome.shipment.id })
  if (whole === undefined) throw new Error('The shipment was not found.')
  return dispatchNaively(run.naiveStreet, clock, whole)
}

function takingTurns(dispatch: number) {
  const turn = dispatch % testCarrierCodes.length
  return {
    enabled: true,
    strategy: 'preferred',
    carriers: [...testCarrierCodes.slice(turn), ...testCarrierCodes.slice(0, turn)],
    maxAttempts: dispatchAttemptsMax,
    // High enough for every offer: the price is not measured.
    maxPriceKobo: 100_000_000,
  }
}

/** Advances the clock and runs the checks that are due. */
async function pass(run: Run, untilMs: number): Promise<void> {
  await leaveUndoubted(run)
  run.clock.moveTo(untilMs)
  await checkDueShipments(run.context)
}

/** Checks within this interval run together. */
const leastMs = 5_000

async function passDay(run: Run): Promise<void> {
  const { clock } = run
  for (;;) {
    await leaveUndoubted(run)
    const dueMs = await nextDueMs(run.database)
    if (dueMs === undefined) return clock.moveTo(clock.plain.nowMs() + 3_600_000)
    await pass(run, Math.max(dueMs, clock.plain.nowMs() + leastMs))
  }
}

/**
 * Stops checking shipments whose carrier is certain, because their delivery is not measured. Postpones the checks of
 * shipments that wait for a carrier without order lookup until the end of the day.
 */
async function leaveUndoubted({ database }: Run): Promise<void> {
  await database.pool.query(
    `update shipments
     set next_check_at = attempt.started_at + interval '24 hours'
     from dispatch_attempts attempt
     where shipments.next_check_at is not null
       and shipments.status = 'dispatching'
       and shipments.exceptions @> '[{"code": "outcome_unknown"}]'
       and attempt.merchant_id = shipments.merchant_id
       and attempt.shipment_id = shipments.id
       and attempt.state = 'unknown'
       and attempt.carrier = 'simulator-saver'`,
  )
  await database.pool.query(
    `update shipments
     set next_check_at = null
     where next_check_at is not null
       and status not in ('scheduled', 'dispatching', 'cancelling')
       and not exists (
         select from dispatch_attempts attempt
         where attempt.merchant_id = shipments.merchant_id
           and attempt.shipment_id = shipments.id
           and attempt.next_check_at is not null
       )`,
  )
}

async function nextDueMs({ pool }: Database): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from least(
       (select min(next_check_at) from shipments),
       (select min(next_check_at) from dispatch_attempts where state in ('not_found_at_carrier', 'abandoned'))
     ))::float8 * 1000 as ms`,
  )
  return rows[0]?.ms ?? undefined
}
