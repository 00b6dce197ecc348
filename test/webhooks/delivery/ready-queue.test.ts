import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { newEndpointId, newMerchantId } from '../../../src/base/records.ts'
import { openReadyQueue } from '../../../src/webhooks/ready-queue.ts'

/** Two endpoints of one merchant in a ready queue from which the first was just taken. */
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

test('does not queue an endpoint at its own cap when a send to another endpoint ends', () => {
  const { slow, quick, queue } = openQueue()
  queue.park(slow, 'endpoint')
  queue.sendEnded(quick)
  expect(queue.queuedCount()).toBe(0)
  expect(queue.isEmpty()).toBe(false)
  queue.sendEnded(slow)
  expect(queue.take(9)).toEqual([slow])
  expect(queue.isEmpty()).toBe(true)
})

test('queues an endpoint at its merchant’s cap when any send of the merchant ends', () => {
  const { slow, quick, queue } = openQueue()
  queue.park(slow, 'merchant')
  queue.sendEnded(quick)
  expect(queue.take(9)).toEqual([slow])
})

test('queues an endpoint again when a matching send ended since it was taken', () => {
  const { slow, quick, queue } = openQueue()
  queue.sendEnded(slow)
  queue.park(slow, 'endpoint')
  expect(queue.take(9)).toEqual([slow])
  queue.sendEnded(quick)
  queue.park(slow, 'endpoint')
  expect(queue.queuedCount()).toBe(0)
})

test('reports an endpoint as stranded when none of its own sends is in flight', () => {
  const { slow, queue } = openQueue()
  queue.park(slow, 'endpoint')
  expect(queue.takeStranded((_, ending) => ending === 'endpoint')).toEqual([])
  expect(queue.takeStranded((_, ending) => ending === 'merchant')).toEqual([slow])
  expect(queue.isEmpty()).toBe(true)
})
