import { ResponseTimeout, StatementSkipped } from './batch.ts'
import { type Channel, type Connection, openChannel } from './channel.ts'
import { isCancelled, isUnusableAfter } from './faults.ts'
import { QueueRefused } from './keyed-queue.ts'
import type { Statement } from './statement.ts'

/**
 * Sends short reads of concurrent requests on few connections. If a connection is free, a read is sent at once. While
 * all connections are in use, reads wait. The next free connection then sends several waiting reads in one pipeline:
 * one write to a socket and one response for all of them.
 */
export interface ReadPipelines {
  /** Rejects with QueueRefused if too many reads wait, or if the read has waited for too long. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args, limits: ReadLimits): Promise<readonly Row[]>
}

export interface ReadLimits {
  /** Maximum time in milliseconds that a read waits for a connection. */
  readonly waitMs: number
  /** Maximum time of the read in milliseconds, including the wait for a connection. */
  readonly totalMs: number
}

/**
 * Checks out a connection. `answerMs` is called at the checkout, and returns the maximum time in milliseconds of each
 * response on the connection.
 */
export type CheckOut = (limits: { readonly waitMs: number; readonly answerMs: () => number }) => Promise<Connection>

/**
 * Number of connections for short reads: as many as a small database server has cores. In a benchmark, 8 clients read
 * orders. With four connections instead of two, each write to a socket contained only half as many reads, and the
 * process answered a third fewer requests.
 */
const connectionsUsual = 2

/**
 * Maximum number of connections for short reads. The pool uses this many only while some of the connections are slow.
 */
const connectionsMax = 8

/**
 * Time in milliseconds after which a connection is treated as slow, for example because the server reads from its disk.
 * Other reads do not wait for a slow connection. A short read takes less than a millisecond.
 */
const slowMs = 10

/**
 * Maximum number of reads in one pipeline. The number is low, because all reads of a pipeline wait for the slowest one.
 */
const readsMax = 8

/**
 * Maximum number of reads that wait for a connection. A busy machine completes about 1,000 reads within the time that a
 * read may wait for a connection.
 */
const waitingMax = 1_000

interface WaitingRead {
  /** The latest time, by `performance.now()`, until which the read may wait for a connection. */
  readonly waitsUntilMs: number
  readonly endsAtMs: number
  /**
   * Sends the read on the given channel, as a part of a pipeline that must end by the given time. Returns the error of
   * the read, or undefined if the read succeeded.
   */
  send(channel: Channel, pipelineEndsAtMs: number): Promise<unknown>
  reject(error: unknown): void
}

export function openReadPipelines(checkOut: CheckOut): ReadPipelines {
  const waiting: WaitingRead[] = []
  const inProgress = new Set<{ readonly sentMs: number }>()
  let isTimed = false

  /**
   * Rejects the reads that have waited for a connection for too long. While reads wait, this function is called at
   * least every 10 ms.
   */
  const rejectLate = () => {
    const nowMs = performance.now()
    const late = waiting.filter(({ waitsUntilMs }) => waitsUntilMs <= nowMs)
    if (late.length === 0) return
    waiting.splice(0, waiting.length, ...waiting.filter(({ waitsUntilMs }) => waitsUntilMs > nowMs))
    for (const read of late) read.reject(new QueueRefused('No database connection became free in time.'))
  }

  const dispatch = () => {
    rejectLate()
    const nowMs = performance.now()
    let quick = 0
    for (const { sentMs } of inProgress) if (sentMs > nowMs - slowMs) quick += 1
    let places = Math.min(connectionsUsual - quick, connectionsMax - inProgress.size)
    for (; waiting.length > 0 && places > 0; places--) {
      const reads = waiting.splice(0, Math.min(Math.ceil(waiting.length / places), readsMax))
      const pipeline = { sentMs: nowMs }
      inProgress.add(pipeline)
      void sendAll(reads).finally(() => {
        inProgress.delete(pipeline)
        dispatch()
      })
    }
    if (waiting.length === 0 || isTimed) return
    isTimed = true
    setTimeout(() => {
      isTimed = false
      dispatch()
    }, slowMs)
  }

  const sendAll = async (sent: readonly WaitingRead[]): Promise<void> => {
    const nowMs = performance.now()
    const endsAtMs = Math.min(...sent.map((read) => read.endsAtMs))
    try {
      const waitsUntilMs = Math.min(...sent.map((read) => read.waitsUntilMs))
      const answerMs = () => endsAtMs - performance.now()
      const connection = await checkOut({ waitMs: waitsUntilMs - nowMs, answerMs })
      const channel = openChannel(() => connection)
      const errors = await Promise.all(sent.map((read) => read.send(channel, endsAtMs)))
      const error = errors.find((each) => each !== undefined)
      connection.release(error !== undefined && isUnusableAfter(error))
    } catch (error) {
      // All reads of a pipeline wait for the same connection. When one of the reads reaches its time limit, all reads
      // are queued again, so that the reads with time left continue to wait.
      if (error instanceof QueueRefused && performance.now() - nowMs > slowMs) waiting.unshift(...sent)
      else for (const read of sent) read.reject(error)
    }
  }

  const run = <Args, Row>(
    statement: Statement<Args, Row>,
    args: Args,
    { waitMs, totalMs }: ReadLimits,
  ): Promise<readonly Row[]> => {
    if (waiting.length >= waitingMax)
      return Promise.reject(new QueueRefused(`${waitingMax} reads are already waiting for a connection.`))
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
    const nowMs = performance.now()
    const endsAtMs = nowMs + totalMs
    const send = async (channel: Channel, pipelineEndsAtMs: number): Promise<unknown> => {
      try {
        resolve(await channel.send(statement, args))
        return undefined
      } catch (error) {
        // After a failed read, the server skips the other reads of the pipeline, which are then sent again. If the
        // earliest time limit of the reads has passed, the server cancels the current read, or the connection is closed
        // because the server does not respond. In both cases, the current read is also sent again if its own time limit
        // has not passed.
        const isOutOfTime = isCancelled(error) || error instanceof ResponseTimeout
        const hasTimeLeft = endsAtMs > pipelineEndsAtMs && performance.now() < read.waitsUntilMs
        if (error instanceof StatementSkipped || (isOutOfTime && hasTimeLeft)) waiting.unshift(read)
        else reject(error)
        return error
      }
    }
    const read: WaitingRead = { waitsUntilMs: nowMs + waitMs, endsAtMs, send, reject }
    // The reads of requests that were parsed in the same turn of the event loop are sent together.
    if (waiting.push(read) === 1) process.nextTick(dispatch)
    return promise
  }
  return { run }
}
