import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openCallbacks } from '../../support/logistics/callbacks.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions } from '../../support/logistics/shipment.ts'

/**
 * An unsigned callback that claims to come from a carrier only triggers a poll of the carrier. Its content is not
 * applied.
 */

const started = useApi({ carriers: carriersOf(testCarrier('simulator-swift')) })

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

  test('for a finished shipment, an unsigned callback triggers no check, and a repeat within half a minute is ignored', async () => {
    const { api, reference, hint, apply, read, rows } = await open({
      status: 'delivered',
      attempts: [{ state: 'completed' }],
    })
    await hint([{ reference }])
    expect(await apply()).toBe(1)
    expect((await read()).nextCheckAt).toBeNull()
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
