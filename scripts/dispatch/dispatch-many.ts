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
import { openRunClock, openSimulatedCarriers, type RunClock, type SimulatedCarriers } from './simulated-carriers.ts'
import { type OrderTally, type ShipmentTally, tallyOrders, tallyShipments } from './tally.ts'

/**
 * Dispatches many shipments with the service’s own code while carriers fail. Also dispatches each shipment with a naive
 * failover, with the same offers and faults but through separate simulated carriers. The clock does not advance during
 * a dispatch.
 *
 * dispatch a batch ── advance 20 s ── run due checks ── … ── after 1,000 dispatches, advance a day in steps ── …
 */
export interface Measured {
  readonly dispatches: number
  readonly requests: SimulatedCarriers['requests']
  readonly ours: OrderTally & ShipmentTally
  readonly naive: OrderTally & { readonly accepted: number; readonly waitsMs: readonly number[] }
}

export interface Measuring {
  /**
   * The service and the naive failover each have their own database, so that the carriers of the naive failover do not
   * have the service's orders.
   */
  readonly database: Database
  readonly naiveDatabase: Database
  readonly dispatches: number
  readonly seed: string
  /**
   * `default` sends no preferences. `carriers_in_turn` makes each carrier the first choice of the same number of
   * dispatches, regardless of its price, including carriers that a default dispatch would not select.
   */
  readonly preferences: 'default' | 'carriers_in_turn'
  /** Callback that gets the results after each simulated day and at the end. */
  readonly onProgress?: (measured: Measured) => void
}

/** Number of merchants. A batch contains one dispatch for each merchant. */
const merchants = 25

/** Simulated time between two batches of dispatches, as in a busy city. */
const batchMs = 20_000

/**
 * Number of dispatches after which the clock advances by a day, so that the service no longer monitors any dispatch
 * attempt.
 */
const dispatchesPerDay = 1_000

/**
 * The carrier timeouts of the service, except for a longer timeout of quotes. Quotes use real time, and carriers that
 * respond could still time out on a busy machine. A quote and a create request still fit into the 25 s of a dispatch.
 */
const timeouts = { quoteMs: 16_000, createMs: 8_000, readMs: 8_000, cancelMs: 8_000 }

const startMs = Date.UTC(2026, 10, 2, 7)

const actor: Actor = {
  type: 'operator',
  id: null,
  label: 'dispatch measure',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

interface Run extends Measuring {
  readonly clock: RunClock
  readonly context: LogisticsContext
  readonly naiveCarriers: SimulatedCarriers
  readonly tenants: readonly Tenant[]
}

export async function dispatchMany(measuring: Measuring): Promise<Measured> {
  const { database, naiveDatabase, dispatches, seed } = measuring
  const clock = openRunClock(startMs)
  const [carriers, naiveCarriers] = await Promise.all([
    openSimulatedCarriers(database, clock, seed),
    openSimulatedCarriers(naiveDatabase, clock, seed),
  ])
  try {
    const context = openLogistics({
      database,
      clock,
      nudge: () => undefined,
      log: silentLog,
      vault: vaultOf([Buffer.alloc(32, 5)]),
      carriers: carriers.carriers,
      timeouts,
    })
    const tenants = await openTenants(context)
    const run: Run = { ...measuring, clock, context, naiveCarriers, tenants }
    const naive: { isAccepted: boolean; waitedMs: number }[] = []
    for (let first = 0; first < dispatches; first += merchants) {
      const batch = Array.from({ length: Math.min(merchants, dispatches - first) }, (_, place) => first + place)
      naive.push(...(await Promise.all(batch.map((dispatch) => dispatchTwice(run, dispatch)))))
      await advance(run, clock.plain.nowMs() + batchMs)
      const done = first + batch.length
      if (done % dispatchesPerDay !== 0 && done !== dispatches) continue
      await advanceDay(run)
      measuring.onProgress?.(await measure(run, carriers, naive))
    }
    return await measure(run, carriers, naive)
  } finally {
    await Promise.all([carriers.close(), naiveCarriers.close()])
  }
}

async function measure(
  { database, naiveDatabase }: Run,
  { requests }: SimulatedCarriers,
  naive: readonly { isAccepted: boolean; waitedMs: number }[],
): Promise<Measured> {
  const accepted = naive.filter(({ isAccepted }) => isAccepted)
  return {
    dispatches: naive.length,
    requests,
    ours: { ...(await tallyOrders(database)), ...(await tallyShipments(database)) },
    naive: {
      ...(await tallyOrders(naiveDatabase)),
      accepted: accepted.length,
      waitsMs: accepted.map(({ waitedMs }) => waitedMs).sort((one, other) => one - other),
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

async function dispatchTwice(run: Run, dispatch: number): Promise<{ isAccepted: boolean; waitedMs: number }> {
  const { clock, context, tenants, seed, preferences } = run
  const tenant = tenants[dispatch % tenants.length]
  if (tenant === undefined) throw new Error('At least one merchant is required.')
  const reference = `MEASURE-${dispatch}`
  const input = operation.body.schema.parse({
    reference,
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, phone: phoneOf(seed, dispatch) },
    parcels: [parcelExample],
    ...(preferences === 'default' ? {} : { failover: rotatedPreferences(dispatch) }),
  })
  const call = { context, tenant, actor, isDryRun: false }
  const hash = createHash('sha256').update(reference).digest('hex')
  const { result: outcome } = await clock.runWithOwnWait(() => dispatchShipment(call, input, hash))
  if (outcome.is !== 'shipment' && outcome.is !== 'no_carrier_accepted')
    throw new Error(`Dispatch ${dispatch}: ${outcome.is}.`)
  const shipment = await findShipment(context.database, { merchantId: tenant.merchantId, id: outcome.shipment.id })
  if (shipment === undefined) throw new Error('The shipment was not found.')
  return dispatchNaively(run.naiveCarriers, clock, shipment)
}

/** Returns the carrier preferences of a dispatch. The first preferred carrier differs from one dispatch to the next. */
function rotatedPreferences(dispatch: number) {
  const first = dispatch % testCarrierCodes.length
  return {
    enabled: true,
    strategy: 'preferred',
    carriers: [...testCarrierCodes.slice(first), ...testCarrierCodes.slice(0, first)],
    maxAttempts: dispatchAttemptsMax,
    // Price ceiling above the price of every offer, because prices are not part of the measurement.
    maxPriceKobo: 100_000_000,
  }
}

/** Advances the simulated clock to a time and runs the shipment checks that are then due. */
async function advance(run: Run, untilMs: number): Promise<void> {
  await skipCertainChecks(run)
  run.clock.moveTo(untilMs)
  await checkDueShipments(run.context)
}

/** Minimum step of the simulated clock. Shipment checks that are due within one step run together. */
const stepMinMs = 5_000

/** Advances the simulated clock from one due check to the next until no check is left, then by an hour at a time. */
async function advanceDay(run: Run): Promise<void> {
  const { clock } = run
  for (;;) {
    await skipCertainChecks(run)
    const dueMs = await nextDueMs(run.database)
    if (dueMs === undefined) return clock.moveTo(clock.plain.nowMs() + 3_600_000)
    await advance(run, Math.max(dueMs, clock.plain.nowMs() + stepMinMs))
  }
}

/**
 * Stops the checks of shipments that a carrier has certainly accepted, because their delivery is not measured.
 * Postpones the checks of a shipment to the end of the day if it waits for a carrier without order lookup.
 */
async function skipCertainChecks({ database }: Run): Promise<void> {
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
