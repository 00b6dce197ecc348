import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { isUnavailable } from '../store/faults.ts'
import { type RecordContext, type Result, recordResults } from './record-results.ts'

/**
 * Results of attempts on their way into the database, together: while one lot is being written the next gathers, so
 * that a commit is shared by however many attempts end meanwhile.
 */
export interface Recorder {
  /** Settles when the result is written, or cannot be: the lease then runs out and the delivery is sent again. */
  record(result: Result): Promise<void>
}

/** Bounds a statement, not the work: what is left goes with the next one. */
const resultsPerLot = 500

/**
 * A database that restarts is away for seconds. As long as the lease lasts, waiting for it saves receivers a duplicate;
 * these tries span 15 seconds of its 30, of which a send may have taken 10.
 */
const tries = 30
const pauseMs = 500

export function openRecorder(context: RecordContext & { readonly log: Log }): Recorder {
  let waiting: { readonly result: Result; readonly done: () => void }[] = []
  let isWriting = false

  const write = async () => {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const lot = waiting.slice(0, resultsPerLot)
      waiting = waiting.slice(resultsPerLot)
      await writeLot(
        context,
        lot.map(({ result }) => result),
      )
      for (const { done } of lot) done()
    }
    isWriting = false
  }

  return {
    record: (result) =>
      new Promise((done) => {
        waiting.push({ result, done })
        // Everything that ends in this turn of the event loop goes together.
        setImmediate(write)
      }),
  }
}

/** Never throws. */
async function writeLot(context: RecordContext & { readonly log: Log }, results: readonly Result[]): Promise<void> {
  const { log } = context
  for (let attempt = 1; ; attempt++) {
    try {
      const { lost, disabled, suspected } = await recordResults(context, results)
      for (const { endpointId } of disabled)
        log.warn({ endpointId }, 'A webhook endpoint was disabled after six failures.')
      if (lost.length > 0) log.warn({ deliveryIds: lost }, 'Results of deliveries came after their leases.')
      if (suspected.length > 0)
        log.error({ deliveryIds: suspected }, 'Deliveries were held: three workers died with them.')
      return
    } catch (error) {
      if (attempt >= tries || !isUnavailable(error)) {
        log.error({ err: error, results: results.length }, 'Results of deliveries were not written.')
        return
      }
      await wait(pauseMs)
    }
  }
}
