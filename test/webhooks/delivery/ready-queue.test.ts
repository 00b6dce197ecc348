import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { newEndpointId, newMerchantId } from '../../../src/base/records.ts'
import { openReadyQueue } from '../../../src/webhooks/ready-queue.ts'

/**
 * Opens a ready queue (endpoints with due deliveries) with two endpoints of one merchant. A worker has just taken the
 * first endpoint.
 */
function openQueue() {
  const nowMs = systemClock.nowMs()
  const merchantId = newMerchantId(nowMs)
  const slow = { merchantId, endpointId: newEndpointId(nowMs) }
  const quick = { merchantId, endpointId: newEndpointId(nowMs) }
  const queue = openReadyQueue()
  queue.add(slow)
  expect(queue.take(9)).toEqual([slow])
  return { slow, quick, queue }
}

test('an endpoint at its own concurrency limit returns to the ready queue only when a delivery to this endpoint ends, not when a delivery to another endpoint ends', () => {
  const { slow, quick, queue } = openQueue()
  queue.park(slow, 'endpoint')
  queue.sendEnded(quick)
  expect(queue.queuedCount()).toBe(0)
  expect(queue.isEmpty()).toBe(false)
  queue.sendEnded(slow)
  expect(queue.take(9)).toEqual([slow])
  expect(queue.isEmpty()).toBe(true)
})

test('an endpoint that waits because of its merchant’s concurrency limit returns to the ready queue when any delivery of the merchant ends', () => {
  const { slow, quick, queue } = openQueue()
  queue.park(slow, 'merchant')
  queue.sendEnded(quick)
  expect(queue.take(9)).toEqual([slow])
})

test('an endpoint returns to the ready queue at once only if one of its own deliveries has ended since the endpoint was taken from the queue', () => {
  const { slow, quick, queue } = openQueue()
  queue.sendEnded(slow)
  queue.park(slow, 'endpoint')
  expect(queue.take(9)).toEqual([slow])
  queue.sendEnded(quick)
  queue.park(slow, 'endpoint')
  expect(queue.queuedCount()).toBe(0)
})

test('takeStranded() returns an endpoint that waits at a concurrency limit if no delivery in flight will queue the endpoint again', () => {
  const { slow, queue } = openQueue()
  queue.park(slow, 'endpoint')
  expect(queue.takeStranded((_, ending) => ending === 'endpoint')).toEqual([])
  expect(queue.takeStranded((_, ending) => ending === 'merchant')).toEqual([slow])
  expect(queue.isEmpty()).toBe(true)
})
