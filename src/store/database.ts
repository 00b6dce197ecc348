import pg from 'pg'
import { batchingSocket } from './batching-socket.ts'
import { parsers } from './parsers.ts'
import type { ReadStatement, Statement, WriteStatement } from './statement.ts'

/** What a reader may do: its type has no way to change anything. */
export interface ReadDb {
  read<Args, Row>(statement: ReadStatement<Args, Row>, args: Args): Promise<Row[]>
}

/** What a writer may do, inside the one transaction that mutate() opened for it. */
export interface WriteTrx extends ReadDb {
  write<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): Promise<Row[]>
  /**
   * Sends a statement without waiting for its result, which saves a round trip where nothing depends on it.
   * Its failure is thrown before the transaction commits.
   */
  queue<Args, Row>(statement: WriteStatement<Args, Row>, args: Args): void
}

export interface Database extends ReadDb {
  /** Statements outside a request's transaction: the worker's own bookkeeping, which mutates no merchant's record. */
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]>
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
    options: `-c lock_timeout=${lockTimeoutMs} -c statement_timeout=${statementTimeoutMs} -c timezone=UTC`,
    // Statements of one transaction that do not wait for each other travel in one round trip.
    pipeline: true,
    stream: batchingSocket,
    types: { getTypeParser: parsers },
  })
  pool.on('error', (error) => options.onError?.(error))
  const run = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]> => {
    const { rows } = await pool.query(query(statement, args))
    return rows
  }
  return { read: run, run, connect: () => pool.connect(), pool, close: () => pool.end() }
}

/** The form node-postgres takes; a name makes it prepare the statement once for each connection. */
export function query<Args, Row>(statement: Statement<Args, Row>, args: Args): pg.QueryConfig {
  return { name: statement.name, text: statement.text, values: statement.bind(args) }
}
