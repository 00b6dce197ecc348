import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { newEndpointId, newMerchantId } from '../../../src/base/records.ts'
import { openReadyQueue } from '../../../src/webhooks/ready-queue.ts'

/** Two endpoints of one merchant, and turns of which the first has just been looked at. */
function openScene() {
  const nowMs = systemClock.nowMs()
  const merchantId = newMerchantId(nowMs)
  const slow = { merchantId, endpointId: newEndpointId(nowMs) }
  const quick = { merchantId, endpointId: newEndpointId(nowMs) }
  const turns = openReadyQueue()
  turns.add(slow)
  expect(turns.take(9)).toEqual([slow])
  return { slow, quick, turns }
}

test('an endpoint at its own cap is not looked at when its neighbour has sent something', () => {
  const { slow, quick, turns } = openScene()
  turns.park(slow, 'endpoint')
  turns.sendEnded(quick)
  expect(turns.queuedCount()).toBe(0)
  expect(turns.isEmpty()).toBe(false)
  turns.sendEnded(slow)
  expect(turns.take(9)).toEqual([slow])
  expect(turns.isEmpty()).toBe(true)
})

test('an endpoint that its merchant has no room for is looked at when any of his has sent something', () => {
  const { slow, quick, turns } = openScene()
  turns.park(slow, 'merchant')
  turns.sendEnded(quick)
  expect(turns.take(9)).toEqual([slow])
})

test('an endpoint is looked at again when what it has to wait for ended while it was looked at', () => {
  const { slow, quick, turns } = openScene()
  turns.sendEnded(slow)
  turns.park(slow, 'endpoint')
  expect(turns.take(9)).toEqual([slow])
  turns.sendEnded(quick)
  turns.park(slow, 'endpoint')
  expect(turns.queuedCount()).toBe(0)
})

test('an endpoint is stranded when nothing of its own is under way, whatever its neighbours do', () => {
  const { slow, turns } = openScene()
  turns.park(slow, 'endpoint')
  expect(turns.takeStranded((_, ending) => ending === 'endpoint')).toEqual([])
  expect(turns.takeStranded((_, ending) => ending === 'merchant')).toEqual([slow])
  expect(turns.isEmpty()).toBe(true)
})
