import { exportsMax } from '../../../registry/values/limits.ts'
import { type KeyedQueue, openKeyedQueue } from '../../store/core/keyed-queue.ts'

export interface ExportQueues {
  /** The export slots of each merchant. An export is rejected while all slots of its merchant are occupied. */
  readonly places: KeyedQueue
  /** The queue of batches. The process reads one batch at a time, so that other requests find database connections. */
  readonly batches: KeyedQueue
}

/**
 * Maximum time in milliseconds that a batch of an export waits in the queue: enough for a thousand batches of other
 * exports.
 */
export const batchWaitMs = 60_000

export function openExportQueues(): ExportQueues {
  return {
    places: openKeyedQueue({ atOnce: exportsMax, waitingMax: 0, waitMs: 0 }),
    batches: openKeyedQueue({ atOnce: 1, waitingMax: 1_000, waitMs: batchWaitMs }),
  }
}
