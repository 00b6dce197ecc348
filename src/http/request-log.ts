import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { inBackground } from '../base/trace.ts'
import type { Database } from '../store/core/database.ts'
import { isNodeLost, isTransient } from '../store/core/faults.ts'
import { QueueRefused } from '../store/core/keyed-queue.ts'
import { insertRequests, type LoggedRequest } from '../store/requests/request-log.ts'

/**
 * Stores the requests of this process in the request log, in batches after their responses. No request waits for the
 * log or fails because of it.
 */
export interface RequestLog {
  /** Never throws. While the buffer is full, the request is only counted. */
  add(request: LoggedRequest): void
  /** Requests that cannot be stored now are discarded. */
  close(): Promise<void>
}

/**
 * Interval between the batches of the request log. A request is visible in the log within a second; an idle process
 * writes nothing.
 */
const intervalMs = 500

/**
 * Maximum number of requests in a batch of the request log: about 100 KB, which are inserted in a few milliseconds. A
 * full batch is stored at once.
 */
const batchMax = 500

/**
 * Maximum number of requests in the buffer of the request log. A busy process receives 10,000 requests in several
 * seconds. They take about 3 MB of memory, and at most 25 MB if each of them is rejected with ten invalid values. Only
 * the requests of the next batch have bodies, at most 16 KB each. Without these limits, an outage of the database would
 * fill the memory.
 */
const bufferMax = 10_000

/**
 * Time limit of an insert into the request log, which normally takes milliseconds. A hanging database must not occupy a
 * connection for longer.
 */
const answerMs = 5_000

export function openRequestLog(whole: Database, log: Log): RequestLog {
  const database = whole.within(answerMs)
  const work = recurringWorkOf(log)
  const buffer: LoggedRequest[] = []
  let dropped = 0
  let isClosing = false
  let running: Promise<void> | undefined
  let wake = () => {}

  /** Waits until the batch interval has passed, a batch is full, or the request log is closed. */
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, intervalMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  /**
   * Discards the requests of merchants on a database node that does not respond. Otherwise these requests would make
   * each batch fail.
   */
  const dropUnreachable = () => {
    if (database.reachability.reachable() === null) return
    const reachable = buffer.filter(({ merchantId }) => database.reachability.isReachable(merchantId))
    dropped += buffer.length - reachable.length
    buffer.splice(0, buffer.length, ...reachable)
  }
  /**
   * Stores the oldest requests of the buffer. They leave the buffer when they are stored, or when a retry is not
   * possible. Returns whether they were stored.
   */
  const storeBatch = async (isRepeated: boolean): Promise<boolean> => {
    dropUnreachable()
    const batch = buffer.slice(0, batchMax)
    try {
      await work.observe('request_log', () => insertRequests(database, batch, isRepeated))
      buffer.splice(0, batch.length)
      return true
    } catch (error) {
      if (isClosing) dropped += buffer.splice(0).length
      else if (!mayRepeat(error)) dropped += buffer.splice(0, batch.length).length
      return false
    }
  }
  const mayRepeat = (error: unknown) =>
    isTransient(error) || error instanceof QueueRefused || (database.reachability.isDistributed() && isNodeLost(error))
  /** Logs how many requests were discarded instead of stored in the request log, at most once per interval. */
  const reportDropped = () => {
    if (dropped > 0) log.warn({ requests: dropped }, 'Requests are missing from the request log.')
    dropped = 0
  }
  const run = async () => {
    let isFailing = false
    while (buffer.length > 0) {
      // After a failed insert, even a full batch waits for the next interval.
      if (!isClosing && (isFailing || buffer.length < batchMax)) await pause()
      isFailing = !(await storeBatch(isFailing))
      reportDropped()
    }
    running = undefined
  }

  return {
    add: (request) => {
      if (buffer.length >= bufferMax) {
        dropped += 1
        return
      }
      buffer.push(buffer.length < batchMax ? request : withoutBody(request))
      running ??= inBackground(run)
      if (buffer.length === batchMax) wake()
    },
    close: async () => {
      isClosing = true
      wake()
      await running
    },
  }
}

function withoutBody({ body: _, ...request }: LoggedRequest): LoggedRequest {
  return request
}
