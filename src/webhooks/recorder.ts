import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { inBackground } from '../base/trace.ts'
import { isNodeLost, isTransient } from '../store/core/faults.ts'
import { type RecordContext, type Recorded, type Result, recordResults } from './record-results.ts'

/**
 * Batches the results of attempts: while one batch is written, the next one fills, so that concurrent attempts share a
 * commit. On a distributed database, each node has batches of its own, so that a lost node delays no results of the
 * merchants on other nodes. Each merchant in test mode has batches of its own, because its results wait for the steps
 * of its test clock. A step lasts seconds if the merchant has many records.
 */
export interface Recorder {
  /**
   * Resolves when the result of the attempt is written or cannot be written. If the result cannot be written, the lease
   * of the delivery expires and the delivery is sent again.
   */
  record(result: Result): Promise<void>
}

/**
 * Maximum number of attempt results per batch. It limits the size of a statement. The remaining results go into the
 * next batch.
 */
const resultsPerBatch = 500

/**
 * Time in milliseconds for which the write of a batch is retried. A restarting database is unavailable for seconds. If
 * a result is written before its lease ends, the receiver gets no duplicate. The lease lasts 30 seconds. A send may
 * take 10 seconds and the margin is 5 seconds, so 15 seconds remain. A longer wait is useless and delays other results.
 */
const retryForMs = 15_000
const retryDelayMs = 500

export interface LoggedContext extends RecordContext {
  readonly log: Log
}

export function openRecorder(context: LoggedContext): Recorder {
  const recorders = new Map<string | undefined, Recorder>()
  return {
    record: (result) => {
      const { merchantId } = result.attempt
      const key = result.mode === 'test' ? merchantId : context.database.reachability.nodeOf(merchantId)
      const recorder = recorders.get(key) ?? openBatches(context, () => recorders.delete(key))
      recorders.set(key, recorder)
      return recorder.record(result)
    },
  }
}

/** Returns a recorder that writes one batch after another. Calls `ended` when all results are written. */
function openBatches(context: LoggedContext, ended: () => void): Recorder {
  let waiting: { readonly result: Result; readonly done: () => void }[] = []
  /** Whether a batch of delivery results is being written, or its writing is scheduled. */
  let isWriting = false

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, resultsPerBatch)
      waiting = waiting.slice(resultsPerBatch)
      await writeBatch(
        context,
        batch.map(({ result }) => result),
      )
      for (const { done } of batch) done()
    }
    isWriting = false
    ended()
  }

  return {
    record: (result) =>
      new Promise((done) => {
        waiting.push({ result, done })
        if (isWriting) return
        isWriting = true
        // All attempt results that arrive in this iteration of the event loop go into one batch.
        inBackground(() => setImmediate(write))
      }),
  }
}

/** Writes a batch of attempt results and retries while the database is unavailable. Never throws. */
async function writeBatch(context: LoggedContext, results: readonly Result[]): Promise<void> {
  const { log } = context
  const work = recurringWorkOf(log)
  const giveUpMs = performance.now() + retryForMs
  const { isReachable } = context.database.reachability
  for (;;) {
    // All results of a batch are on one database node. The loop waits for this node.
    while (!results.every(({ attempt }) => isReachable(attempt.merchantId)) && performance.now() < giveUpMs)
      await wait(retryDelayMs)
    try {
      const { lost, disabled, suspected } = await work.observe('delivery_results', () =>
        recordOrSplit(context, results),
      )
      for (const { merchantId, endpointId } of disabled)
        log.warn({ merchantId, endpointId }, 'A webhook endpoint was disabled after six failures.')
      if (lost.length > 0) log.warn({ deliveryIds: lost }, 'Delivery results arrived after their leases had expired.')
      if (suspected.length > 0)
        log.error(
          { deliveryIds: suspected },
          'Three workers died while sending the same deliveries, which are postponed for an hour.',
        )
      return
    } catch (error) {
      if (performance.now() >= giveUpMs) {
        log.error({ err: error, results: results.length }, 'Delivery results could not be written.')
        return
      }
      await wait(retryDelayMs)
    }
  }
}

/**
 * Records results and isolates rows that the database rejects: a failing batch is split in halves, so that one bad row
 * does not cause duplicate deliveries to hundreds of receivers. Throws only transient errors.
 */
export async function recordOrSplit(context: LoggedContext, results: readonly Result[]): Promise<Recorded> {
  try {
    return await recordResults(context, results)
  } catch (error) {
    const isOfLostNode = context.database.reachability.isDistributed() && isNodeLost(error)
    if (isTransient(error) || isOfLostNode) throw error
    const [only, ...others] = results
    if (only !== undefined && others.length === 0) {
      const { merchantId, endpointId, deliveryId } = only.attempt
      context.log.error({ err: error, merchantId, endpointId, deliveryId }, 'A delivery result could not be written.')
      return { lost: [], disabled: [], suspected: [] }
    }
    const middle = Math.ceil(results.length / 2)
    const first = await recordOrSplit(context, results.slice(0, middle))
    const second = await recordOrSplit(context, results.slice(middle))
    return {
      lost: [...first.lost, ...second.lost],
      disabled: [...first.disabled, ...second.disabled],
      suspected: [...first.suspected, ...second.suspected],
    }
  }
}
