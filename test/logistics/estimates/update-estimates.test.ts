import { beforeEach, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openLogistics } from '../../../src/logistics/carriers/context.ts'
import { hourBucketOf } from '../../../src/logistics/estimates/hour-bucket.ts'
import { updateEstimates } from '../../../src/logistics/estimates/update-estimates.ts'
import { startScheduled } from '../../../src/logistics/schedule/start-scheduled.ts'
import { dispatcher } from '../../../src/logistics/shipments/change-shipment.ts'
import { observeShipments } from '../../../src/store/logistics/schedule/observations.ts'
import { findShipment } from '../../../src/store/logistics/shipments/shipments.ts'
import { type ReplyBody, useApi, vault } from '../../support/api.ts'
import { asOwner } from '../../support/database.ts'
import { select } from '../../support/database-contents.ts'
import { type Course, runCourse, scheduleBody, schedulePath } from '../../support/logistics/schedule.ts'
import { mintToken, openShop, type Shop } from '../../support/shop.ts'

const started = useApi({ carriers: new Map() })

let shop: Shop
beforeEach(async () => {
  await select(started(), 'delete from shared_quantiles')
  // Advances the clock so far that the estimates ignore the shipments of other tests.
  started().clock.advance(61 * 24 * 3_600_000)
  shop = await openShop(started().context)
})

async function schedule(token = shop.token, more: object = {}): Promise<ReplyBody> {
  const reply = await started().send('POST', schedulePath, { token, body: scheduleBody(more) })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/**
 * Simulates deliveries of shipments, one per day at the same hour. Returns the number of shipments that the estimates
 * include.
 */
async function runShipments(count: number, courseOf: (index: number) => Course, token = shop.token): Promise<number> {
  let seen = 0
  for (let index = 0; index < count; index++) {
    await runCourse(started(), await schedule(token), courseOf(index))
    started().clock.advance(24 * 3_600_000)
    seen += await updateEstimates(started())
  }
  return seen
}

const minutesUntil = (moment: string) => (Date.parse(moment) - started().clock.nowMs()) / 60_000
const observationsOf = async () =>
  (await select(started(), 'select * from logistics_observations where merchant_id = $1 order by kind', [
    shop.merchantId,
  ])) as ReplyBody[]

test('the service derives the preparation time of parcels from pickups at which the rider had to wait', async () => {
  const seen = await runShipments(12, (index) => ({ called: 5, arrived: 15, pickedUp: 78 + index, delivered: 120 }))
  expect(seen).toBe(12)
  const body = await schedule()
  expect(body.confidence).toMatchObject({ basis: 'merchant_hour', sampleSize: 12, level: 'medium' })
  // The estimated preparation time is between the default of 45 minutes and the observed 83.5 minutes, and closer to
  // the latter.
  expect(minutesUntil(body.readyAt.p50)).toBeGreaterThan(70)
  expect(minutesUntil(body.readyAt.p50)).toBeLessThan(84)
  expect(body.warnings).not.toContain('no_history')
})

test('if a rider finds the parcel ready, the time until the rider’s arrival is stored as a censored observation of the preparation time', async () => {
  await runShipments(12, (index) => ({ called: 170, arrived: 180, pickedUp: 181 + index / 10, delivered: 220 }))
  const [prep] = (await observationsOf()).filter(({ kind }) => kind === 'prep')
  expect(prep).toMatchObject({ is_censored: true, is_inferred: false, seconds: 180 * 60 })
  const p50 = minutesUntil((await schedule()).readyAt.p50)
  // The observations show only that the orders were ready within three hours. The default estimate is shorter than
  // three hours, so the service still uses it.
  expect(p50).toBeGreaterThan(35)
  expect(p50).toBeLessThan(55)
})

test('an estimate of the preparation time becomes shorter when riders always find the parcel ready', async () => {
  await runShipments(30, () => ({ called: 5, arrived: 20, pickedUp: 21, delivered: 60 }))
  const body = await schedule()
  expect(minutesUntil(body.readyAt.p50)).toBeLessThan(20)
  expect(minutesUntil(body.readyAt.p90)).toBeLessThan(30)
})

const prepMinutes = async () => {
  const [row] = (await select(
    started(),
    "select * from logistics_quantiles where merchant_id = $1 and kind = 'prep' and hour_bucket = -1",
    [shop.merchantId],
  )) as ReplyBody[]
  return { count: row.sample_size, minutes: row.seconds.map((seconds: number) => Math.round(seconds / 6) / 10) }
}

test('the roll-up of nineteen observed preparation times stores exactly these times as the nineteen quantiles', async () => {
  const shuffled = Array.from({ length: 19 }, (_, index) => 21 + ((index * 7) % 19))
  await runShipments(19, (index) => ({ called: 1, arrived: 10, pickedUp: shuffled[index] ?? 0, delivered: 100 }))
  expect(await prepMinutes()).toEqual({ count: 19, minutes: shuffled.toSorted((one, other) => one - other) })
})

test('if a rider finds the parcel ready, the roll-up assumes a preparation time that is shorter than the time until the rider’s arrival', async () => {
  const courses: readonly Course[] = [
    { called: 1, arrived: 10, pickedUp: 30, delivered: 100 },
    { called: 30, arrived: 40, pickedUp: 41, delivered: 100 },
    { called: 1, arrived: 10, pickedUp: 60, delivered: 100 },
  ]
  await runShipments(3, (index) => courses[index] ?? { called: 0, pickedUp: 0, delivered: 0 })
  const { count, minutes } = await prepMinutes()
  // The second order was ready within 40 minutes, but the exact time is unknown. The estimate counts it as less than 40
  // minutes.
  expect([count, minutes[18]]).toEqual([3, 60])
  expect(minutes[9]).toBeLessThan(40)
})

test('concurrent workers store the observed times of each shipment once', async () => {
  const body = await schedule()
  await runCourse(started(), body, { called: 1, arrived: 10, pickedUp: 40, delivered: 70 })
  started().clock.advance(2 * 3_600_000)
  await Promise.all([updateEstimates(started()), updateEstimates(started()), updateEstimates(started())])
  expect(await updateEstimates(started())).toBe(0)
  expect((await observationsOf()).map(({ kind, seconds }) => [kind, seconds / 60])).toEqual([
    ['lead', 9],
    ['prep', 40],
    ['travel', 30],
  ])
})

test('the database computes the same hour bucket as the service for every hour of a week', async () => {
  const body = await schedule()
  await runCourse(started(), body, { called: 1, pickedUp: 40, delivered: 70 })
  started().clock.advance(2 * 3_600_000)
  const hourMs = 3_600_000
  const latestMs = Math.floor(Date.parse(body.createdAt) / hourMs) * hourMs
  const [stored, lookedUp]: [number[], number[]] = [[], []]
  for (let hour = 0; hour < 7 * 24; hour++) {
    const at = toTimestamp(latestMs - hour * hourMs)
    await select(started(), 'update shipments set dispatched_at = $2 where id = $1', [body.shipmentId, at])
    await select(started(), 'delete from logistics_observations where shipment_id = $1', [body.shipmentId])
    await observeShipments(started().database, toTimestamp(started().clock.nowMs()))
    stored.push(...(await observationsOf()).filter(({ kind }) => kind === 'lead').map((row) => row.hour_bucket))
    lookedUp.push(hourBucketOf(at))
  }
  expect(stored).toEqual(lookedUp)
})

test('after a shipment has ended, its actual times are stored next to its predicted times', async () => {
  const body = await schedule()
  await runCourse(started(), body, { called: 1, arrived: 10, pickedUp: 40, delivered: 70 })
  started().clock.advance(2 * 3_600_000)
  await updateEstimates(started())
  const [prediction] = (await select(started(), 'select * from schedule_predictions where shipment_id = $1', [
    body.shipmentId,
  ])) as ReplyBody[]
  expect(prediction).toMatchObject({
    id: body.id,
    ready_p50_at: body.readyAt.p50,
    arrival_p90_at: body.riderArrival.p90,
  })
  expect(prediction.completed_at).toBe(new Date(started().clock.nowMs()).toISOString())
  expect(
    [prediction.ready_at, prediction.arrived_at].map((at) => (Date.parse(at) - Date.parse(body.createdAt)) / 60_000),
  ).toEqual([40, 10])
})

test('a shipment with contradictory timestamps is recorded only once for the estimates, and the contradictory duration is recorded as null', async () => {
  const body = await schedule()
  await runCourse(started(), body, { called: 20, arrived: 20, pickedUp: 10, delivered: 70 })
  started().clock.advance(2 * 3_600_000)
  expect(await updateEstimates(started())).toBe(1)
  const lead = (await observationsOf()).find(({ kind }) => kind === 'lead')
  expect(lead.seconds).toBeNull()
  expect(await updateEstimates(started())).toBe(0)
})

test('the estimates of a merchant without history use the delivery times of other merchants if at least three merchants have delivery times, but never in test mode', async () => {
  const course = () => ({ called: 5, arrived: 15, pickedUp: 95, delivered: 130 })
  const basisOf = async (token: string) => (await schedule(token)).confidence.basis
  const newShop = await openShop(started().context)
  const minted = await mintToken(started().context, { merchantId: newShop.testMerchantId, mode: 'test' }, {})
  for (let count = 0; count < 2; count++) await runShipments(8, course, (await openShop(started().context)).token)
  expect(await basisOf(newShop.token)).toBe('prior')
  await runShipments(8, course)
  expect(await basisOf(newShop.token)).toBe('zone')
  expect(await basisOf(minted.token)).toBe('prior')
})

test('if the ranges of predicted times are too narrow, the calibration of estimates widens the ranges gradually, up to a maximum', async () => {
  // All orders are ready later than predicted, and the riders arrive later than predicted, so the estimates of both
  // times are calibrated.
  for (let count = 0; count < 50; count++) {
    await runCourse(started(), await schedule(), { called: 1, arrived: 200, pickedUp: 300, delivered: 330 })
  }
  started().clock.advance(6 * 3_600_000)
  await updateEstimates(started())
  const calibration = async () =>
    (await select(started(), 'select * from schedule_calibrations where merchant_id = $1 order by kind', [
      shop.merchantId,
    ])) as ReplyBody[]
  expect(await calibration()).toMatchObject([
    { kind: 'arrival', widening: 1.1, coverage90: 0, sample_size: 50 },
    { kind: 'ready', widening: 1.1, coverage90: 0, sample_size: 50 },
  ])
  await updateEstimates(started())
  expect((await calibration()).map(({ widening }) => widening)).toEqual([1.1, 1.1])
  expect((await schedule()).confidence.coverage90).toBe(0)
})

test('if the roll-up of estimates fails, updateEstimates throws an error, but still calibrates the estimates and deletes old observations', async () => {
  await runCourse(started(), await schedule(), { called: 1, arrived: 10, pickedUp: 40, delivered: 70 })
  started().clock.advance(6 * 3_600_000)
  await updateEstimates(started())
  await select(started(), "update logistics_observations set recorded_at = recorded_at - interval '91 days'")
  await runCourse(started(), await schedule(), { called: 1, arrived: 10, pickedUp: 40, delivered: 70 })
  started().clock.advance(6 * 3_600_000)
  await select(started(), 'delete from schedule_calibrations')
  await asOwner(
    started(),
    `create function is_cancelled() returns trigger language plpgsql
     as $$ begin raise exception 'Too long.' using errcode = '57014'; end $$`,
  )
  await asOwner(
    started(),
    'create trigger is_cancelled before insert on logistics_quantiles for each row execute function is_cancelled()',
  )
  try {
    await expect(updateEstimates(started())).rejects.toThrow('Too long.')
  } finally {
    await asOwner(started(), 'drop function is_cancelled cascade')
  }
  expect(await select(started(), 'select kind from schedule_calibrations')).toHaveLength(2)
  const kept = await select(started(), 'select distinct shipment_id from logistics_observations')
  expect(kept).toHaveLength(1)
})

test('a scheduled dispatch is re-planned once before the carrier call, with the times observed since the schedule was created', async () => {
  const body = await schedule(shop.token, { optimizeFor: 'rider_wait' })
  expect(body.replanAt).not.toBeNull()
  const other = { called: 1, arrived: 5, pickedUp: 150, delivered: 170 }
  for (let index = 0; index < 20; index++) await runCourse(started(), await schedule(), other)
  started().clock.advance(Date.parse(body.replanAt) - started().clock.nowMs())
  await select(
    started(),
    "update shipments set ended_at = $2, delivered_at = $2 where merchant_id = $1 and status = 'delivered'",
    [shop.merchantId, body.replanAt],
  )
  await updateEstimates(started())
  const context = openLogistics({ ...started().context, vault, carriers: new Map(), log: silentLog })
  const command = { context, tenant: shop.tenant, actor: dispatcher, id: body.shipmentId }
  const key = { merchantId: shop.merchantId, id: body.shipmentId }
  const run = async () => {
    const whole = await findShipment(started().database, key)
    if (whole === undefined) throw new Error('The shipment exists.')
    await startScheduled(command, whole)
    return findShipment(started().database, key)
  }
  const after = await run()
  expect(after?.shipment).toMatchObject({ status: 'scheduled', nextCheckAt: after?.shipment.dispatchAt })
  expect(Date.parse(after?.shipment.dispatchAt ?? '')).toBeGreaterThan(Date.parse(body.dispatchAt))
  expect(after?.events[0]).toMatchObject({ status: null, source: 'service', isApplied: true })
  // A second run of startScheduled changes nothing.
  expect((await run())?.shipment).toEqual(after?.shipment)
})
