import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { keepAlive, sessionOptions } from './connection-settings.ts'
import { isCut } from './end-client.ts'
import { isUnavailable } from './faults.ts'
import { openPool } from './server-client.ts'
import type { Servers } from './servers.ts'

/**
 * The connection pool of the job queue. graphile-worker 0.18 completes a job without awaiting the statement, so a
 * connection failure at that moment is an unhandled rejection and ends the process. graphile-worker retries the statement
 * for a few error codes that it treats as transient. This pool therefore reports a broken connection with such a code, and
 * waits for a connection while the server is unavailable.
 */

/** The concurrency of graphile-worker, which expects a connection per job. Connections are opened on demand. */
export const jobConnections = 10

/** A restart takes seconds, and ten connections that retry twice a second put no load on the server. */
const retryDelayMs = 500

/** Opens the pool, which has neither the timeouts of requests nor pipelining: graphile-worker supports neither. */
export function openJobPool(servers: Servers, onError: (error: Error) => void): pg.Pool {
  const pool = openPool(servers, { max: jobConnections, ...keepAlive, options: sessionOptions() })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // A connection in use reports its error here as well. Without a listener, the event would end the process.
    client.on('error', onError)
    retryJobCompletion(client)
  })
  const connect = pool.connect.bind(pool)
  const connectWithRetries = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        const client = await connect()
        if (!isCut(client)) return client
        client.release(true)
      } catch (error) {
        if (!isUnavailable(error) || pool.ending) throw error
        await wait(retryDelayMs)
      }
    }
  }
  // The listener for new jobs passes a callback, and reconnects by itself.
  const connectEither = (callback?: Parameters<typeof connect>[0]) =>
    callback === undefined ? connectWithRetries() : connect(callback)
  return Object.assign(pool, { connect: connectEither })
}

/** The names of the prepared statements with which graphile-worker completes or fails a job. */
const endOfJob = /^(complete|fail)_job/

/** cannot_connect_now, one of the codes for which graphile-worker retries a statement. */
const cannotConnectNow = '57P03'

function retryJobCompletion(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const queryEither = (...args: Parameters<typeof query>) => {
    const result: unknown = query(...args)
    const name: unknown = Reflect.get(Object(args[0]), 'name')
    if (typeof name !== 'string' || !endOfJob.test(name) || !(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      throw isUnavailable(error)
        ? Object.assign(new Error('The connection broke.'), { code: cannotConnectNow, cause: error })
        : error
    })
  }
  Object.assign(client, { query: queryEither })
}
