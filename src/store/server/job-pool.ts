import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { RecurringWork } from '../../base/recurring-work.ts'
import { keepAlive, sessionOptions } from '../core/connection-settings.ts'
import { isCut } from '../core/end-client.ts'
import { isPrivilegeMissing, isUnavailable } from '../core/faults.ts'
import { openPool } from '../core/server-client.ts'
import type { Servers } from '../core/servers.ts'

/**
 * The connection pool of the job queue. If a statement that completes a job or marks it as failed cannot be executed,
 * the pool gives the error a code for which graphile-worker retries the statement. Without such a code, the process
 * would end: graphile-worker 0.18 does not await the statement that completes a job, so its failure is an unhandled
 * rejection. While the server is unavailable, connect() retries. Once the pool has ended, connect() never resolves: a
 * job that still runs after its worker has stopped ends only when the process ends. If the role lacks the privilege for
 * a statement, the pool repeats the statement until the role has the privilege. Otherwise, graphile-worker would store
 * the error for ever, because it stores the first result of some statements.
 */

/**
 * Number of connections, equal to the concurrency of graphile-worker, which expects a connection per job. Connections
 * are opened on demand.
 */
export const jobConnections = 10

/**
 * Delay between attempts of the job queue to connect to the database. A restart of the server takes seconds, and ten
 * connections that retry twice a second put no load on it.
 */
const retryDelayMs = 500

/**
 * Delay before a statement of the job queue is retried because the database role lacked a privilege. The delay is
 * longer than for other failures, because an operator must grant the privilege manually.
 */
const privilegeDelayMs = 3_000

interface JobPoolOptions {
  /** Records the failures of the job queue's statements, each under its statement's name. */
  readonly work: Pick<RecurringWork, 'failed' | 'succeeded'>
  /** Called each time a connection of the job queue breaks. */
  readonly onError: (error: Error) => void
}

/** The connections have no request timeouts and no pipelining, because graphile-worker supports neither. */
export function openJobPool(servers: Servers, { work, onError }: JobPoolOptions): pg.Pool {
  const pool = openPool(servers, { max: jobConnections, ...keepAlive, options: sessionOptions() })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // The pool's error listener gets only the errors of idle connections. A connection in use needs a listener of its
    // own, because an error event without a listener would end the process.
    client.on('error', onError)
    repeatStatements(client, { work, isEnding: () => pool.ending })
  })
  const connect = pool.connect.bind(pool)
  const connectWithRetries = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        const client = await connect()
        if (isCut(client)) {
          client.release(true)
          continue
        }
        work.succeeded('job_queue.connect')
        return client
      } catch (error) {
        if (pool.ending) return new Promise<never>(() => undefined)
        if (!isUnavailable(error)) throw error
        work.failed('job_queue.connect', error)
        await wait(retryDelayMs)
      }
    }
  }
  // graphile-worker's listener for new jobs passes a callback to connect(). Its failed connection attempts are not
  // retried here, because the listener itself reconnects.
  const connectEither = (callback?: Parameters<typeof connect>[0]) =>
    callback === undefined ? connectWithRetries() : connect(callback)
  // Only graphile-worker's cron calls query(). This function replaces pg's own query(), which would not wait while the
  // database server is unavailable.
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const client = await connectWithRetries()
    try {
      return await client.query(statement, values)
    } finally {
      client.release()
    }
  }
  return Object.assign(pool, { connect: connectEither, query })
}

/** Matches the names of graphile-worker's prepared statements that complete or fail a job, by their beginning. */
const endOfJob = /^(complete|fail)_job/

/** Code of the error cannot_connect_now, one of the codes for which graphile-worker retries a statement. */
const cannotConnectNow = '57P03'

interface Repetition extends Pick<JobPoolOptions, 'work'> {
  readonly isEnding: () => boolean
}

function repeatStatements(client: pg.PoolClient, { work, isEnding }: Repetition): void {
  const query = client.query.bind(client)
  const repeated = async (args: Parameters<typeof query>, first: Promise<unknown>): Promise<unknown> => {
    const statement = statementNameOf(args[0])
    for (let result = first; ; result = Promise.resolve<unknown>(query(...args))) {
      try {
        const rows = await result
        work.succeeded(`job_queue.${statement}`)
        return rows
      } catch (error) {
        // A broken connection does not stop the job queue, which retries with another connection.
        if (!isUnavailable(error)) work.failed(`job_queue.${statement}`, error)
        if (!isPrivilegeMissing(error) || isEnding()) throw endOfJob.test(statement) ? retryable(error) : error
        await wait(privilegeDelayMs, undefined, { ref: false })
      }
    }
  }
  const queryEither = (...args: Parameters<typeof query>) => {
    const result: unknown = query(...args)
    // query() also accepts a callback, because graphile-worker's listener passes one.
    return result instanceof Promise ? repeated(args, result) : result
  }
  Object.assign(client, { query: queryEither })
}

/** Returns the name of a prepared statement without its schema, such as `get_job`; `statement` for one without a name. */
function statementNameOf(statement: unknown): string {
  const name: unknown = Reflect.get(Object(statement), 'name')
  const [own = 'statement'] = typeof name === 'string' ? name.split('/', 1) : []
  return own
}

function retryable(error: unknown): Error {
  return Object.assign(new Error('The result of the job could not be stored.'), {
    code: cannotConnectNow,
    cause: error,
  })
}
