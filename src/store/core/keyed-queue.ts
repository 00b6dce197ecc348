import { cappedWaitMs } from '../../base/deadline.ts'

/**
 * Queues in front of something scarce, one for each key. So many at once are let through; the others wait in the order in
 * which they came. A queue is bounded in length and in time, so that whoever would wait in vain is told at once.
 */
export interface KeyedQueue {
  /** Resolves when it is this caller's turn, with what ends the turn. Rejects with QueueRefused when it does not come. */
  enter(key: string): Promise<Release>
  /** How many wait for their turn at the key. */
  waiting(key: string): number
}

/** Ends a turn; a second call does nothing. */
export type Release = () => void

/** The queue is full, or the turn did not come in time. Nothing was done. */
export class QueueRefused extends Error {}

export interface QueueLimits {
  /** How many have a turn at the same time. */
  readonly atOnce: number
  /** How many wait at most. */
  readonly waitingMax: number
  /** Or less, where a deadline leaves less. */
  readonly waitMs: number
}

interface Queue {
  running: number
  /** In the order of arrival. Deleting from a Set costs the same wherever the entry is. */
  readonly waiting: Set<() => void>
}

export function openKeyedQueue({ atOnce, waitingMax, waitMs }: QueueLimits): KeyedQueue {
  const queues = new Map<string, Queue>()

  const turnOf = (key: string, queue: Queue): Release => {
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      const [next] = queue.waiting
      if (next !== undefined) {
        // The turn is handed over, so nobody who comes just now can overtake.
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
      return turnOf(key, queue)
    }
    if (queue.waiting.size >= waitingMax) throw new QueueRefused(`${waitingMax} others are waiting.`)
    const patienceMs = cappedWaitMs(waitMs)
    await new Promise<void>((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        queue.waiting.delete(proceed)
        reject(new QueueRefused(`The turn did not come within ${Math.round(patienceMs)} ms.`))
      }, patienceMs)
      queue.waiting.add(proceed)
    })
    return turnOf(key, queue)
  }

  return { enter, waiting: (key) => queues.get(key)?.waiting.size ?? 0 }
}
