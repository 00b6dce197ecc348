import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { newEndpointId, newMerchantId } from '../../../src/base/records.ts'
import { openReadyQueue } from '../../../src/webhooks/ready-queue.ts'

/** Two endpoints of one merchant in a ready queue from which the first was just taken. */
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

test('does not queue an endpoint at its own cap when a send to another endpoint ends', () => {
  const { slow, quick, turns } = openScene()
  turns.park(slow, 'endpoint')
  turns.sendEnded(quick)
  expect(turns.queuedCount()).toBe(0)
  expect(turns.isEmpty()).toBe(false)
  turns.sendEnded(slow)
  expect(turns.take(9)).toEqual([slow])
  expect(turns.isEmpty()).toBe(true)
})

test('queues an endpoint at its merchant’s cap when any send of the merchant ends', () => {
  const { slow, quick, turns } = openScene()
  turns.park(slow, 'merchant')
  turns.sendEnded(quick)
  expect(turns.take(9)).toEqual([slow])
})

test('queues an endpoint again when a matching send ended since it was taken', () => {
  const { slow, quick, turns } = openScene()
  turns.sendEnded(slow)
  turns.park(slow, 'endpoint')
  expect(turns.take(9)).toEqual([slow])
  turns.sendEnded(quick)
  turns.park(slow, 'endpoint')
  expect(turns.queuedCount()).toBe(0)
})

test('reports an endpoint as stranded when none of its own sends is in flight', () => {
  const { slow, turns } = openScene()
  turns.park(slow, 'endpoint')
  expect(turns.takeStranded((_, ending) => ending === 'endpoint')).toEqual([])
  expect(turns.takeStranded((_, ending) => ending === 'merchant')).toEqual([slow])
  expect(turns.isEmpty()).toBe(true)
})
