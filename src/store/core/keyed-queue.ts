import { cappedWaitMs, onAbandoned } from '../../base/deadline.ts'

/**
 * A semaphore with a FIFO queue for each key. A fixed number of callers per key proceeds concurrently; all further
 * callers wait. Each queue is bounded in length and waiting time, and rejects a caller at once when it is full.
 */
export interface KeyedQueue {
  /**
   * Resolves with a release function when the caller may proceed. Rejects with QueueRefused when the queue is full or
   * the wait times out.
   */
  enter(key: string): Promise<Release>
  waiting(key: string): number
}

/** Releases a slot of the semaphore. A second call does nothing. */
export type Release = () => void

/**
 * The queue rejected the caller: the queue is full, or no slot became free in time. The work of the caller has not
 * started.
 */
export class QueueRefused extends Error {}

export interface QueueLimits {
  /** The maximum number of callers per key that proceed concurrently. */
  readonly atOnce: number
  /** The maximum number of waiting callers per key. */
  readonly waitingMax: number
  /** The maximum time in milliseconds that a caller waits for a slot. The deadline of the request can shorten it. */
  readonly waitMs: number
}

interface Queue {
  running: number
  /** Waiting callers in order of arrival. They are in a Set, because deleting an entry takes constant time. */
  readonly waiting: Set<() => void>
}

export function openKeyedQueue({ atOnce, waitingMax, waitMs }: QueueLimits): KeyedQueue {
  const queues = new Map<string, Queue>()

  const releaseOf = (key: string, queue: Queue): Release => {
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      const [next] = queue.waiting
      if (next !== undefined) {
        // A released slot passes directly to the next waiting caller, so a new caller cannot overtake it.
        queue.waiting.delete(next)
        next()
        return
      }
      queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }

  const enter = async (key: string): Promise<Release> => {
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
    queues.set(key, queue)
    if (queue.running < atOnce) {
      queue.running += 1
      return releaseOf(key, queue)
    }
    if (queue.waiting.size >= waitingMax) throw new QueueRefused(`${waitingMax} requests are already waiting.`)
    const limitMs = cappedWaitMs(waitMs)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let stopListening = () => {}
    const end = () => {
      clearTimeout(timer)
      stopListening()
    }
    const proceed = () => {
      end()
      resolve()
    }
    const refuse = (reason: string) => {
      if (!queue.waiting.delete(proceed)) return
      end()
      reject(new QueueRefused(reason))
    }
    const timer = setTimeout(
      () => refuse(`No slot of the queue became free within ${Math.round(limitMs)} ms.`),
      limitMs,
    )
    queue.waiting.add(proceed)
    stopListening = onAbandoned(() => refuse('The client disconnected.'))
    await promise
    return releaseOf(key, queue)
  }

  return { enter, waiting: (key) => queues.get(key)?.waiting.size ?? 0 }
}
