import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import { postponeShipmentCheck } from '../../../src/store/logistics/shipments/shipment-checks.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import { advanceShipmentCheck } from '../../../src/store/logistics/shipments/tracking.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { untilWaiting } from '../../support/database-locks.ts'
import { carriersOf, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import { cancelShipment, openTestShop } from '../../support/logistics/parcel-run.ts'
import { readShipment, type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import type { Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * Tests when the next check of a shipment is due if another process brings this check forward while an earlier check
 * runs.
 */

const carrier = testCarrier('simulator-swift')
const { get } = carrier
const started = useApi({ carriers: carriersOf(carrier) })

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})
beforeEach(() => {
  Object.assign(carrier, { get, answer: { is: 'ok', value: tracking({ status: 'in_transit' }) } })
})

const inSeconds = (seconds: number) => toTimestamp(started().clock.nowMs() + seconds * 1000)
const store = (options: ShipmentOptions) => storeShipment(started(), shop, { nextCheckAt: inSeconds(0), ...options })
const nextCheckOf = async (key: ShipmentKey) => (await readShipment(started(), key)).shipment.nextCheckAt
const postpone = (key: ShipmentKey, seenCheckAt: Timestamp | null, nextCheckAt: Timestamp | null) =>
  postponeShipmentCheck(started().database, { ...key, seenCheckAt }, nextCheckAt)

/** Makes the carrier run a function during its first poll. */
function meanwhile(run: () => Promise<unknown>): void {
  let isFirst = true
  carrier.get = async (...args) => {
    if (isFirst) await run()
    isFirst = false
    return get(...args)
  }
}

describe('a completed check of a shipment', () => {
  test('a completed check of a shipment schedules the next check', async () => {
    const key = await store({ status: 'in_transit' })
    await checkDueShipments(started().logistics)
    expect(await nextCheckOf(key)).toBe(inSeconds(20))
  })

  test('a shipment is checked again at once if its next check was brought forward during the current check', async () => {
    const key = await store({ status: 'in_transit' })
    carrier.asked.length = 0
    meanwhile(() => advanceShipmentCheck(started().database, key, inSeconds(0)))
    await checkDueShipments(started().logistics)
    expect(carrier.asked).toHaveLength(2)
    expect(await nextCheckOf(key)).toBe(inSeconds(20))
  })

  test('a completed check does not overwrite the check time that a concurrent cancellation has set', async () => {
    carrier.answer = { is: 'ok', value: tracking({ status: 'awaiting_courier' }) }
    const key = await store({ status: 'awaiting_courier' })
    meanwhile(async () => expect((await cancelShipment(started(), shop, key.id)).status).toBe(202))
    await checkDueShipments(started().logistics)
    expect(await nextCheckOf(key)).toBe(inSeconds(15))
  })

  test('a completed check waits for a concurrent transaction that brings the next check forward, and does not overwrite the earlier check time', async () => {
    const { database, connectionString } = started()
    const key = await store({ status: 'in_transit', nextCheckAt: inSeconds(60) })
    const other = new pg.Client({ connectionString })
    await other.connect()
    try {
      await other.query('begin')
      await other.query('update shipments set next_check_at = $2 where id = $1', [key.id, inSeconds(0)])
      const postponed = postponeShipmentCheck(database, { ...key, seenCheckAt: inSeconds(60) }, inSeconds(600))
      await untilWaiting(started(), 1)
      await other.query('commit')
      await postponed
    } finally {
      await other.end()
    }
    expect(await nextCheckOf(key)).toBe(inSeconds(0))
  })
})

test('a carrier that does not respond does not delay the checks of other shipments', async () => {
  const api = started()
  const hangs = Promise.withResolvers<void>()
  carrier.get = async (...args) => {
    const [, { carrierReference }] = args
    if (carrierReference === 'HANGS') await hangs.promise
    return get(...args)
  }
  // Stores more shipments than the service checks at the same time.
  const keys = [await store({ status: 'in_transit', attempts: [{ carrierReference: 'HANGS' }] })]
  for (let count = 0; count < 60; count++) keys.push(await store({ status: 'in_transit' }))
  const ids = keys.map(({ id }) => id)
  const waiting = () =>
    select(api, 'select from shipments where id = any($1) and next_check_at <> $2', [ids, inSeconds(20)])
  const checking = checkDueShipments(api.logistics)
  await waitFor(async () => expect(await waiting()).toHaveLength(1))
  hangs.resolve()
  await checking
  expect(await waiting()).toEqual([])
})

describe('the last check of a shipment', () => {
  test('after a check, a shipment in a final status has no next check', async () => {
    const ends = async (status: ShipmentStatus) => {
      const nextCheckAt = inSeconds(60)
      const key = await store({ status, nextCheckAt, attempts: [{ state: 'completed' }] })
      await postpone(key, nextCheckAt, null)
      return (await nextCheckOf(key)) === null
    }
    expect([await ends('delivered'), await ends('lost')]).toEqual([true, true])
    expect([await ends('in_transit'), await ends('returning')]).toEqual([false, false])
  })

  test('if a shipment has no active dispatch attempt, its next check is due when the worker’s claim expires', async () => {
    const key = await store({ status: 'in_transit', attempts: [{ state: 'completed' }] })
    await checkDueShipments(started().logistics)
    expect(await nextCheckOf(key)).toBe(inSeconds(60))
  })
})
