import pg from 'pg'
import { openChannel } from './channel.ts'
import { hasStaleStatements, isUnavailable } from './faults.ts'
import { parsers } from './parsers.ts'
import type { ReadStatement, Statement, WriteStatement } from './statement.ts'

/** What a reader may do: its type has no way to change anything. */
export interface ReadDb {
  read<Args, Row>(statement: ReadStatement<Args, Row>, args: Args): Promise<readonly Row[]>
}

/** What a writer may do, inside the one transaction that mutate() opened for it. */
export interface WriteTrx extends ReadDb {
  write<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): Promise<readonly Row[]>
  /**
   * Sends a statement without waiting for its result, which saves a round trip where nothing depends on it.
   * Its failure is thrown before the transaction commits.
   */
  queue<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): void
}

export interface Database extends ReadDb {
  /** Statements outside a request's transaction: the worker's own bookkeeping, which mutates no merchant's record. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  connect(): Promise<pg.PoolClient>
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

/** A request that waits longer for a row than this is told so, instead of piling up (design, commerce 8.2). */
const lockTimeoutMs = 5_000

/** No request of ours needs longer; one that does is a mistake that must not hold its locks. */
const statementTimeoutMs = 15_000

/** How long a request waits for a free connection before it is told that the service is busy. */
const connectionTimeoutMs = 5_000

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? defaultMaxConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    // Idle connections stay: a timer for each release costs more than they do.
    idleTimeoutMillis: 0,
    keepAlive: true,
    options: `-c lock_timeout=${lockTimeoutMs} -c statement_timeout=${statementTimeoutMs} -c timezone=UTC`,
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
  const attempt = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const client = await pool.connect()
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
  return { read: run, run, connect: () => pool.connect(), pool, close }
}
