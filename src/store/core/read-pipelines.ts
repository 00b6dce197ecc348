import type pg from 'pg'
import { traced } from '../../base/trace.ts'
import { StatementSkipped } from './batch.ts'
import { type Channel, openChannel, statementSpan } from './channel.ts'
import { QueueRefused } from './keyed-queue.ts'
import type { ReadStatement } from './statement.ts'

/**
 * Sends short reads of concurrent requests on few connections. A read that finds a free connection is sent at once.
 * While all connections are in use, reads wait, and the next free connection sends several of them in one pipeline: one
 * write to a socket and one response for several reads.
 */
export interface ReadPipelines {
  /** Runs a short read. Rejects with QueueRefused if it is not sent within the limit, in milliseconds. */
  run<Args, Row>(statement: ReadStatement<Args, Row>, args: Args, limitMs: number): Promise<readonly Row[]>
}

export interface PipelineConnections {
  /** Checks out a connection for reads that must end at the given time, by `performance.now()`. */
  connect(untilMs: number): Promise<pg.PoolClient>
  /** Returns a connection after its reads. `error` is the first error of a read, if any. */
  release(client: pg.PoolClient, error: unknown): void
}

/**
 * Number of connections for short reads: as many as a small database server has cores. With four, a process that reads
 * orders on 8 connections sent half as many reads per write, and answered a third fewer requests.
 */
const connectionsUsual = 2

/** Maximum number of connections for short reads while some of them are slow. */
const connectionsMax = 8

/**
 * Time in milliseconds after which a connection is slow, for example because the server reads from its disk. Other reads
 * do not wait for a slow connection. A short read takes less than a millisecond.
 */
const slowMs = 10

/** Maximum number of reads in one pipeline, because all of them wait for the slowest one. */
const readsMax = 8

interface WaitingRead {
  readonly untilMs: number
  /** Sends the read. Returns its error, or undefined if it succeeded. */
  send(channel: Channel): Promise<unknown>
  reject(error: unknown): void
}

export function openReadPipelines({ connect, release }: PipelineConnections): ReadPipelines {
  const waiting: WaitingRead[] = []
  const inProgress = new Set<{ readonly sentMs: number }>()
  let isTimed = false

  const free = () => {
    if (inProgress.size >= connectionsMax) return 0
    const slowSinceMs = performance.now() - slowMs
    let quick = 0
    for (const { sentMs } of inProgress) if (sentMs > slowSinceMs) quick += 1
    return connectionsUsual - quick
  }

  const dispatch = () => {
    for (let places = free(); waiting.length > 0 && places > 0; places--) {
      const reads = waiting.splice(0, Math.min(Math.ceil(waiting.length / places), readsMax))
      const pipeline = { sentMs: performance.now() }
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

  const sendAll = async (reads: readonly WaitingRead[]): Promise<void> => {
    const nowMs = performance.now()
    const late = reads.filter(({ untilMs }) => untilMs <= nowMs)
    for (const read of late) read.reject(new QueueRefused('No database connection became free in time.'))
    const sent = reads.filter(({ untilMs }) => untilMs > nowMs)
    if (sent.length === 0) return
    try {
      const client = await connect(Math.min(...sent.map(({ untilMs }) => untilMs)))
      const channel = openChannel(client)
      const [error] = (await Promise.all(sent.map((read) => read.send(channel)))).filter((each) => each !== undefined)
      release(client, error)
    } catch (error) {
      for (const read of sent) read.reject(error)
    }
  }

  const run = <Args, Row>(statement: ReadStatement<Args, Row>, args: Args, limitMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
    const send = async (channel: Channel): Promise<unknown> => {
      try {
        resolve(await channel.send(statement, args))
        return undefined
      } catch (error) {
        // The server skips the reads after one that failed, so they are sent again.
        if (error instanceof StatementSkipped) waiting.push(read)
        else reject(error)
        return error
      }
    }
    const read: WaitingRead = { untilMs: performance.now() + limitMs, send, reject }
    // The reads of requests that were parsed in the same turn of the event loop are sent together.
    if (waiting.push(read) === 1) process.nextTick(dispatch)
    return promise
  }
  return {
    // The span of the read belongs to its own request, also if the turn of another request sends the read.
    run: (statement, args, limitMs) =>
      traced(
        () => statementSpan(statement.name),
        () => run(statement, args, limitMs),
      ),
  }
}
