import type pg from 'pg'
import { type TracedWork, traced } from '../../base/trace.ts'
import { Batch, type BatchedStatement, type BatchResult, toWireValue } from './batch.ts'
import type { Statement } from './statement.ts'

/** A connection that was checked out of the pool. */
export interface Connection {
  readonly client: pg.PoolClient
  /** Maximum time in milliseconds that the database server may take to respond to each statement. */
  readonly answerMs: number
  /**
   * Whether the connection leads to a pooler in transaction mode. The next transaction may then run in another session
   * of the server, in which no statement is prepared.
   */
  readonly isPooled: boolean
  /** Returns the connection to the pool, or closes it if it must not be used again. */
  release(isUnusable?: boolean): void
}

/** A connection that sends all statements of one turn of the event loop as one pipeline. */
export interface Channel {
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  /** Runs a statement without a tracing span of its own. */
  send<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  command(text: 'begin' | 'commit' | 'rollback'): Promise<BatchResult>
  /**
   * The database connection. Undefined until the channel checks it out of the pool. While it is undefined, the server
   * has received no statement.
   */
  connection: Connection | undefined
  /**
   * The error of a statement that could not be sent; undefined if there is none. With an error, the transaction must
   * not commit, because a statement is missing.
   */
  unsent: unknown
}

/** A channel checks out its connection when it sends its first statements. */
export function openChannel(connect: () => Connection | Promise<Connection>): Channel {
  let waiting: BatchedStatement[] = []
  let refused: Error | undefined
  const flush = async () => {
    try {
      if (refused !== undefined) throw refused
      channel.connection ??= await connect()
    } catch (error) {
      refused = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of waiting.splice(0)) reject(refused)
      return
    }
    const { client, answerMs, isPooled } = channel.connection
    const statements = isPooled ? waiting.map(withoutName) : waiting
    waiting = []
    client.query(new Batch(client, statements, answerMs))
  }
  const push = (name: string, text: string, values: readonly unknown[]): Promise<BatchResult> => {
    // nextTick calls `flush` after the pending promise callbacks, because these callbacks may add further statements to
    // the pipeline.
    if (waiting.length === 0) process.nextTick(flush)
    return new Promise((resolve, reject) => waiting.push({ name, text, values, resolve, reject }))
  }
  const send = async <Args, Row>({ name, text, bind }: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    let values: readonly unknown[]
    try {
      values = bind(args).map(toWireValue)
    } catch (error) {
      channel.unsent ??= error
      throw error
    }
    const { rows } = await push(name, text, values)
    return asRows<Row>(rows)
  }
  const channel: Channel = {
    connection: undefined,
    unsent: undefined,
    run: (statement, args) =>
      traced(
        () => statementSpan(statement.name),
        () => send(statement, args),
      ),
    send,
    command: (text) =>
      awaitedLater(
        traced(
          () => statementSpan(text),
          () => push(text, text, []),
        ),
      ),
  }
  return channel
}

/** Returns a promise that the caller may await later. Until then, a rejection is not reported as unhandled. */
export function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined)
  return promise
}

function withoutName(statement: BatchedStatement): BatchedStatement {
  return { ...statement, name: '' }
}

/** The span contains neither the text nor the values of the statement. */
export function statementSpan(name: string): TracedWork {
  return {
    name,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name },
    isDetail: true,
  }
}

/**
 * Casts the rows to the row type that Kysely derived from the query, or that the statement declares. The type is not
 * checked at run time.
 */
function asRows<Row>(rows: readonly unknown[]): readonly Row[] {
  return rows as readonly Row[]
}
