import { createMerchant } from '../../src/access/create-merchant.ts'
import { toMs, toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { newOrderId, newShipmentId } from '../../src/base/records.ts'
import { updateEstimates } from '../../src/logistics/estimates/update-estimates.ts'
import { planSchedule } from '../../src/logistics/schedule/plan-schedule.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { findEstimates } from '../../src/store/logistics/schedule/quantiles.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { keepHistory, type PastShipment } from './history.ts'
import { meanGapSeconds } from './mean-gap.ts'
import { ordersOf, rideOf, type SimulatedOrder, shopsOf } from './shops.ts'
import { costTable, coverageTable, isWithinBounds, type Told } from './tables.ts'

/**
 * `npm run schedule-measure`, or with another seed: `npm run schedule-measure -- 7`. Two months of orders of shops that are unlike one another,
 * scheduled as the service would, learnt from as the service would: from tables, once an hour, from nothing on. What was
 * foretold is held against what then came, which only the simulation knows for every order.
 */

const seed = Number(process.argv[2] ?? 1)
const wantedOrders = Number(process.argv[3] ?? 10_000)
const shopCount = 24
const days = 60
const startMs = Date.UTC(2026, 0, 5)

/** The service learns every hour; every third one is enough here, and done in a third of the time. */
const learnsEveryMs = 3 * 3_600_000

await withDatabase(async (database) => {
  const shops = shopsOf(seed, shopCount, days)
  const orders = ordersOf(seed, shops, days, startMs).slice(0, wantedOrders)
  const tenants = await merchantsFor(database, shops.length)
  const told: Told[] = []
  let underWay: PastShipment[] = []
  let learntMs = startMs
  for (const order of orders) {
    for (; learntMs + learnsEveryMs <= order.confirmedMs; learntMs += learnsEveryMs) {
      const now = learntMs + learnsEveryMs
      const over = underWay.filter(({ deliveredAt }) => Date.parse(deliveredAt) <= now)
      if (over.length === 0) continue
      await keepHistory(database, over)
      underWay = underWay.filter((shipment) => !over.includes(shipment))
      await updateEstimates({ database, clock: { nowMs: () => now } })
    }
    const merchantId = tenants[order.shop.index]
    if (merchantId === undefined) throw new Error('Every shop has its merchant.')
    const { outcome, shipment } = await schedule(database, order, merchantId)
    told.push(outcome)
    underWay.push(shipment)
  }
  process.stdout.write(`${orders.length} orders of ${shops.length} shops in ${days} days at most, seed ${seed}.\n\n`)
  process.stdout.write(`${coverageTable(told)}\n\n${costTable(told)}\n`)
  if (told.length < wantedOrders || !isWithinBounds(told)) process.exitCode = 1
})

async function schedule(database: Database, order: SimulatedOrder, merchantId: Tenant) {
  const { shop, confirmedMs, prepSeconds, distanceMeters, dropoffZone } = order
  const now = toTimestamp(confirmedMs)
  const learnt = await findEstimates(database, {
    merchantId,
    isSimulated: false,
    zoneFrom: shop.zone.id,
    zoneTo: dropoffZone,
  })
  const plan = planSchedule(
    {
      begunAt: now,
      askedAt: now,
      readyAt: null,
      prepMinutes: null,
      deliverBy: null,
      optimizeFor: shop.optimizeFor,
      distanceMeters,
      pickupState: 'Lagos',
    },
    learnt,
    now,
  )
  const calledMs = toMs(plan.dispatchAt)
  const ride = rideOf(seed, order, calledMs)
  const readyMs = Math.round(confirmedMs + 1000 * prepSeconds)
  const arrivedMs = Math.round(calledMs + 1000 * ride.leadSeconds)
  const pickedUpMs = Math.round(Math.max(readyMs, arrivedMs) + 1000 * ride.handoverSeconds)
  const deliveredMs = Math.round(pickedUpMs + 1000 * ride.travelSeconds(pickedUpMs))
  const at = (ms: number) => new Date(ms).toISOString()
  const gapFor = (ms: number) => prepSeconds - rideOf(seed, order, ms).leadSeconds
  const meanCallMs = confirmedMs + 1000 * Math.max(0, meanGapSeconds(learnt, now))
  const outcome: Told = {
    plan,
    optimizeFor: shop.optimizeFor,
    ready: readyMs,
    arrival: arrivedMs,
    dropoff: deliveredMs,
    gaps: {
      ours: gapFor(calledMs) - (calledMs - confirmedMs) / 1000,
      atOnce: gapFor(confirmedMs),
      means: gapFor(meanCallMs) - (meanCallMs - confirmedMs) / 1000,
    },
  }
  const shipment: PastShipment = {
    merchantId,
    id: newShipmentId(confirmedMs),
    orderId: newOrderId(confirmedMs),
    predictionId: newId('sch', confirmedMs),
    carrier: ride.carrier.code,
    zoneFrom: shop.zone.id,
    zoneTo: dropoffZone,
    distanceMeters,
    madeAt: now,
    dispatchAt: plan.dispatchAt,
    readyP50At: plan.readyAt.p50,
    readyP90At: plan.readyAt.p90,
    arrivalP50At: plan.riderArrival.p50,
    arrivalP90At: plan.riderArrival.p90,
    basis: plan.confidence.basis,
    arrivedAt: ride.tellsArrival ? at(arrivedMs) : null,
    pickedUpAt: at(pickedUpMs),
    deliveredAt: at(deliveredMs),
  }
  return { outcome, shipment }
}

type Tenant = Awaited<ReturnType<typeof createMerchant>>['id']

async function merchantsFor(database: Database, count: number): Promise<readonly Tenant[]> {
  const context = { database, clock: { nowMs: () => startMs }, nudge: () => undefined }
  const actor = systemActor('measure')
  const ids: Tenant[] = []
  for (let index = 0; index < count; index++) ids.push((await createMerchant(context, actor, `Shop ${index + 1}`)).id)
  return ids
}

async function withDatabase(run: (database: Database) => Promise<void>): Promise<void> {
  const postgres = await openTemporaryPostgres({ name: 'schedule', durability: 'throwaway' })
  try {
    await prepareDatabase(postgres.connectionString)
    const database = openDatabase({ connectionString: postgres.connectionString })
    try {
      await run(database)
    } finally {
      await database.close()
    }
  } finally {
    await postgres.stop()
  }
}
