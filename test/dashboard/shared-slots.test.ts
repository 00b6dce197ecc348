import { expect, test } from 'vitest'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { newId } from '../../src/base/ids.ts'
import { openSharedSlots } from '../../src/dashboard/kit/shared-slots.ts'
import { QueueRefused } from '../../src/store/core/keyed-queue.ts'

const newMerchant = () => MerchantId.parse(newId('mer', Date.now()))
const withoutWaiting = { waitingMax: 0, waitMs: 0 }

test('each task of a merchant occupies one slot of the merchant and one slot of the process until the task succeeds or fails', async () => {
  const inSlot = openSharedSlots({
    ofMerchant: { atOnce: 1, ...withoutWaiting },
    ofProcess: { atOnce: 2, ...withoutWaiting },
  })
  const [first, second, third] = [newMerchant(), newMerchant(), newMerchant()]
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const running = inSlot(first, () => release)
  await expect(inSlot(first, async () => 'more')).rejects.toBeInstanceOf(QueueRefused)
  const other = inSlot(second, () => release)
  await expect(inSlot(third, async () => 'too many')).rejects.toBeInstanceOf(QueueRefused)
  resolve()
  await Promise.all([running, other])
  await expect(inSlot(first, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await inSlot(first, async () => 'next')).toBe('next')
  expect(await inSlot(third, async () => 'next')).toBe('next')
})

test('while a task waits for a slot of its merchant, a task of another merchant can wait in the queue of the process', async () => {
  const inSlot = openSharedSlots({
    ofMerchant: { atOnce: 1, waitingMax: 1, waitMs: 60_000 },
    ofProcess: { atOnce: 1, waitingMax: 1, waitMs: 60_000 },
  })
  const [first, second] = [newMerchant(), newMerchant()]
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const done: string[] = []
  const run = (name: string) => async () => {
    await release
    done.push(name)
  }
  const all = [inSlot(first, run('first')), inSlot(first, run('first again')), inSlot(second, run('second'))]
  resolve()
  await Promise.all(all)
  expect(done.toSorted()).toEqual(['first', 'first again', 'second'])
})
