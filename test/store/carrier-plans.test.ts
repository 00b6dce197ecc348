import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { indexesOf, planOf, type Query, scannedTables } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { daySlices } from '../../src/store/core/day-slices.ts'
import {
  assignmentTimesOf,
  gatherAssignmentTimes,
  makeGatheredTimes,
} from '../../src/store/logistics/carriers/assignment-times.ts'
import {
  carrierRecordList,
  gatherCarrierRecords,
  makeGatheredRecords,
} from '../../src/store/logistics/carriers/carrier-reliability.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * The cost of a quote and of an acceptance must not grow with the number of past shipments. Both read stored carrier
 * statistics. Only the roll-up of these statistics reads past shipments, and it reads only the shipments of two months.
 */

const opened = useDatabase()

/** Inserts the shipments of a year, each with one dispatch attempt. */
const shipments = `
  insert into shipments (
    merchant_id, id, reference, request_hash, status, pickup, dropoff, parcels, pickup_zone_id, distance_meters, vehicle,
    proof, undeliverable_action, failover, plan, price_ceiling_kobo, quoted_price_kobo, created_at, updated_at, ended_at
  )
  select
    ($1::text[])[1 + i % 8], 'shp_' || i, 'REF-' || i, repeat('0f', 32), 'failed', '{}', '{}', '[]', 'zone-' || i % 20,
    1000, 'bike', '{}', 'return', '{"assignTimeoutSeconds": null}', '[]', 1, 1, now(), now(), now()
  from generate_series(1, 20000) i`

const attempts = `
  insert into dispatch_attempts (
    merchant_id, shipment_id, number, carrier, reference, state, offer, price_kobo, started_at, answered_at, resolved_at
  )
  select
    ($1::text[])[1 + i % 8], 'shp_' || i, 1, 'carrier-' || i % 5, 'REF-' || i || '-1',
    case when i % 3 = 0 then 'refused' else 'completed' end, '{"serviceLevel": "on_demand"}', 1,
    now() - i * interval '26 minutes', now(), now()
  from generate_series(1, 20000) i`

/** Inserts many times the number of rows that production is expected to have. */
const records = `
  insert into carrier_records (zone_id, carrier, succeeded, failed, rolled_up_at)
  select 'zone-' || zone, 'carrier-' || carrier, 1, 1, now()
  from generate_series(1, 500) zone, generate_series(1, 20) carrier`

const times = `
  insert into carrier_assignment_times (carrier, zone_id, is_on_demand, sample_size, p95_seconds, rolled_up_at)
  select 'carrier-' || carrier, 'zone-' || zone, true, 30, 300, now()
  from generate_series(1, 500) zone, generate_series(1, 20) carrier`

let merchants: MerchantId[]
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchants = []
  for (let index = 0; index < 8; index++) merchants.push((await createMerchant(context, operator, `Shop ${index}`)).id)
  client = new pg.Client({ connectionString })
  await client.connect()
  for (const fill of [shipments, attempts]) await client.query(fill, [merchants])
  for (const fill of [records, times]) await client.query(fill)
  await asOwner(opened(), 'vacuum analyze shipments, dispatch_attempts, carrier_records, carrier_assignment_times')
})
afterAll(() => client.end())

const now = toTimestamp(systemClock.nowMs())

function planFor<Args>(query: Query<Args>) {
  return planOf(client, query)
}

describe('queries of a quote', () => {
  test('a quote reads the carrier statistics of its zone by an index, and does not read dispatch attempts', async () => {
    const plan = await planFor({ statement: carrierRecordList, args: { zoneId: 'zone-7', now } })
    expect(scannedTables(plan)).toEqual([])
    expect(new Set(indexesOf(plan))).toEqual(new Set(['carrier_records_pkey']))
    expect(carrierRecordList.text).not.toMatch(/dispatch_attempts|shipments/)
  })
})

test('the query for a carrier’s usual assignment time in a zone uses an index', async () => {
  const args = { carrier: 'carrier-3', zoneId: 'zone-7', isOnDemand: true }
  const plan = await planFor({ statement: assignmentTimesOf, args })
  expect(scannedTables(plan)).toEqual([])
  expect(indexesOf(plan)).toEqual(['carrier_assignment_times_pkey'])
})

/** Creates a temporary table in a transaction, and returns the query plan of the statement that fills this table. */
async function planInto<Args>(table: { readonly text: string }, query: Query<Args>) {
  await client.query('begin')
  try {
    await client.query(table.text)
    return await planFor(query)
  } finally {
    await client.query('rollback')
  }
}

describe('the roll-up of one day’s dispatch attempts', () => {
  test.for(
    daySlices(now, 3),
  )('the roll-up of carrier reliability reads at most one day’s dispatch attempts at once: %o', async (slice) => {
    const query = { statement: gatherCarrierRecords, args: { ...slice, now } }
    const plan = await planInto(makeGatheredRecords, query)
    expect(scannedTables(plan)).not.toContain('dispatch_attempts')
    expect(indexesOf(plan)).toContain('attempts_by_start')
  })

  test.for(
    daySlices(now, 3),
  )('the roll-up of assignment times reads at most one day’s dispatch attempts at once: %o', async (slice) => {
    const query = { statement: gatherAssignmentTimes, args: { ...slice, statuses: ['courier_assigned'] } }
    const plan = await planInto(makeGatheredTimes, query)
    expect(scannedTables(plan)).not.toContain('dispatch_attempts')
    expect(indexesOf(plan)).toContain('attempts_by_start')
  })
})
