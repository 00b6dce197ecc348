import pg from 'pg'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { limitResponses, openChannel } from './channel.ts'
import { keepAlive, sessionOptions } from './connection-settings.ts'
import { hasStaleStatements, isUnavailable } from './faults.ts'
import { QueueRefused } from './keyed-queue.ts'
import { parsers } from './parsers.ts'
import type { LockStatement, ReadStatement, Statement, WriteStatement } from './statement.ts'

/** What a reader may do: its type has no way to change anything. */
export interface ReadDb {
  read<Args, Row>(statement: ReadStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** A transaction that may hold rows and change nothing. */
export interface LockTrx extends ReadDb {
  lock<Args, Row>(statement: LockStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** What a writer may do, inside the one transaction that mutate() opened for it. */
export interface WriteTrx extends LockTrx {
  write<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Sends a statement without waiting for its result, which saves a round trip where nothing depends on it.
   * Its failure is thrown before the transaction commits.
   */
  queue<Args, Row>(statement: WriteStatement<Args, Row> | LockStatement<Args, Row>, args: Args): void
}

export interface Database extends ReadDb {
  /** Statements outside a request's transaction: the worker's own bookkeeping, which mutates no merchant's record. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  /** A connection for a transaction, to be released. It counts towards the share of the merchant it is for, if any. */
  connect(merchantId?: MerchantId): Promise<pg.PoolClient>
  /** The same database for work that is given up when the server does not answer within so many milliseconds. */
  within(answerMs: number): Database
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly connectionString: string
  readonly maxConnections?: number
  readonly onError?: (error: Error) => void
}

/** Two cores serve no more than this at once; more connections only add switching. */
const defaultMaxConnections = 20

/**
 * A request that waits longer for a row than this is told so, instead of piling up. It is less than the time in which a
 * request must be answered, so that a busy row is told from a frozen server.
 */
const lockTimeoutMs = 3_500

/** Beyond the server's own limit on a statement, so it only ends waiting for a server that is no longer there. */
const answerMs = 20_000

/** No statement of ours needs longer; one that does is a mistake that must not hold its locks. */
const statementTimeoutMs = 15_000

/** As many as end on a busy machine before the last of them would have waited too long. */
const waitingMax = 1_000

/** How long a request waits for a free connection before it is told that the service is busy. */
const connectionTimeoutMs = 5_000

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? defaultMaxConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    // Idle connections stay: a timer for each release costs more than they do.
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
  // While it closes, the server may be going too, and which of them is first is no news.
  const onError = (error: Error) => (isClosing ? undefined : options.onError?.(error))
  pool.on('error', onError)
  // A connection that breaks while it is in use says so to whoever waits for its answer; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  const close = () => {
    isClosing = true
    return pool.end()
  }
  return facadeOf(pool, close, answerMs)
}

/** The pool with a limit on how long the server may take for an answer. */
function facadeOf(pool: pg.Pool, close: () => Promise<void>, limitMs: number): Database {
  const connect = async (): Promise<pg.PoolClient> => {
    if (pool.waitingCount >= waitingMax) throw new QueueRefused(`${waitingMax} others wait for a connection.`)
    const client = await pool.connect()
    limitResponses(client, limitMs)
    return client
  }
  const attempt = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const client = await connect()
    try {
      const rows = await openChannel(client).run(statement, args)
      client.release()
      return rows
    } catch (error) {
      // A refused statement leaves a good connection; one that broke must not go back to the pool.
      client.release(isUnavailable(error) || hasStaleStatements(error))
      throw error
    }
  }
  const run = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    try {
      return await attempt(statement, args)
    } catch (error) {
      if (!hasStaleStatements(error)) throw error
      return attempt(statement, args)
    }
  }
  return { read: run, run, connect, within: (ms) => facadeOf(pool, close, ms), pool, close }
}
