import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openCallbacks } from '../../support/logistics/callbacks.ts'
import { carriersOf, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions } from '../../support/logistics/shipment.ts'

/**
 * An unsigned callback that claims to come from a carrier only triggers a poll of the carrier. Its content is not
 * applied.
 */

const swift = testCarrier('simulator-swift')
const started = useApi({ carriers: carriersOf(swift) })

const open = (options: ShipmentOptions = {}) => openCallbacks(started(), options)

describe('an unsigned carrier callback', () => {
  test('an unsigned carrier callback only brings the shipment’s next check forward', async () => {
    const { api, reference, hint, apply, read, rows } = await open()
    const before = await read()
    await hint([{ reference }, { reference: 'unknown' }])
    await apply()
    expect(await read()).toEqual({ ...before, nextCheckAt: toTimestamp(api.clock.nowMs()) })
    expect(await rows()).toMatchObject([{ outcome: 'hint', isTrusted: false }])
  })

  test('for a delivered shipment, an unsigned callback triggers no check, and a repeat within half a minute is ignored', async () => {
    const { api, key, reference, hint, apply, read, rows } = await open({
      status: 'delivered',
      attempts: [{ state: 'completed' }],
    })
    await hint([{ reference }])
    expect(await apply()).toBe(1)
    expect((await read()).nextCheckAt).toBeNull()
    expect((await readShipment(api, key)).attempts).toMatchObject([{ nextCheckAt: null, monitorUntil: null }])
    await hint([{ reference }])
    expect(await apply()).toBe(0)
    api.clock.advance(30_001)
    await hint([{ reference }])
    expect(await apply()).toBe(1)
    expect(await rows()).toHaveLength(1)
  })

  test('if the processing of an unsigned carrier callback failed permanently, the callback is processed when the carrier sends it again', async () => {
    const { api, reference, hint, apply } = await open()
    await hint([{ reference }])
    const now = toTimestamp(api.clock.nowMs())
    await select(
      api,
      `update carrier_callbacks set failures = 12, error = 'x', outcome = 'failed', next_attempt_at = null, processed_at = $1
       where processed_at is null`,
      [now],
    )
    api.clock.advance(30_001)
    await hint([{ reference }])
    expect(await apply()).toBe(1)
    const failed = await select(api, 'select failures, error from carrier_callbacks where received_at > $1', [now])
    expect(failed).toEqual([{ failures: 0, error: null }])
  })
})

test('an unsigned carrier callback about an abandoned dispatch attempt triggers a lookup regardless of the attempt’s age', async () => {
  const { api, key, reference, hint, apply, read } = await open({
    status: 'failed',
    attempts: [{ state: 'abandoned', monitorUntil: toTimestamp(started().clock.nowMs()), nextCheckAt: null }],
  })
  api.clock.advance(48 * 3_600_000)
  await hint([{ reference }])
  expect(await apply()).toBe(1)
  const [attempt] = (await readShipment(api, key)).attempts
  expect(attempt).toMatchObject({ nextCheckAt: toTimestamp(api.clock.nowMs()) })
  expect(String(attempt?.monitorUntil) > toTimestamp(api.clock.nowMs())).toBe(true)
  expect((await read()).nextCheckAt).toBeNull()
})

describe('an unsigned carrier callback about a cancelled dispatch attempt', () => {
  const cancelFeeKobo = toKobo(30_000)
  const { get, cancel } = swift

  /** Creates a shipment whose order the carrier cancelled for a fee, and applies an unsigned callback about the order. */
  async function openCancelled(minutesAgo: number, options: ShipmentOptions = {}) {
    const at = toTimestamp(started().clock.nowMs() - minutesAgo * 60_000)
    const cancelled = { cancelRequestedAt: at, cancelMaxFeeKobo: cancelFeeKobo, cancelFeeKobo } as const
    const attempt = { state: 'cancelled', outcomeCode: 'cancelled', cancelFeeKobo, resolvedAt: at } as const
    const opened = await open({ status: 'cancelled', ...cancelled, attempts: [attempt], ...options })
    const { api, key, reference, hint, apply } = opened
    await hint([{ reference }])
    expect(await apply()).toBe(1)
    swift.asked.length = 0
    Object.assign(swift, { get, cancel })
    return { ...opened, attemptOf: async () => (await readShipment(api, key)).attempts[0] }
  }

  test.for<[minutesAgo: number, delayMinutes: number]>([
    [0, 5],
    [2, 3],
    [5, 0],
    [600, 0],
  ])('if the order was cancelled %i minutes ago, it is polled in %i minutes, and after that at most every five minutes', async ([
    minutesAgo,
    delayMinutes,
  ]) => {
    const { api, reference, carrierReference, hint, apply, attemptOf } = await openCancelled(minutesAgo)
    const dueAt = toTimestamp(api.clock.nowMs() + delayMinutes * 60_000)
    expect(await attemptOf()).toMatchObject({ state: 'cancelled', nextCheckAt: dueAt })
    swift.answer = { is: 'ok', value: tracking({ status: 'cancelled' }) }
    api.clock.advance(delayMinutes * 60_000)
    await checkDueShipments(api.logistics)
    expect(swift.asked.filter((asked) => asked === carrierReference)).toHaveLength(1)
    expect(await attemptOf()).toMatchObject({ state: 'cancelled', nextCheckAt: null })
    api.clock.advance(31_000)
    await hint([{ reference }])
    expect(await apply()).toBe(1)
    expect(await attemptOf()).toMatchObject({ nextCheckAt: toTimestamp(Date.parse(dueAt) + 300_000) })
  })

  test('a callback that arrives during the poll schedules another poll', async () => {
    const { api, hint, apply, reference, carrierReference, attemptOf } = await openCancelled(10)
    swift.answer = { is: 'ok', value: tracking({ status: 'cancelled' }) }
    swift.get = async (account, order, signal) => {
      // An order of an earlier test may be due at the same time. Its poll would send the callback before this poll.
      if (order.carrierReference === carrierReference) {
        await hint([{ reference }, { reference: 'another body' }])
        await apply()
      }
      return get(account, order, signal)
    }
    await checkDueShipments(api.logistics)
    expect(await attemptOf()).toMatchObject({ nextCheckAt: toTimestamp(api.clock.nowMs() + 300_000) })
  })

  test('if the order continues and is then cancelled again, the shipment has its cancellation fee once', async () => {
    const { api, read, attemptOf } = await openCancelled(10)
    swift.answer = { is: 'ok', value: tracking({ status: 'courier_assigned' }) }
    const cancelled = { is: 'cancelled', feeKobo: cancelFeeKobo, refundKobo: undefined } as const
    swift.cancel = async () => ({ is: 'ok', value: cancelled })
    await checkDueShipments(api.logistics)
    await checkDueShipments(api.logistics)
    expect(await attemptOf()).toMatchObject({ state: 'late_cancelled', cancelFeeKobo, nextCheckAt: null })
    expect(await read()).toMatchObject({ status: 'cancelled', cancelFeeKobo, exceptions: [] })
  })

  test('if the order continues and the carrier then reports it as cancelled, the shipment has its cancellation fee once', async () => {
    const { api, carrierReference, read, attemptOf } = await openCancelled(10)
    const statuses = ['picked_up', 'cancelled'] as const
    let polls = 0
    swift.get = async (_account, order) => {
      const isOther = order.carrierReference !== carrierReference
      return { is: 'ok', value: tracking({ status: isOther ? 'cancelled' : statuses[polls++] }) }
    }
    await checkDueShipments(api.logistics)
    await checkDueShipments(api.logistics)
    expect(polls).toBe(2)
    expect(await attemptOf()).toMatchObject({ state: 'late_cancelled', cancelFeeKobo, nextCheckAt: null })
    expect(await read()).toMatchObject({ status: 'cancelled', cancelFeeKobo })
  })

  test('the fee of an order that was cancelled before the shipment stays out of the fee of the shipment', async () => {
    const cancelRequestedAt = toTimestamp(started().clock.nowMs() - 60_000)
    const { api, read } = await openCancelled(10, { cancelRequestedAt, cancelFeeKobo: toKobo(50_000) })
    swift.get = async () => ({ is: 'ok', value: tracking({ status: 'picked_up' }) })
    swift.cancel = async () => ({ is: 'refused', code: 'not_cancellable', message: 'Picked up.' })
    await checkDueShipments(api.logistics)
    await checkDueShipments(api.logistics)
    expect(await read()).toMatchObject({ cancelFeeKobo: 50_000, exceptions: [{ code: 'duplicate_dispatch' }] })
  })
})
