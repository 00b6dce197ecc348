import type pg from 'pg'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { cappedWaitMs } from '../../base/deadline.ts'
import { limitResponses, openChannel, prepareNothing } from './channel.ts'
import { keepAlive, requestSettings, sessionOptions } from './connection-settings.ts'
import { isCut } from './end-client.ts'
import { hasStaleStatements, isCancelled, isReadOnly, isUnavailable } from './faults.ts'
import { QueueRefused } from './keyed-queue.ts'
import { parsers } from './parsers.ts'
import { openReadPipelines, type ReadPipelines } from './read-pipelines.ts'
import { openPool } from './server-client.ts'
import { openServers, type Servers } from './servers.ts'
import { isShort, type LockStatement, type ReadStatement, type Statement, type WriteStatement } from './statement.ts'

/** Read access to the database. The type has no method that changes data. */
export interface ReadDb {
  read<Args, Row>(statement: ReadStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** A transaction that may lock rows but not change them. */
export interface LockTrx extends ReadDb {
  lock<Args, Row>(statement: LockStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** Write access to the database within the transaction that mutate() opened. */
export interface WriteTrx extends LockTrx {
  write<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Sends a statement without waiting for its result, which saves a round trip if nothing depends on the result. If the
   * statement fails, the error is thrown before the transaction commits. A write whose arguments do not name the records
   * that it changes, such as all shipments of an order, must return their ids for the audit row.
   */
  queue<Args, Row>(statement: WriteStatement<Args, Row> | LockStatement<Args, Row>, args: Args): void
}

export interface Database extends ReadDb {
  /** Runs a statement outside a transaction, for internal bookkeeping that changes no record of a merchant. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Checks out a connection for a transaction. It counts towards the connection share of the merchant, if one is given.
   */
  connect(merchantId?: MerchantId): Promise<pg.PoolClient>
  /**
   * Returns the same database with a time limit in milliseconds on each response of the server, and on the wait for a
   * connection. If the limit is a function, it is called before each wait and at each checkout.
   */
  within(answerMs: number | (() => number)): Database
  readonly pool: pg.Pool
  /**
   * Connections with sessions of their own, for session-level locks. It is the same pool as `pool`, unless `pool` uses
   * a pooler.
   */
  readonly sessionPool: pg.Pool
  /** The database servers for connections with sessions of their own. LISTEN and the job queue use them too. */
  readonly servers: Servers
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The connection string may list several hosts. The pool then follows the primary. */
  readonly connectionString: string
  /**
   * The address of the server itself, when `connectionString` leads to a pooler in transaction mode. The pool then uses
   * neither prepared statements nor session settings, which another session of the pooler would not have.
   */
  readonly directConnectionString?: string | undefined
  readonly maxConnections?: number
  readonly onError?: (error: Error) => void
}

/**
 * Number of connections for requests. A database server with two cores cannot use more; more would only add context
 * switches.
 */
export const requestConnections = 20

/**
 * Limit on a response of the database server in milliseconds. It is longer than statement_timeout, so it is reached
 * only when the server is unreachable.
 */
const answerMs = 20_000

/**
 * Maximum number of requests that wait for a connection of the pool, about as many as a busy machine completes within
 * the connection timeout.
 */
const waitingMax = 1_000

/** Number of connections that bypass a pooler. Only the rotation of partitions uses them. */
const sessionsMax = 2

/** A request that waits longer than this for a free connection fails with 503. */
const connectionTimeoutMs = 5_000

export function openDatabase(options: DatabaseOptions): Database {
  const { connectionString, directConnectionString, maxConnections = requestConnections } = options
  let isClosing = false
  // While the pool closes, the server may be stopping too, so errors are expected.
  const onError = (error: Error) => (isClosing ? undefined : options.onError?.(error))
  const poolServers = openServers(connectionString)
  const inSessions = { options: sessionOptions(requestSettings) }
  const isPooled = directConnectionString !== undefined
  // Idle connections stay open: a timer for each release costs more than an open connection.
  const requests = { max: maxConnections, idleTimeoutMillis: 0, ...(isPooled ? {} : inSessions) }
  const pool = openRequestPool(poolServers, requests, onError)
  const servers = isPooled ? openServers(directConnectionString) : poolServers
  const sessionPool = isPooled ? openRequestPool(servers, { max: sessionsMax, ...inSessions }, onError) : pool
  const close = async () => {
    isClosing = true
    await Promise.all([pool.end(), isPooled ? sessionPool.end() : undefined])
  }
  const connect = openConnect(countUses(pool), { isPooled, poolServers })
  const pipelines = openReadPipelines({
    connect: ({ waitMs, totalMs }) => {
      const endsAtMs = performance.now() + totalMs
      return connect({
        waitMs: Math.max(checkOutMinMs, waitMs),
        answerMs: () => Math.max(checkOutMinMs, endsAtMs - performance.now()),
      })
    },
    release,
  })
  return facadeOf({ pool, sessionPool, servers, close }, { limitMs: answerMs, connect, pipelines })
}

function openRequestPool(servers: Servers, config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const types = { getTypeParser: parsers }
  const pool = openPool(servers, { ...config, ...keepAlive, connectionTimeoutMillis: connectionTimeoutMs, types })
  pool.on('error', onError)
  // A connection in use also reports its error to the caller. Without an error listener on the connection, the error
  // event would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

interface CountedPool {
  readonly pool: pg.Pool
  /** Reports whether requests use all connections. A connection that is being opened is not in use. */
  readonly isExhausted: () => boolean
}

function countUses(pool: pg.Pool): CountedPool {
  let used = 0
  pool.on('acquire', () => {
    used += 1
  })
  pool.on('release', () => {
    used -= 1
  })
  return { pool, isExhausted: () => used >= pool.options.max }
}

interface Destination {
  /** Whether the connections of the pool go to a pooler. */
  readonly isPooled: boolean
  readonly poolServers: Servers
}

interface Mode {
  /** The limit on each response of the database server in milliseconds. */
  readonly limitMs: number | (() => number)
  readonly connect: Connect
  readonly pipelines: ReadPipelines
}

type Opened = Pick<Database, 'pool' | 'sessionPool' | 'servers' | 'close'>

/**
 * Shortest wait for a connection. It is long enough to open one for a request that spent its time limit in other
 * queues.
 */
const checkOutMinMs = 500

/** The server did not accept a new connection in time. The error code makes this a connection failure. */
class ConnectionTimeout extends Error {
  /** sqlclient_unable_to_establish_sqlconnection */
  readonly code = '08001'
}

/**
 * Waits for a connection, but no longer than the limit. A connection that becomes free later returns to the pool.
 * Rejects with QueueRefused while requests use all connections, and otherwise with a connection failure, because the
 * server does not respond.
 */
async function checkOut({ pool, isExhausted }: CountedPool, limitMs: number): Promise<pg.PoolClient> {
  // If the given limit is longer than the pool's own timeout, the pool's timeout ends the wait for a connection.
  if (limitMs >= connectionTimeoutMs) return pool.connect()
  // The pool may throw at once, for example if it cannot read a certificate. A timer that has started before would then
  // reject a promise that nothing awaits, which ends the process.
  const connecting = pool.connect()
  const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    const waited = `within ${Math.round(limitMs)} ms`
    if (isExhausted()) reject(new QueueRefused(`No database connection became free ${waited}.`))
    else reject(new ConnectionTimeout(`The database accepted no connection ${waited}.`))
  }, limitMs)
  connecting.then((client) => (isLate ? client.release() : resolve(client)), reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

interface Limits {
  /** Maximum time to wait for a connection in milliseconds. */
  readonly waitMs: number
  /** Returns the limit on each response of the database server in milliseconds. It is called at the checkout. */
  readonly answerMs: () => number
}

type Connect = (limits: Limits) => Promise<pg.PoolClient>

/** Returns the function that checks out a connection of the pool. */
function openConnect({ pool, isExhausted }: CountedPool, { isPooled, poolServers }: Destination): Connect {
  const connect: Connect = async ({ waitMs, answerMs }) => {
    // After a promotion, an idle connection may still lead to the previous primary until the search for the new one has
    // ended.
    await poolServers.settled()
    if (pool.waitingCount >= waitingMax)
      throw new QueueRefused(`${waitingMax} requests are already waiting for a connection.`)
    const client = await checkOut({ pool, isExhausted }, waitMs)
    if (isCut(client)) {
      client.release(true)
      return connect({ waitMs, answerMs })
    }
    limitResponses(client, answerMs())
    if (isPooled) prepareNothing(client)
    return client
  }
  return connect
}

/**
 * Returns a connection to the pool. A failed statement leaves the connection usable; a broken connection must not be used
 * again.
 */
function release(client: pg.PoolClient, error: unknown): void {
  client.release(isUnavailable(error) || hasStaleStatements(error) || isCancelled(error))
}

/** Returns a Database that uses the pool. */
function facadeOf(opened: Opened, mode: Mode): Database {
  const { limitMs, connect, pipelines } = mode
  const currentLimitMs = typeof limitMs === 'number' ? () => limitMs : limitMs
  const currentWaitMs = () => Math.max(checkOutMinMs, cappedWaitMs(currentLimitMs()))
  const connectNow = () => connect({ waitMs: currentWaitMs(), answerMs: currentLimitMs })
  const attempt = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    if (isShort(statement))
      return pipelines.run(statement, args, { waitMs: currentWaitMs(), totalMs: currentLimitMs() })
    const client = await connectNow()
    try {
      const rows = await openChannel(() => client).run(statement, args)
      client.release()
      return rows
    } catch (error) {
      release(client, error)
      throw error
    }
  }
  const run = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    try {
      return await attempt(statement, args)
    } catch (error) {
      if (!hasStaleStatements(error) && !isReadOnly(error)) throw error
      return attempt(statement, args)
    }
  }
  const within: Database['within'] = (ms) => facadeOf(opened, { ...mode, limitMs: ms })
  return { read: run, run, connect: connectNow, within, ...opened }
}
