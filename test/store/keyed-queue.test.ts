import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { withinBounds } from '../../src/base/deadline.ts'
import { openKeyedQueue, QueueRefused } from '../../src/store/core/keyed-queue.ts'

const limits = { atOnce: 1, waitingMax: 3, waitMs: 60_000 }

/** Resolves after all pending callbacks of the event loop have run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('a keyed queue', () => {
  test('a keyed queue admits callers one after another in the order of their arrival', async () => {
    const queue = openKeyedQueue(limits)
    const admitted: number[] = []
    const first = await queue.enter('a')
    const others = [1, 2, 3].map(async (number) => {
      const leave = await queue.enter('a')
      admitted.push(number)
      return leave
    })
    expect(queue.waiting('a')).toBe(3)
    let leave = first
    for (const [index, other] of others.entries()) {
      expect(admitted).toHaveLength(index)
      leave()
      leave = await other
    }
    expect(admitted).toEqual([1, 2, 3])
    expect(queue.waiting('a')).toBe(0)
  })

  test('a keyed queue admits as many callers of a key at once as configured, and has a separate queue for each key', async () => {
    const queue = openKeyedQueue({ ...limits, atOnce: 2 })
    await queue.enter('a')
    await queue.enter('a')
    const third = queue.enter('a')
    await queue.enter('b')
    await settle()
    expect({ a: queue.waiting('a'), b: queue.waiting('b') }).toEqual({ a: 1, b: 0 })
    third.catch(() => undefined)
  })

  test('when a caller leaves a keyed queue, a caller that already waits is admitted before a caller that arrives at that moment', async () => {
    const queue = openKeyedQueue(limits)
    const admitted: string[] = []
    const first = await queue.enter('a')
    const second = queue.enter('a').then(() => admitted.push('second'))
    first()
    const third = queue.enter('a').then((leave) => {
      admitted.push('third')
      leave()
    })
    await second
    await settle()
    expect(admitted).toEqual(['second'])
    expect(queue.waiting('a')).toBe(1)
    third.catch(() => undefined)
  })

  test('a request that waits in several keyed queues one after another waits in total at most as long as its limit allows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const queue = openKeyedQueue(limits)
    const endFirst = await queue.enter('first')
    await queue.enter('second')
    const request = withinBounds({ queuedMs: 4_000, totalMs: 9_000, onDisconnect: () => () => {} }, async () => {
      await queue.enter('first')
      await queue.enter('second')
    })
    const refused = expect(request).rejects.toThrow(
      new QueueRefused('No slot of the queue became free within 1000 ms.'),
    )
    await vi.advanceTimersByTimeAsync(3_000)
    endFirst()
    await vi.advanceTimersByTimeAsync(1_000)
    await refused
  })

  test('a keyed queue that is full rejects a new caller at once', async () => {
    const queue = openKeyedQueue(limits)
    await queue.enter('a')
    for (let count = 0; count < limits.waitingMax; count++) queue.enter('a').catch(() => undefined)
    await expect(queue.enter('a')).rejects.toThrow(QueueRefused)
    await expect(queue.enter('b')).resolves.toBeTypeOf('function')
  })

  test('a keyed queue rejects and removes a caller that has waited too long', async () => {
    const queue = openKeyedQueue({ ...limits, waitMs: 1 })
    const leave = await queue.enter('a')
    await expect(queue.enter('a')).rejects.toThrow(QueueRefused)
    expect(queue.waiting('a')).toBe(0)
    leave()
    await expect(queue.enter('a')).resolves.toBeTypeOf('function')
  })

  test('a caller that leaves a keyed queue twice frees only one slot', async () => {
    const queue = openKeyedQueue(limits)
    const leave = await queue.enter('a')
    const second = queue.enter('a')
    const third = queue.enter('a')
    leave()
    leave()
    await second
    await settle()
    expect(queue.waiting('a')).toBe(1)
    third.catch(() => undefined)
  })
})
