import type pg from 'pg'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { limitResponses, openChannel } from './channel.ts'
import { keepAlive, sessionOptions } from './connection-settings.ts'
import { isCut } from './end-client.ts'
import { hasStaleStatements, isCancelled, isReadOnly, isUnavailable } from './faults.ts'
import { QueueRefused } from './keyed-queue.ts'
import { parsers } from './parsers.ts'
import { openPool } from './server-client.ts'
import { openServers, type Servers } from './servers.ts'
import type { LockStatement, ReadStatement, Statement, WriteStatement } from './statement.ts'

/** Read access. The type has no method that changes data. */
export interface ReadDb {
  read<Args, Row>(statement: ReadStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** A transaction that may lock rows and change nothing. */
export interface LockTrx extends ReadDb {
  lock<Args, Row>(statement: LockStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** Write access within the transaction that mutate() opened. */
export interface WriteTrx extends LockTrx {
  write<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Sends a statement without waiting for its result, which saves a round trip if nothing depends on the result.
   * An error is thrown before the transaction commits.
   */
  queue<Args, Row>(statement: WriteStatement<Args, Row> | LockStatement<Args, Row>, args: Args): void
}

export interface Database extends ReadDb {
  /** Runs a statement outside a transaction, for internal bookkeeping that changes no record of a merchant. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  /** Checks out a connection for a transaction. It counts towards the connection share of the merchant, if given. */
  connect(merchantId?: MerchantId): Promise<pg.PoolClient>
  /**
   * Returns the same database with a limit in milliseconds on each response of the server. A function is called at each
   * checkout of a connection.
   */
  within(answerMs: number | (() => number)): Database
  readonly pool: pg.Pool
  /** The servers of the pool, which all other connections of the process use too. */
  readonly servers: Servers
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** May list several hosts. The pool then follows the primary. */
  readonly connectionString: string
  readonly maxConnections?: number
  readonly onError?: (error: Error) => void
}

/** Two cores cannot use more connections; more would only add context switches. */
const defaultMaxConnections = 20

/**
 * A statement that waits longer for a lock fails with lock_not_available, so that requests do not pile up. The limit is
 * less than the response limit of the server, so that lock contention can be distinguished from a frozen server.
 */
const lockTimeoutMs = 3_500

/** Longer than statement_timeout, so this limit is reached only when the server is unreachable. */
const answerMs = 20_000

/** No statement of the service needs longer. A statement that does is a defect and must not hold its locks. */
const statementTimeoutMs = 15_000

/** About as many requests as a busy machine completes within the connection timeout. */
const waitingMax = 1_000

/** A request that waits longer for a free connection fails with 503. */
const connectionTimeoutMs = 5_000

export function openDatabase(options: DatabaseOptions): Database {
  const servers = openServers(options.connectionString)
  const pool = openPool(servers, {
    max: options.maxConnections ?? defaultMaxConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    // Idle connections stay open: a timer for each release costs more than an open connection.
    idleTimeoutMillis: 0,
    ...keepAlive,
    options: sessionOptions({
      lock_timeout: lockTimeoutMs,
      statement_timeout: statementTimeoutMs,
      timezone: 'UTC',
    }),
    types: { getTypeParser: parsers },
  })
  let isClosing = false
  // While the pool closes, the server may be stopping too, so errors are expected.
  const onError = (error: Error) => (isClosing ? undefined : options.onError?.(error))
  pool.on('error', onError)
  // A connection in use reports its error to the caller as well. Without a listener, the event would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  const close = () => {
    isClosing = true
    return pool.end()
  }
  return facadeOf({ pool, servers, close }, answerMs)
}

/** Returns the pool as a Database with a limit on each response of the server. */
function facadeOf(opened: Pick<Database, 'pool' | 'servers' | 'close'>, limitMs: number | (() => number)): Database {
  const { pool, servers } = opened
  const connect = async (): Promise<pg.PoolClient> => {
    // After a promotion, an idle connection may still be to the previous primary until the search has ended.
    await servers.settled()
    if (pool.waitingCount >= waitingMax)
      throw new QueueRefused(`${waitingMax} requests are already waiting for a connection.`)
    const client = await pool.connect()
    if (isCut(client)) {
      client.release(true)
      return connect()
    }
    limitResponses(client, typeof limitMs === 'number' ? limitMs : limitMs())
    return client
  }
  const attempt = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const client = await connect()
    try {
      const rows = await openChannel(client).run(statement, args)
      client.release()
      return rows
    } catch (error) {
      // A failed statement leaves the connection usable. A broken connection must not return to the pool.
      client.release(isUnavailable(error) || hasStaleStatements(error) || isCancelled(error))
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
  return { read: run, run, connect, within: (ms) => facadeOf(opened, ms), ...opened }
}
