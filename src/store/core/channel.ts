import type pg from 'pg'
import { type TracedWork, traced } from '../../base/trace.ts'
import { type BatchedStatement, type BatchResult, submitBatch, toWireValue } from './batch.ts'
import type { Statement } from './statement.ts'

/** A connection that sends all statements of one turn of the event loop as one pipeline. */
export interface Channel {
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  /** Runs a statement without a span of its own. */
  send<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  command(text: 'begin' | 'commit' | 'rollback'): Promise<BatchResult>
  /** Reports whether the connection was checked out. Before that, the server has received nothing. */
  isConnected(): boolean
  /** Reports whether a pooler is between this process and the server. Some of its errors then come from the pooler. */
  isPooled(): boolean
  /**
   * The error of a statement that could not be sent; undefined if there is none. With an error, the transaction must
   * not commit, because a statement is missing.
   */
  unsent(): unknown
}

/** The response limit of each connection in milliseconds, set at each checkout from the pool. */
const responseLimits = new WeakMap<pg.PoolClient, number>()

export function limitResponses(client: pg.PoolClient, limitMs: number): void {
  responseLimits.set(client, limitMs)
}

/**
 * Connections to a pooler in transaction mode. Their next transaction may run in another session, where no statement is
 * prepared.
 */
const unprepared = new WeakSet<pg.PoolClient>()

/** Makes the connection send each statement with its text, without preparing it in the session. */
export function prepareNothing(client: pg.PoolClient): void {
  unprepared.add(client)
}

/** Opens a channel. It checks out its connection when it sends its first statements. */
export function openChannel(connect: () => pg.PoolClient | Promise<pg.PoolClient>): Channel {
  let client: pg.PoolClient | undefined
  let waiting: BatchedStatement[] = []
  let unsent: unknown
  let refused: Error | undefined
  const push = (name: string, text: string, values: readonly unknown[]): Promise<BatchResult> => {
    // nextTick runs after the pending promise callbacks, which may add statements to the pipeline.
    if (waiting.length === 0) process.nextTick(flush)
    const promise = new Promise<BatchResult>((resolve, reject) => waiting.push({ name, text, values, resolve, reject }))
    // The caller may await the promise later. Until then, a rejection must not count as unhandled.
    promise.catch(() => undefined)
    return promise
  }
  const wireValues = <Args>(statement: Statement<Args, unknown>, args: Args): unknown[] => {
    try {
      return statement.bind(args).map(toWireValue)
    } catch (error) {
      unsent ??= error
      throw error
    }
  }
  const isPooled = () => client !== undefined && unprepared.has(client)
  const flush = async () => {
    try {
      if (refused !== undefined) throw refused
      client ??= await connect()
    } catch (error) {
      refused = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of waiting.splice(0)) reject(refused)
      return
    }
    const statements = isPooled() ? waiting.map(withoutName) : waiting
    waiting = []
    submitBatch(client, statements, responseLimits.get(client))
  }
  const send = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]> => {
    const { rows } = await push(statement.name, statement.text, wireValues(statement, args))
    return asRows<Row>(rows)
  }
  return {
    run: (statement, args) =>
      traced(
        () => statementSpan(statement.name),
        () => send(statement, args),
      ),
    send,
    command: (text) => {
      const result = traced(
        () => statementSpan(text),
        () => push(text, text, []),
      )
      // The promise of a traced statement is a second promise, which the caller may also await later.
      result.catch(() => undefined)
      return result
    },
    isConnected: () => client !== undefined,
    isPooled,
    unsent: () => unsent,
  }
}

function withoutName(statement: BatchedStatement): BatchedStatement {
  return { ...statement, name: '' }
}

/** Returns the span of a statement. It contains neither the text nor the values of the statement. */
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
