import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { assignTimeoutMs, usualTimeoutMs } from '../../../src/logistics/dispatch/assign-timeout.ts'
import { rollUpCarriers } from '../../../src/logistics/quotes/roll-up-carriers.ts'
import { findAssignmentTimes } from '../../../src/store/logistics/carriers/assignment-times.ts'
import { listCarrierRecords } from '../../../src/store/logistics/carriers/carrier-reliability.ts'
import type { StoredAttempt } from '../../../src/store/tables/shipment.ts'
import { useApi } from '../../support/api.ts'
import { asOwner } from '../../support/database.ts'
import { select } from '../../support/database-contents.ts'
import { readShipment, type ShipmentOptions, storeShipment, testModeOf } from '../../support/logistics/shipment.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = testModeOf(await openShop(started().context))
})

const minuteMs = 60_000
const dayMs = 86_400_000

/** Advances the clock so far that dispatch attempts of earlier tests are too old to be included in the statistics. */
beforeEach(() => started().clock.advance(61 * dayMs))

const ago = (ms: number) => toTimestamp(started().clock.nowMs() - ms)
const now = () => ago(0)
const rollUp = () => rollUpCarriers(started().context)
const recordsIn = async (zoneId: string | null) => listCarrierRecords(started().database, zoneId, now())

/** Creates a shipment whose only dispatch attempt is in the given final state. */
const ended = (state: StoredAttempt['state'], more: Partial<StoredAttempt> = {}, options: ShipmentOptions = {}) =>
  storeShipment(started(), shop, {
    status: 'failed',
    pickupZoneId: 'lag-lekki-1',
    attempts: [{ state, startedAt: now(), ...more }],
    ...options,
  })

describe('the roll-up of carrier reliability', () => {
  test('the roll-up of carrier reliability counts the successes and failures of all merchants, per zone and in total', async () => {
    const other = testModeOf(await openShop(started().context))
    await ended('completed')
    await ended('refused')
    await storeShipment(started(), other, {
      status: 'failed',
      pickupZoneId: 'lag-epe',
      attempts: [{ state: 'superseded', startedAt: now() }],
    })
    await ended('accepted', { carrier: 'simulator-saver' }, { pickupZoneId: null })
    expect(await recordsIn('lag-lekki-1')).toEqual([])
    await rollUp()
    const swift = { carrier: 'simulator-swift', succeeded: 1, failed: 2 }
    const saver = { carrier: 'simulator-saver', succeeded: 1, failed: 0, succeededHere: 0, failedHere: 0 }
    const inLekki = await recordsIn('lag-lekki-1')
    expect(inLekki).toHaveLength(2)
    expect(inLekki).toContainEqual({ ...swift, succeededHere: 1, failedHere: 1 })
    expect(inLekki).toContainEqual(saver)
    expect(await recordsIn('lag-epe')).toContainEqual({ ...swift, succeededHere: 0, failedHere: 1 })
    expect(await recordsIn(null)).toContainEqual({ ...swift, succeededHere: 0, failedHere: 0 })
  })

  test.for<[state: StoredAttempt['state'], outcomeCode: string | null, counts: 'succeeded' | 'failed' | 'neither']>([
    ['accepted', 'accepted', 'succeeded'],
    // The dispatch attempt waits until the merchant has paid the carrier.
    ['accepted', 'wallet_insufficient', 'neither'],
    ['completed', 'accepted', 'succeeded'],
    ['refused', 'couriers_busy', 'failed'],
    ['refused', 'wallet_insufficient', 'neither'],
    ['refused', 'account_blocked', 'neither'],
    ['refused', 'quote_expired', 'neither'],
    ['unavailable', 'unavailable', 'failed'],
    ['unavailable', 'circuit_open', 'neither'],
    ['unavailable', 'not_sent', 'neither'],
    ['not_found_at_carrier', 'timeout', 'failed'],
    ['abandoned', 'timeout', 'failed'],
    ['late_cancelled', 'late_acceptance', 'failed'],
    ['superseded', 'no_courier_assigned', 'failed'],
    ['superseded', 'duplicate', 'neither'],
    ['cancelled', 'carrier_cancelled', 'failed'],
    ['cancelled', 'accepted', 'neither'],
    ['skipped', 'price', 'neither'],
    ['invalid', 'invalid', 'neither'],
    ['sending', null, 'neither'],
    ['unknown', 'timeout', 'neither'],
  ])('a dispatch attempt in state %s with the outcome code %s counts as %s in the reliability of its carrier', async ([
    state,
    outcomeCode,
    counts,
  ]) => {
    await ended(state, { outcomeCode })
    await rollUp()
    const [record] = await recordsIn('lag-lekki-1')
    expect(record?.succeeded ?? 0).toBe(counts === 'succeeded' ? 1 : 0)
    expect(record?.failed ?? 0).toBe(counts === 'failed' ? 1 : 0)
  })

  test('the weight of a dispatch attempt in the reliability of its carrier halves every fortnight, during and after the roll-up', async () => {
    const { clock } = started()
    await ended('completed', { startedAt: ago(14 * dayMs) })
    await rollUp()
    expect((await recordsIn('lag-lekki-1'))[0]?.succeeded).toBeCloseTo(0.5, 6)
    clock.advance(14 * dayMs)
    expect((await recordsIn('lag-lekki-1'))[0]?.succeededHere).toBeCloseTo(0.25, 6)
    await rollUp()
    expect((await recordsIn('lag-lekki-1'))[0]?.succeededHere).toBeCloseTo(0.25, 6)
  })

  test('the roll-up of carrier reliability counts each dispatch attempt once, even if the attempt’s start time is slightly in the future', async () => {
    const daysAgo = [0, 1, 2, 59.5]
    for (const days of daysAgo) await ended('completed', { startedAt: ago(days * dayMs) })
    await ended('completed', { startedAt: ago(-1) })
    await rollUp()
    const succeeded = daysAgo.reduce((sum, days) => sum + 2 ** (-days / 14), 1)
    expect((await recordsIn('lag-lekki-1'))[0]?.succeeded).toBeCloseTo(succeeded, 6)
  })

  test('the roll-up of carrier reliability removes dispatch attempts older than two months, even if it counted them before', async () => {
    const { clock } = started()
    await ended('completed')
    await rollUp()
    clock.advance(60 * dayMs + 1)
    await rollUp()
    expect(await select(started(), 'select * from carrier_records')).toEqual([])
  })
})

test('if the roll-up of carrier reliability fails, the run throws an error, but still stores the assignment times', async () => {
  await ended('superseded', { outcomeCode: 'no_courier_assigned', resolvedAt: now() })
  const times = () => select(started(), 'select sample_size from carrier_assignment_times')
  await asOwner(
    started(),
    `create function is_cancelled() returns trigger language plpgsql
     as $$ begin raise exception 'Too long.' using errcode = '57014'; end $$`,
  )
  await asOwner(
    started(),
    'create trigger is_cancelled before insert on carrier_records for each row execute function is_cancelled()',
  )
  try {
    await expect(rollUp()).rejects.toThrow('Too long.')
    expect(await times()).toEqual([{ sample_size: 1 }])
  } finally {
    await asOwner(started(), 'drop function is_cancelled cascade')
  }
})

describe('the assignment time of carriers', () => {
  const key = { carrier: 'simulator-swift', zoneId: 'lag-lekki-1', isOnDemand: true }

  /**
   * Creates a shipment that a carrier accepted, and to which the carrier assigned a rider after the given number of
   * seconds.
   */
  async function named(seconds: number, options: ShipmentOptions = {}) {
    const resolvedAt = ago(minuteMs * 60)
    const shipment = await ended('completed', { resolvedAt }, { status: 'delivered', ...options })
    await select(
      started(),
      `insert into shipment_events
        (merchant_id, shipment_id, number, attempt_number, status, source, description, is_applied, occurred_at, received_at)
       select $1, $2, number, 1, status, 'poll', 'So.', true, $3::timestamptz + seconds * interval '1 second',
         $3::timestamptz + seconds * interval '1 second'
       from (values (1, 'awaiting_courier', 0), (2, 'courier_assigned', $4::integer), (3, 'picked_up', $4 + 600))
         as step (number, status, seconds)`,
      [shipment.merchantId, shipment.id, resolvedAt, seconds],
    )
  }
  const timedOut = (options: ShipmentOptions = {}) =>
    ended('superseded', { outcomeCode: 'no_courier_assigned', resolvedAt: now() }, options)
  const timeout = async (options: ShipmentOptions = {}) => {
    const shipment = await readShipment(started(), await ended('accepted', {}, options))
    const [attempt] = shipment.attempts
    if (attempt === undefined) expect.fail('No attempt.')
    return assignTimeoutMs(started().database, shipment.shipment, attempt)
  }

  test('the assignment time of riders is rolled up by carrier, zone and service speed, and sets the assignment timeout', async () => {
    for (let index = 1; index <= 40; index++) await named(index * 10)
    await named(5_000, { pickupZoneId: 'lag-epe' })
    await rollUp()
    // In this test, 38 of 40 shipments have a rider within 380 seconds.
    expect(await findAssignmentTimes(started().database, key)).toEqual({ sampleSize: 40, p95Seconds: 380 })
    expect(await findAssignmentTimes(started().database, { ...key, zoneId: 'lag-epe' })).toMatchObject({
      sampleSize: 1,
    })
    expect(await timeout()).toBe(380_000)
    expect(await timeout({ pickupZoneId: 'lag-epe' })).toBe(600_000)
    expect(await timeout({ pickupZoneId: null })).toBe(600_000)
  })

  test('an assignment timeout that the merchant sets takes precedence over the timeout derived from measured assignment times', async () => {
    for (let index = 1; index <= 40; index++) await named(index * 10)
    await rollUp()
    const { failover } = (await readShipment(started(), await ended('accepted'))).shipment
    expect(await timeout({ failover: { ...failover, assignTimeoutSeconds: 77 } })).toBe(77_000)
  })

  test('timed-out dispatch attempts rank above all measured assignment times, so the p95 is unknown if more than one attempt in twenty timed out', async () => {
    for (let index = 1; index <= 38; index++) await named(index * 10)
    for (let index = 0; index < 2; index++) await timedOut()
    await rollUp()
    expect(await timeout()).toBe(380_000)
    await timedOut()
    await rollUp()
    // More than one in twenty shipments timed out. The real assignment times of these shipments are unknown, so the p95
    // of all assignment times is unknown too.
    expect(await findAssignmentTimes(started().database, key)).toEqual({ sampleSize: 41, p95Seconds: null })
    expect(await timeout()).toBe(600_000)
  })

  test('the roll-up of assignment times ignores dispatch attempts for which the merchant set the assignment timeout', async () => {
    const { failover } = (await readShipment(started(), await ended('accepted'))).shipment
    const own = { failover: { ...failover, assignTimeoutSeconds: 60 } }
    await named(10, own)
    await timedOut(own)
    await rollUp()
    expect(await findAssignmentTimes(started().database, key)).toBeUndefined()
  })

  test.for<[string, { sampleSize: number; p95Seconds: number | null } | undefined, number, number]>([
    ['no statistics', undefined, 600, 4 * 3600],
    ['too few samples', { sampleSize: 29, p95Seconds: 200 }, 600, 4 * 3600],
    ['enough', { sampleSize: 30, p95Seconds: 200.2 }, 201, 201],
    ['an unknown quantile', { sampleSize: 90, p95Seconds: null }, 600, 4 * 3600],
    ['below the minimum', { sampleSize: 90, p95Seconds: 3 }, 60, 60],
    ['above the maximum', { sampleSize: 90, p95Seconds: 999_999 }, 86_400, 86_400],
  ])('the assignment timeout is derived from the measured assignment times if enough of these times are known: %s', ([
    ,
    times,
    onDemandSeconds,
    parcelSeconds,
  ]) => {
    expect(usualTimeoutMs(times, true)).toBe(onDemandSeconds * 1000)
    expect(usualTimeoutMs(times, false)).toBe(parcelSeconds * 1000)
  })
})
