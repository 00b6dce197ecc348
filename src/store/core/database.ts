import type pg from 'pg'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { cappedWaitMs } from '../../base/deadline.ts'
import { traced } from '../../base/trace.ts'
import { type Connection, openChannel, statementSpan } from './channel.ts'
import { keepAlive, requestSettings, sessionOptions } from './connection-settings.ts'
import type { ConnectionShares } from './connection-shares.ts'
import { isCut } from './end-client.ts'
import { hasStaleStatements, isReadOnly, isUnusableAfter } from './faults.ts'
import { QueueRefused } from './keyed-queue.ts'
import { parsers } from './parsers.ts'
import { openReachability, type Reachability, searchingAmong } from './reachability.ts'
import { type CheckOut, openReadPipelines, type ReadPipelines } from './read-pipelines.ts'
import { openPool } from './server-client.ts'
import { openServers, type Servers } from './servers.ts'
import type { LockStatement, ReadStatement, SearchStatement, Statement, WriteStatement } from './statement.ts'

/** The type has no method that changes data. */
export interface ReadDb {
  read<Args, Row>(statement: ReadStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

export interface SearchDb {
  /**
   * Reads rows of all merchants. On a distributed database, the result lacks the merchants on a node that does not
   * respond. If the arguments limit the result to certain merchants, the caller must list these merchants in `among`. A
   * distributed database then reads only the nodes of these merchants.
   */
  search<Args, Row>(
    statement: SearchStatement<Args, Row>,
    args: Args,
    among?: readonly MerchantId[],
  ): Promise<readonly Row[]>
}

/** A transaction that may lock rows but not change them. */
export interface LockTrx extends ReadDb {
  lock<Args, Row>(statement: LockStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** Write access to the database within the transaction that mutate() opened. */
export interface WriteTrx extends LockTrx, SearchDb {
  write<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Sends a statement without waiting for its result, which saves a round trip if nothing depends on the result. If the
   * statement fails, the error is thrown before the transaction commits. The audit row needs the ids of the changed
   * records. A write whose arguments do not contain these ids must return them, for example a write that changes all
   * shipments of an order.
   */
  queue<Args, Row>(statement: WriteStatement<Args, Row> | LockStatement<Args, Row>, args: Args): void
}

export interface Database extends ReadDb, SearchDb {
  /** States which merchants can be read and written now: on a distributed database, those whose node responds. */
  readonly reachability: Reachability
  /** Runs a statement outside a transaction, for internal bookkeeping that changes no record of a merchant. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Checks out a connection for a transaction. If a merchant is given, the connection counts towards the connection
   * share of this merchant.
   */
  connect(merchantId?: MerchantId): Promise<Connection>
  /**
   * Returns the same database with a time limit in milliseconds on each response of the server, and on the wait for a
   * connection. A function `answerMs` is called before each wait for a connection and at each checkout of a connection.
   * With `shared`, each statement and each connection counts towards the connection share of `shared.key` or, without
   * this key, of the merchant in the arguments.
   */
  within(answerMs: number | (() => number), shared?: Shared): Database
  readonly pool: pg.Pool
  /**
   * The pool in which each connection has a server session of its own. Session-level locks require such a session.
   * `sessionPool` is the same pool as `pool`, unless `pool` connects through a pooler.
   */
  readonly sessionPool: pg.Pool
  /**
   * The database servers for connections that need a session of their own: the connections of `sessionPool`, of LISTEN
   * and of the job queue.
   */
  readonly servers: Servers
  close(): Promise<void>
}

interface Shared {
  readonly shares: ConnectionShares
  readonly key: string | undefined
}

export interface DatabaseOptions {
  /** The connection string may list several hosts. The pool then follows the primary. */
  readonly connectionString: string
  /**
   * The connection string of the server itself, if `connectionString` leads to a pooler in transaction mode. In this
   * case, the pool uses neither prepared statements nor session settings, because the pooler may run the next
   * transaction in another session, in which they do not exist.
   */
  readonly directConnectionString?: string | undefined
  readonly maxConnections?: number
  /**
   * The record of which merchants are reachable. Two pools for the same database can share it. By default, the pool has
   * a record of its own.
   */
  readonly reachability?: Reachability
  readonly onError?: (error: Error) => void
}

/**
 * Number of connections for requests. A database server with two cores cannot use more; more would only add context
 * switches.
 */
export const requestConnections = 20

/**
 * Time limit, in milliseconds, for a response of the database server. It is longer than statement_timeout, so it is
 * reached only when the server is unreachable.
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
  // Idle connections stay open: closing them would need a timer at each release, which costs more than an open
  // connection.
  const requests = { max: maxConnections, idleTimeoutMillis: 0, ...(isPooled ? {} : inSessions) }
  const pool = openRequestPool(poolServers, requests, onError)
  const servers = isPooled ? openServers(directConnectionString) : poolServers
  const sessionPool = isPooled ? openRequestPool(servers, { max: sessionsMax, ...inSessions }, onError) : pool
  let closing: Promise<unknown> | undefined
  const close = async () => {
    isClosing = true
    closing ??= Promise.all([pool.end(), isPooled ? sessionPool.end() : undefined])
    await closing
  }
  const checkOut = openCheckOut(pool, { isPooled, poolServers })
  const exposed = { pool, sessionPool, servers, reachability: options.reachability ?? openReachability(), close }
  const opened = { checkOut, pipelines: openReadPipelines(checkOut), exposed }
  return databaseOf(opened, () => answerMs)
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

/**
 * Minimum, in milliseconds, of the time limits for a connection and for the server's response. A request that has spent
 * its own time limit in other queues also gets this minimum.
 */
const limitMinMs = 500

/**
 * The error when the server did not accept a new connection in time. Because of its code, the error is classified as a
 * connection failure.
 */
class ConnectionTimeout extends Error {
  /** The SQLSTATE sqlclient_unable_to_establish_sqlconnection. */
  readonly code = '08001'
}

interface Destination {
  /** Whether the connections of the pool lead to a connection pooler instead of the database server. */
  readonly isPooled: boolean
  readonly poolServers: Servers
}

/**
 * If no connection is available in time, the returned function rejects: with QueueRefused if requests use all
 * connections, or with a connection failure if the server does not respond.
 */
function openCheckOut(pool: pg.Pool, { isPooled, poolServers }: Destination): CheckOut {
  // Number of connections in use. A connection that is still being opened is not counted.
  let used = 0
  pool.on('acquire', () => {
    used += 1
  })
  pool.on('release', () => {
    used -= 1
  })
  /**
   * Waits for a connection until the time limit. If the connection becomes free only after this limit, it is released
   * to the pool.
   */
  const connectWithin = async (limitMs: number): Promise<pg.PoolClient> => {
    // The pool may throw at once, for example if it cannot read a certificate. If the timer were already running, it
    // would later reject a promise that nothing awaits, which ends the process.
    const connecting = pool.connect()
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      const waited = `within ${Math.round(limitMs)} ms`
      if (used >= pool.options.max) reject(new QueueRefused(`No database connection became free ${waited}.`))
      else reject(new ConnectionTimeout(`The database accepted no connection ${waited}.`))
    }, limitMs)
    connecting.then((client) => (isLate ? client.release() : resolve(client)), reject)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }
  const checkOut: CheckOut = async ({ waitMs, answerMs }) => {
    // After a failover, idle connections may still lead to the previous primary, so the checkout waits until the search
    // for the new primary has ended.
    await poolServers.settled?.()
    if (pool.waitingCount >= waitingMax)
      throw new QueueRefused(`${waitingMax} requests are already waiting for a connection.`)
    // The wait needs no limit of its own in two cases: an idle connection is available at once, or `waitMs` is not
    // shorter than the pool’s own timeout, which then ends the wait.
    const isLimited = pool.idleCount <= pool.waitingCount && waitMs < connectionTimeoutMs
    const client = await (isLimited ? connectWithin(Math.max(limitMinMs, waitMs)) : pool.connect())
    if (isCut(client)) {
      client.release(true)
      return checkOut({ waitMs, answerMs })
    }
    // node-postgres sets a new release function in `client.release` at each checkout. The bound function belongs to
    // this checkout and throws when it is called a second time. A second call of `client.release` itself would release
    // the checkout of another request.
    return { client, isPooled, answerMs: Math.max(limitMinMs, answerMs()), release: client.release.bind(client) }
  }
  return checkOut
}

interface Opened {
  readonly checkOut: CheckOut
  readonly pipelines: ReadPipelines
  readonly exposed: Pick<Database, 'pool' | 'sessionPool' | 'servers' | 'reachability' | 'close'>
}

function databaseOf(opened: Opened, limitMs: () => number, shared?: Shared): Database {
  const { checkOut, pipelines, exposed } = opened
  const waitMs = () => Math.max(limitMinMs, cappedWaitMs(limitMs()))
  /**
   * Waits until the connection share of the merchant has a free connection. Returns a function that gives the
   * connection back to the share. Throws if the merchant's database node does not respond.
   */
  const enter = async (merchantId: unknown) => {
    if (typeof merchantId === 'string') exposed.reachability.requireReachable(merchantId)
    const key = shared?.key ?? merchantId
    return typeof key === 'string' ? shared?.shares.enter(key) : undefined
  }
  const connect: Database['connect'] = async (merchantId) => {
    const leave = await enter(merchantId)
    try {
      const connection = await checkOut({ waitMs: waitMs(), answerMs: limitMs })
      const release: Connection['release'] = (isUnusable) => {
        leave?.()
        connection.release(isUnusable)
      }
      return { ...connection, release }
    } catch (error) {
      leave?.()
      throw error
    }
  }
  const send = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    if (statement.isShort) return pipelines.run(statement, args, { waitMs: waitMs(), totalMs: limitMs() })
    const connection = await checkOut({ waitMs: waitMs(), answerMs: limitMs })
    try {
      const rows = await openChannel(() => connection).send(statement, args)
      connection.release()
      return rows
    } catch (error) {
      connection.release(isUnusableAfter(error))
      throw error
    }
  }
  const run: Database['run'] = (statement, args) =>
    traced(
      () => statementSpan(statement.name),
      async () => {
        const leave = await enter(Reflect.get(Object(args), 'merchantId'))
        try {
          return await send(statement, args)
        } catch (error) {
          // The statement is sent once more, on another connection. If a prepared statement was stale, the other
          // connection prepares it again. If the server was read-only, the other connection leads to the new primary.
          if (hasStaleStatements(error) || isReadOnly(error)) return await send(statement, args)
          throw error
        } finally {
          leave?.()
        }
      },
    )
  const within: Database['within'] = (ms, share) => databaseOf(opened, typeof ms === 'number' ? () => ms : ms, share)
  const search = searchingAmong(exposed.reachability, run)
  return { ...exposed, read: run, run, search, connect, within }
}
