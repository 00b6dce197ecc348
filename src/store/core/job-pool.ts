import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { keepAlive, sessionOptions } from './connection-settings.ts'
import { isUnavailable } from './faults.ts'

/**
 * The job queue's connections. graphile-worker 0.18 notes a job as done without waiting for it, so that a database which
 * is away at that moment would reject a promise nobody holds and end the process. It repeats the statement for the few
 * errors it takes for passing ones; here a connection that breaks becomes one of those, and one that cannot be had is
 * waited for.
 */

/** As many as jobs run at once, which is what graphile-worker expects; they are opened as they are needed. */
const jobConnections = 10

/** A server that restarts is away for seconds, and ten connections that ask twice a second do not keep it busy. */
const pauseMs = 500

/** A pool of its own, without the time limits of requests and without pipelining, which graphile-worker does not know. */
export function openJobPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: jobConnections, ...keepAlive, options: sessionOptions() })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // A connection that breaks while it is lent out reports here too, and must not end the process.
    client.on('error', onError)
    repeatEndsOfJobs(client)
  })
  const connect = pool.connect.bind(pool)
  const connectPatiently = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return await connect()
      } catch (error) {
        if (!isUnavailable(error) || pool.ending) throw error
        await wait(pauseMs)
      }
    }
  }
  // With a callback it is the listener for new jobs, which comes back by itself.
  const connectEither = (told?: Parameters<typeof connect>[0]) =>
    told === undefined ? connectPatiently() : connect(told)
  return Object.assign(pool, { connect: connectEither })
}

/** The statements by which graphile-worker notes how a job ended, by the names it prepares them under. */
const endOfJob = /^(complete|fail)_job/

/** Of the codes graphile-worker repeats a statement for, the one that is true. */
const cannotConnectNow = '57P03'

function repeatEndsOfJobs(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const queryEither = (...args: Parameters<typeof query>) => {
    const answer: unknown = query(...args)
    const name: unknown = Reflect.get(Object(args[0]), 'name')
    if (typeof name !== 'string' || !endOfJob.test(name) || !(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      throw isUnavailable(error)
        ? Object.assign(new Error('The connection broke.'), { code: cannotConnectNow, cause: error })
        : error
    })
  }
  Object.assign(client, { query: queryEither })
}
