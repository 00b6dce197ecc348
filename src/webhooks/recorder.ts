import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { isPassing } from '../store/core/faults.ts'
import { type RecordContext, type Recorded, type Result, recordResults } from './record-results.ts'

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
 * A database that restarts is away for seconds. As long as the lease lasts, waiting for it saves receivers a duplicate:
 * these are 15 seconds of its 30, of which a send may have taken 10. Beyond them, others wait for nothing.
 */
const patienceMs = 15_000
const pauseMs = 500

export interface LoggedContext extends RecordContext {
  readonly log: Log
}

export function openRecorder(context: LoggedContext): Recorder {
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
async function writeLot(context: LoggedContext, results: readonly Result[]): Promise<void> {
  const { log } = context
  const giveUpMs = performance.now() + patienceMs
  for (;;) {
    try {
      const { lost, disabled, suspected } = await recordApart(context, results)
      for (const { endpointId } of disabled)
        log.warn({ endpointId }, 'A webhook endpoint was disabled after six failures.')
      if (lost.length > 0) log.warn({ deliveryIds: lost }, 'Results of deliveries came after their leases.')
      if (suspected.length > 0)
        log.error({ deliveryIds: suspected }, 'Three workers died with these deliveries: they are put off for an hour.')
      return
    } catch (error) {
      if (performance.now() >= giveUpMs) {
        log.error({ err: error, results: results.length }, 'Results of deliveries were not written.')
        return
      }
      await wait(pauseMs)
    }
  }
}

/**
 * Records all but those that cannot be: one refused row must not make hundreds of receivers get theirs again, so what
 * fails is tried in halves. Throws only what may pass.
 */
export async function recordApart(context: LoggedContext, results: readonly Result[]): Promise<Recorded> {
  try {
    return await recordResults(context, results)
  } catch (error) {
    if (isPassing(error)) throw error
    if (results.length === 1) {
      const deliveryIds = results.map(({ attempt }) => attempt.deliveryId)
      context.log.error({ err: error, deliveryIds }, 'The result of a delivery was not written.')
      return { lost: [], disabled: [], suspected: [] }
    }
    const middle = Math.ceil(results.length / 2)
    const first = await recordApart(context, results.slice(0, middle))
    const second = await recordApart(context, results.slice(middle))
    return {
      lost: [...first.lost, ...second.lost],
      disabled: [...first.disabled, ...second.disabled],
      suspected: [...first.suspected, ...second.suspected],
    }
  }
}
