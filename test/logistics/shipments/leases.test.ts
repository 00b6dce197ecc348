import { beforeAll, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import { advanceAttemptCheck, advanceShipmentCheck } from '../../../src/store/logistics/shipments/tracking.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  inOrder,
  openTestShop,
  parcelTo,
  pass,
  plainPhone,
  post,
  readValidShipment,
  ridersOf,
} from '../../support/logistics/parcel-run.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * Leases of shipments: two processes never dispatch or check the same shipment at once, and no lease exceeds its
 * maximum duration.
 */

const started = useApi()

const simulate = useSimulatedCarriers(started)

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const late = { is: 'unknown', cause: 'timeout', message: 'Late.' } as const
const swiftFirst = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
const dispatch = (more: object, phone = plainPhone) => post(started(), shop, 'dispatch', parcelTo(phone, more))

test('during the first lookup of a dispatch attempt’s unknown outcome, no worker starts another lookup', async () => {
  let asked = 0
  simulate('simulator-swift', ({ create }) => ({
    create: async (...args) => {
      asked += 1
      const answer = await create(...args)
      if (asked === 1) return late
      // Advances the clock by more than the lease duration in an earlier version of the service, but by less time than
      // an order lookup may take.
      started().clock.advance(5_001)
      await checkDueShipments(started().logistics)
      return answer
    },
  }))
  const { status, body } = await dispatch(inOrder(swiftFirst))
  expect([status, attemptsOf(body), asked]).toEqual([201, [['swift', 'accepted', 'accepted']], 2])
})

test('the process that created a shipment calls the carrier before any worker', async () => {
  const waits: number[] = []
  Object.assign(started().logistics, {
    reach: async (action: string, moment: string) => {
      if (action !== 'shipment.request_carrier' || moment !== 'written') return
      const rows = await select(
        started(),
        `select next_check_at as next from shipments where merchant_id = $1 and status = 'dispatching'`,
        [shop.merchantId],
      )
      waits.push(...rows.map(({ next }) => Date.parse(next) - started().clock.nowMs()))
    },
  })
  expect((await dispatch(inOrder(swiftFirst))).status).toBe(201)
  expect(waits).toEqual([30_000])
})

test('a dispatch request calls no carrier when it has no time left for the response; a worker then calls the carrier at once', async () => {
  simulate('simulator-swift', () => ({
    create: async () => {
      started().clock.advance(24_999)
      return { is: 'refused', code: 'couriers_busy', message: 'No rider.' }
    },
  }))
  const { status, body } = await dispatch(inOrder(swiftFirst))
  expect([status, attemptsOf(body)]).toEqual([202, [['swift', 'refused', 'couriers_busy']]])
  await checkDueShipments(started().logistics)
  const found = await readValidShipment(started(), shop, body.id)
  expect(attemptsOf(found)[1]).toEqual(['steady', 'accepted', 'accepted'])
})

test('a late acceptance is not applied while the cancellation of the newer carrier order is unconfirmed', async () => {
  simulate('simulator-steady', () => ({ cancel: async () => late }))
  const { body } = await dispatch(inOrder(swiftFirst, { assignTimeoutSeconds: 3600 }), '+2348035550970')
  await pass(started(), 60)
  await pass(started(), 130, 130)
  expect((await ridersOf(started(), body.id)).toSorted()).toEqual(['steady', 'swift'])
  simulate()
  await pass(started(), 120, 10)
  // The service compares the two carrier orders of the shipment, and retains the order that has progressed further.
  const found = await readValidShipment(started(), shop, body.id)
  expect(await ridersOf(started(), body.id)).toHaveLength(1)
  const superseded = found.attempts.map((attempt: { superseded: boolean }) => attempt.superseded)
  expect(superseded.toSorted()).toEqual([false, true])
  const ids = found.attempts.map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(2)
  expect(ids.join()).toMatch(/^att_[0-9a-z]{26},att_[0-9a-z]{26}$/)
})

const absent = { is: 'ok', value: { is: 'absent' } } as const

test('a tracking update during the lookup of an abandoned dispatch attempt makes the attempt due for another lookup', async () => {
  const { body } = await dispatch(inOrder(swiftFirst), '+2348035550900')
  const { database, clock } = started()
  await pass(started(), 60)
  const lookUpTimes: number[] = []
  simulate('simulator-swift', () => ({
    find: async () => {
      const now = toTimestamp(clock.nowMs())
      const key = { merchantId: shop.merchantId, id: ShipmentId.parse(body.id), number: 1 }
      const until = toTimestamp(clock.nowMs() + 3_600_000)
      if (lookUpTimes.push(clock.nowMs()) === 1) await advanceAttemptCheck(database, key, { now, until })
      return absent
    },
  }))
  await pass(started(), 60, 60)
  expect(lookUpTimes).toEqual([clock.nowMs(), clock.nowMs()])
})

test('if a tracking update arrives during the lookup of an unknown dispatch outcome, the shipment is due for another check', async () => {
  const { database, clock } = started()
  const lookUpTimes: number[] = []
  simulate('simulator-swift', () => ({
    create: async () => late,
    find: async (_account, { request }) => {
      const id = ShipmentId.parse(request.reference.replace(/-1$/, ''))
      const now = toTimestamp(clock.nowMs())
      if (lookUpTimes.push(clock.nowMs()) === 1)
        await advanceShipmentCheck(database, { merchantId: shop.merchantId, id }, now)
      return absent
    },
  }))
  await dispatch(inOrder(swiftFirst))
  await pass(started(), 60)
  expect(lookUpTimes.length).toBeGreaterThan(1)
  expect(lookUpTimes[1]).toBe(lookUpTimes[0])
})

test('if a carrier accepted an order late and only acknowledged its cancellation, the service checks the order until the carrier confirms the cancellation', async () => {
  simulate('simulator-steady', () => ({
    cancel: async () => ({ is: 'ok', value: { is: 'requested', feeKobo: undefined, refundKobo: toKobo(0) } }),
  }))
  const { body } = await dispatch(inOrder(['simulator-steady', 'simulator-swift']), '+2348035550900')
  await pass(started(), 200)
  const requested = await readValidShipment(started(), shop, body.id)
  expect(requested).toMatchObject({
    attempts: [{ state: 'not_found_at_carrier' }, { state: 'accepted' }],
    exceptions: [],
  })
  simulate('simulator-steady', ({ get }) => ({
    get: async (...args) => {
      const response = await get(...args)
      return response.is === 'ok' ? { ...response, value: { ...response.value, status: 'cancelled' } } : response
    },
    cancel: async () => ({ is: 'refused', code: 'refused', message: 'It is cancelled already.' }),
  }))
  await pass(started(), 120)
  const ended = await readValidShipment(started(), shop, body.id)
  expect(ended).toMatchObject({ attempts: [{ state: 'late_cancelled' }, {}], exceptions: [] })
})
