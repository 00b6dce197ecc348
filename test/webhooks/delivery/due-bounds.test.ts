import { describe, expect, test } from 'vitest'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { newEndpointId } from '../../../src/base/records.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { openDueBounds } from '../../../src/webhooks/due-bounds.ts'
import { openPump } from '../../../src/webhooks/pump.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop } from '../shop.ts'

const opened = useDatabase()

describe('the lower time limit of the search for an endpoint’s due webhook deliveries', () => {
  const startMs = systemClock.nowMs()
  const at = (seconds: number) => toTimestamp(startMs + seconds * 1000)
  const atMs = (seconds: number) => startMs + seconds * 1000
  const endpointId = newEndpointId(startMs)
  const healthy = { endpointId, isEnabled: true, isHealthy: true }

  /**
   * Returns the search bounds after a full search at second 0. The first due delivery of this search was due at the
   * given second. Undefined if no delivery was due.
   */
  function openSearched(firstDueSecond: number | undefined) {
    const bounds = openDueBounds()
    const firstDueAt = firstDueSecond === undefined ? null : at(firstDueSecond)
    bounds.update({ ...healthy, firstDueAt }, startMs)
    return bounds
  }

  test('the lower time limit of the search is 5 s before the first due delivery, or 5 s before the search if no delivery was due', () => {
    expect(openDueBounds().boundOf(endpointId, startMs)).toBe(undefined)
    expect(openSearched(-60).boundOf(endpointId, startMs)).toBe(at(-65))
    expect(openSearched(undefined).boundOf(endpointId, startMs)).toBe(at(-5))
  })

  test('the lower time limit of the search moves forward when the first due delivery is later than before, and never moves back', () => {
    const bounds = openSearched(-60)
    bounds.update({ ...healthy, firstDueAt: at(-20), dueFrom: at(-65) }, atMs(1))
    expect(bounds.boundOf(endpointId, atMs(1))).toBe(at(-25))
    bounds.update({ ...healthy, firstDueAt: at(-24), dueFrom: at(-25) }, atMs(2))
    expect(bounds.boundOf(endpointId, atMs(2))).toBe(at(-25))
  })

  test('the search for due deliveries has a lower time limit only for ten seconds after a full search, even if other searches follow', () => {
    const bounds = openSearched(undefined)
    bounds.update({ ...healthy, firstDueAt: null, dueFrom: at(-5) }, atMs(9.999))
    expect(bounds.boundOf(endpointId, atMs(9.999))).toBe(at(4.999))
    expect(bounds.boundOf(endpointId, atMs(10))).toBe(undefined)
    bounds.update({ ...healthy, firstDueAt: at(-100) }, atMs(10))
    expect(bounds.boundOf(endpointId, atMs(10))).toBe(at(-105))
  })

  test('after the clock was set back, the search for due webhook deliveries has no lower time limit', () => {
    expect(openSearched(undefined).boundOf(endpointId, startMs - 1)).toBe(undefined)
  })

  test('the lower time limit is removed when the endpoint is throttled or disabled', () => {
    for (const state of [{ isHealthy: false }, { isEnabled: false }]) {
      const bounds = openSearched(-60)
      bounds.update({ ...healthy, ...state, firstDueAt: at(-1), dueFrom: at(-65) }, atMs(1))
      expect(bounds.boundOf(endpointId, atMs(1))).toBe(undefined)
    }
  })
})

async function openLateShop() {
  const { database } = opened()
  const shop = await openShop(database)
  const receiver = await openReceiver()
  const { merchantId, endpointId } = await shop.addEndpoint(receiver.url)
  /** Queues a webhook delivery that became due a minute before it was committed, as after a slow mutation. */
  const emitLate = async () => {
    await shop.emit()
    await database.pool.query(
      `update webhook_deliveries
       set next_attempt_at = next_attempt_at - interval '1 minute'
       where (merchant_id, id) = (
         select merchant_id, id from webhook_deliveries where merchant_id = $1 and next_attempt_at is not null limit 1
       )`,
      [merchantId],
    )
  }
  return { shop, receiver, lane: { merchantId, endpointId }, emitLate }
}

test('a claim returns the earliest due time, and reads only webhook deliveries that are due at or after the lower time limit', async () => {
  const { shop, lane, emitLate } = await openLateShop()
  await shop.emit()
  await emitLate()
  const earlier = toTimestamp(shop.clock.nowMs() - 60_000)
  const claim = async (dueFrom: Timestamp | undefined) => {
    const lanes = [{ ...lane, dueFrom }]
    // Deletes the leases of the previous claim, because otherwise the next claim would exclude the leased deliveries.
    await opened().database.pool.query('delete from webhook_leases where merchant_id = $1', [lane.merchantId])
    const caps = { room: 9, merchantCap: 9, endpointCap: 4 }
    const claimed = await claimDeliveries(shop.context.database, {
      lanes,
      workerId: 'wrk_one',
      now: shop.now(),
      ...caps,
    })
    const { deliveries, firstDueAt } = only(claimed.lanes)
    return { count: deliveries.length, firstDueAt }
  }
  expect(await claim(undefined)).toEqual({ count: 2, firstDueAt: earlier })
  expect(await claim(earlier)).toEqual({ count: 2, firstDueAt: earlier })
  expect(await claim(toTimestamp(shop.clock.nowMs() - 59_999))).toEqual({ count: 1, firstDueAt: shop.now() })
  expect(await claim(toTimestamp(shop.clock.nowMs() + 1))).toEqual({ count: 0, firstDueAt: null })
})

test.for([
  { state: 'disabled', change: `status = 'disabled', disabled_reason = 'manual', disabled_at = now()` },
  { state: 'failing', change: 'consecutive_failures = 1' },
  { state: 'ramped', change: 'ramp = 1' },
])('a claim for a webhook endpoint in the state $state includes deliveries that were due before the lower time limit', async ({
  change,
}) => {
  const { database } = opened()
  const { shop, lane, emitLate } = await openLateShop()
  await emitLate()
  await database.pool.query(`update webhook_deliveries set trigger = 'test' where merchant_id = $1`, [lane.merchantId])
  await database.pool.query(`update webhook_endpoints set ${change} where merchant_id = $1`, [lane.merchantId])
  const lanes = [{ ...lane, dueFrom: shop.now() }]
  const caps = { room: 9, merchantCap: 9, endpointCap: 4 }
  const claimed = await claimDeliveries(database, { lanes, workerId: 'wrk_one', now: shop.now(), ...caps })
  expect(only(claimed.lanes).deliveries).toHaveLength(1)
})

test('a webhook delivery that is committed a minute after its due time is claimed by the next full search, ten seconds after the last one', async () => {
  const { shop, receiver, lane, emitLate } = await openLateShop()
  const pump = openPump(shop.pumpContext)
  const deliver = async () => {
    pump.wake([lane])
    await pump.idle()
    return receiver.received.length
  }
  await shop.emit()
  expect(await deliver()).toBe(1)
  await emitLate()
  shop.clock.advance(9_999)
  expect(await deliver()).toBe(1)
  shop.clock.advance(1)
  expect(await deliver()).toBe(2)
  await pump.stop()
})
