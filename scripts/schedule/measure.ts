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
import { insertHistory, type PastShipment } from './history.ts'
import { meanGapSeconds } from './mean-gap.ts'
import { ordersOf, rideOf, type SimulatedOrder, shopsOf } from './shops.ts'
import { costTable, coverageTable, isWithinBounds, type PredictedOrder } from './tables.ts'

/**
 * `npm run schedule-measure`, or `npm run schedule-measure -- 7` with another seed: simulates two months of orders of
 * different shops. The service's own code schedules the dispatches and computes its estimates from the tables, starting
 * without data. Compares the predictions with the simulated times, which are known for every order. Exits with 1 when
 * too many or too few orders were done by their predicted time.
 */

const seed = Number(process.argv[2] ?? 1)
const wantedOrders = Number(process.argv[3] ?? 10_000)
const shopCount = 24
const days = 60
const startMs = Date.UTC(2026, 0, 5)

/**
 * Simulated time between updates of the estimates. The service updates them every hour; three hours suffice here and
 * take less time.
 */
const updateIntervalMs = 3 * 3_600_000

await withDatabase(async (database) => {
  const shops = shopsOf(seed, shopCount, days)
  const orders = ordersOf(seed, shops, days, startMs).slice(0, wantedOrders)
  const merchantIds = await createMerchants(database, shops.length)
  const predictions: PredictedOrder[] = []
  let active: PastShipment[] = []
  let updatedMs = startMs
  for (const order of orders) {
    for (; updatedMs + updateIntervalMs <= order.confirmedMs; updatedMs += updateIntervalMs) {
      const now = updatedMs + updateIntervalMs
      const delivered = active.filter(({ deliveredAt }) => Date.parse(deliveredAt) <= now)
      if (delivered.length === 0) continue
      await insertHistory(database, delivered)
      active = active.filter((shipment) => !delivered.includes(shipment))
      await updateEstimates({ database, clock: { nowMs: () => now } })
    }
    const merchantId = merchantIds[order.shop.index]
    if (merchantId === undefined) throw new Error(`Shop ${order.shop.index} has no merchant.`)
    const { prediction, shipment } = await schedule(database, order, merchantId)
    predictions.push(prediction)
    active.push(shipment)
  }
  process.stdout.write(`${orders.length} orders of ${shops.length} shops in at most ${days} days, seed ${seed}.\n\n`)
  process.stdout.write(`${coverageTable(predictions)}\n\n${costTable(predictions)}\n`)
  if (predictions.length < wantedOrders || !isWithinBounds(predictions)) process.exitCode = 1
})

async function schedule(database: Database, order: SimulatedOrder, merchantId: MerchantId) {
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
  const dispatchedMs = toMs(plan.dispatchAt)
  const ride = rideOf(seed, order, dispatchedMs)
  const readyMs = Math.round(confirmedMs + 1000 * prepSeconds)
  const arrivedMs = Math.round(dispatchedMs + 1000 * ride.leadSeconds)
  const pickedUpMs = Math.round(Math.max(readyMs, arrivedMs) + 1000 * ride.handoverSeconds)
  const deliveredMs = Math.round(pickedUpMs + 1000 * ride.travelSeconds(pickedUpMs))
  const at = (ms: number) => new Date(ms).toISOString()
  const gapFor = (ms: number) => prepSeconds - rideOf(seed, order, ms).leadSeconds
  const meanDispatchMs = confirmedMs + 1000 * Math.max(0, meanGapSeconds(learnt, now))
  const prediction: PredictedOrder = {
    plan,
    optimizeFor: shop.optimizeFor,
    ready: readyMs,
    arrival: arrivedMs,
    dropoff: deliveredMs,
    gaps: {
      predictive: gapFor(dispatchedMs) - (dispatchedMs - confirmedMs) / 1000,
      immediate: gapFor(confirmedMs),
      means: gapFor(meanDispatchMs) - (meanDispatchMs - confirmedMs) / 1000,
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
    arrivedAt: ride.reportsArrival ? at(arrivedMs) : null,
    pickedUpAt: at(pickedUpMs),
    deliveredAt: at(deliveredMs),
  }
  return { prediction, shipment }
}

type MerchantId = Awaited<ReturnType<typeof createMerchant>>['id']

async function createMerchants(database: Database, count: number): Promise<readonly MerchantId[]> {
  const context = { database, clock: { nowMs: () => startMs }, nudge: () => undefined }
  const actor = systemActor('measure')
  const ids: MerchantId[] = []
  for (let index = 0; index < count; index++) ids.push((await createMerchant(context, actor, `Shop ${index + 1}`)).id)
  return ids
}

async function withDatabase(run: (database: Database) => Promise<void>): Promise<void> {
  const postgres = await openTemporaryPostgres({ name: 'schedule', durability: 'throwaway' })
  try {
    await prepareDatabase(postgres)
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
