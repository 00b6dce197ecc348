import { beforeAll, describe, expect, test } from 'vitest'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { priors } from '../../src/logistics/estimates/duration-estimates.ts'
import { merchantBatches } from '../../src/store/core/merchant-batches.ts'
import { rollUpSharedQuantiles } from '../../src/store/logistics/schedule/shared-quantiles.ts'
import { useDatabase } from '../support/database.ts'

/** Computes statistics over all merchants in batches: the service reads only a few merchants at a time. */

const opened = useDatabase()
const now = toTimestamp(systemClock.nowMs())

/** Number of merchants: enough for several batches. Each merchant has three shipments in one of three zones. */
const merchants = 125

beforeAll(async () => {
  const { pool } = opened().database
  await pool.query(
    `insert into merchants (id, name, mode, created_at)
     select 'mer_' || shop, 'Shop ' || shop, 'live', now() from generate_series(1, $1) shop`,
    [merchants],
  )
  await pool.query(
    `insert into shipments (
       merchant_id, id, reference, request_hash, status, pickup, dropoff, parcels, distance_meters, vehicle, proof,
       undeliverable_action, failover, plan, price_ceiling_kobo, quoted_price_kobo, created_at, updated_at, ended_at
     )
     select
       'mer_' || shop, 'shp_' || shop || '_' || number, 'REF-' || number, repeat('0f', 32), 'failed', '{}', '{}', '[]', 1000, 'bike', '{}',
       'return', '{}', '[]', 1, 1, now(), now(), now()
     from generate_series(1, $1) shop, generate_series(1, 3) number`,
    [merchants],
  )
  await pool.query(
    `insert into logistics_observations (
       merchant_id, shipment_id, kind, carrier, zone_from, zone_to, hour_bucket, seconds, observed_at, recorded_at
     )
     select
       'mer_' || shop, 'shp_' || shop || '_' || number, 'lead', 'fez', 'zone-' || shop % 3, 'zone-9', 2,
       100 * shop + number, now() - number * interval '1 day', now()
     from generate_series(1, $1) shop, generate_series(1, 3) number`,
    [merchants],
  )
})

const rolledUp = async (zone: string) => {
  const { rows } = await opened().database.pool.query(
    "select sample_size, seconds from shared_quantiles where kind = 'lead' and zone_from = $1 and hour_bucket = -1",
    [zone],
  )
  return rows
}

/**
 * Returns the quantiles of sorted values: the i-th of n values is the quantile i / (n + 1), with linear interpolation
 * between values.
 */
function quantilesOf(cases: readonly number[]): number[] {
  const sorted = cases.toSorted((one, other) => one - other)
  return Array.from({ length: 19 }, (_, step) => {
    const place = ((step + 1) / 20) * (sorted.length + 1) - 1
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.floor(place) + 1] ?? 0]
    return below + (above - below) * (place - Math.floor(place))
  })
}

describe('quantiles of merchants in several batches', () => {
  test.for<[string, (shop: number) => boolean]>([
    ['', () => true],
    ['zone-0', (shop) => shop % 3 === 0],
    ['zone-2', (shop) => shop % 3 === 2],
  ])('the observed delivery times are combined over the merchants of all batches for the zone "%s"', async ([
    zone,
    isThere,
  ]) => {
    await rollUpSharedQuantiles(opened().database, { now, priors })
    const shops = Array.from({ length: merchants }, (_, index) => index + 1).filter(isThere)
    const cases = shops.flatMap((shop) => [1, 2, 3].map((number) => 100 * shop + number))
    const [row, ...others] = await rolledUp(zone)
    expect([row.sample_size, others]).toEqual([cases.length, []])
    for (const [index, seconds] of quantilesOf(cases).entries()) expect(row.seconds[index]).toBeCloseTo(seconds, 6)
  })

  test('concurrent workers roll up the observed times of all merchants with the same result as one worker', async () => {
    const roll = () => rollUpSharedQuantiles(opened().database, { now, priors })
    await roll()
    const before = await rolledUp('')
    await Promise.all([roll(), roll(), roll()])
    expect(await rolledUp('')).toEqual(before)
  })
})

test('each batch of a roll-up has at most twenty merchants, and each merchant is in one batch', () => {
  const ids = Array.from({ length: merchants }, (_, index) =>
    MerchantId.parse(`mer_${String(index).padStart(26, '0')}`),
  )
  const batches = merchantBatches(ids)
  expect(batches.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20, 20, 5])
  expect(batches.flat()).toEqual(ids)
  expect(merchantBatches([])).toEqual([])
})
