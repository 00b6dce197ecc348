import pg from 'pg'
import { serialize } from 'pg-protocol'
import { cancelStatement } from './cancel-statement.ts'
import { parsers } from './parsers.ts'

/**
 * A prepared statement of a pipeline: several statements followed by one Sync message. node-postgres sends a Sync after
 * each statement, also in its pipeline mode, and the server responds to each Sync with a packet; on a small machine those
 * packets cost more than the statements. If one statement fails, the server skips the rest. The batch is submitted
 * through the interface that pg-cursor uses: node-postgres calls its handlers with each message of the server.
 */
export interface BatchedStatement {
  /** Empty for a statement that is not prepared. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  resolve(result: BatchResult): void
  reject(error: Error): void
}

export interface BatchResult {
  readonly rows: readonly unknown[]
  /** The command tag, such as `INSERT 0 1` or `COMMIT`. */
  readonly command: string
}

/** The server skipped the statement because an earlier statement of the pipeline failed. */
export class StatementSkipped extends Error {}

/** The part of node-postgres's connection that a batch uses. The published types of node-postgres lack half of it. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean; destroy(error: Error): void }
  readonly parsedStatements: Record<string, string | undefined>
  on(event: 'parseComplete', listener: () => void): void
  off(event: 'parseComplete', listener: () => void): void
}

interface Field {
  readonly name: string
  readonly parse: (text: string) => unknown
}

interface Columns {
  readonly fields: readonly Field[]
  readonly empty: Readonly<Record<string, null>>
}

/**
 * The columns of each prepared statement, stored when the statement first runs on a connection. They are stored per
 * connection because PostgreSQL rejects a prepared statement whose columns have changed, and a connection that prepares
 * the statement later gets the new columns.
 */
const preparedColumns = new WeakMap<Wire, Map<string, Columns>>()

function columnsOn(wire: Wire): Map<string, Columns> {
  const known = preparedColumns.get(wire) ?? new Map<string, Columns>()
  preparedColumns.set(wire, known)
  return known
}

/**
 * Submits a batch. Shortly before the limit, the server is asked to cancel it. If the server does not respond within the limit,
 * the connection is closed and every statement fails.
 */
export function submitBatch(
  client: pg.ClientBase,
  statements: readonly BatchedStatement[],
  limitMs: number | undefined,
): void {
  client.query(batchOf(statements, { limitMs, cancel: () => cancelStatement(client) }))
}

/** Share of the limit after which the server is asked to cancel. The rest is for its response. */
const cancelShare = 0.9

interface BatchLimit {
  readonly limitMs: number | undefined
  readonly cancel: () => void
}

function batchOf(statements: readonly BatchedStatement[], { limitMs, cancel }: BatchLimit) {
  const parsing: BatchedStatement[] = []
  const shiftParsed = () => void parsing.shift()
  const done: (() => void)[] = []
  let wire: Wire | undefined
  let deadline: NodeJS.Timeout | undefined
  let cancelling: NodeJS.Timeout | undefined
  let isSettled = false
  let columns: Columns | undefined
  let rows: unknown[] = []
  let rowError: Error | undefined
  const settle = () => {
    isSettled = true
    clearTimeout(deadline)
    clearTimeout(cancelling)
    wire?.off('parseComplete', shiftParsed)
    for (const finish of done.splice(0)) finish()
  }
  return {
    // node-postgres reads the name and text when the server has parsed a statement, so they must be of that statement.
    get name() {
      return parsing[0]?.name
    },
    get text() {
      return parsing[0]?.text
    },
    submit(connection: pg.Connection) {
      const opened = asWire(connection)
      wire = opened
      wire.on('parseComplete', shiftParsed)
      const destroy = () => {
        if (!isSettled) opened.stream.destroy(new Error('The database did not answer in time.'))
      }
      // In a busy process the timer fires late and the response may have arrived: setImmediate lets it be read first.
      if (limitMs !== undefined) {
        deadline = setTimeout(() => setImmediate(destroy), limitMs)
        cancelling = setTimeout(() => setImmediate(() => isSettled || cancel()), limitMs * cancelShare)
      }
      // One write sends all messages with one system call. On loopback the system calls cost more than the statements, and each
      // write to the stream as much as a message.
      const messages = statements.flatMap((statement) => messagesOf(opened, statement, parsing))
      if (opened.stream.writable) opened.stream.write(Buffer.concat([...messages, serialize.sync()]))
    },
    handleRowDescription(message: { fields: readonly { name: string; dataTypeID: number }[] }) {
      columns = columnsOf(message.fields.map(({ name, dataTypeID }) => ({ name, parse: parsers(dataTypeID) })))
    },
    handleDataRow(message: { fields: readonly (string | null)[] }) {
      columns ??= (wire && columnsOn(wire).get(statements[done.length]?.name ?? '')) ?? columnsOf([])
      try {
        rows.push(rowOf(columns, message.fields))
      } catch (error) {
        rowError ??= error instanceof Error ? error : new Error(String(error))
      }
    },
    handleCommandComplete(message: { text: string }) {
      const statement = statements[done.length]
      if (statement === undefined || wire === undefined) return
      const known = columnsOn(wire)
      if (statement.name !== '' && !known.has(statement.name)) known.set(statement.name, columns ?? columnsOf([]))
      const result = { rows, command: message.text }
      const failure = rowError
      done.push(() => (failure === undefined ? statement.resolve(result) : statement.reject(failure)))
      columns = undefined
      rows = []
      rowError = undefined
    },
    handleEmptyQuery() {},
    handlePortalSuspended() {},
    /** A statement outside a transaction is committed at this message, so its promise resolves no earlier. */
    handleReadyForQuery: settle,
    handleError(error: Error) {
      const failed = done.length
      // If all statements completed, the implicit commit at the Sync failed, so none of them took effect.
      if (failed === statements.length) done.splice(0, failed, ...statements.map((each) => () => each.reject(error)))
      statements[failed]?.reject(error)
      for (const skipped of statements.slice(failed + 1)) {
        skipped.reject(new StatementSkipped('Not run, because a statement before it failed.', { cause: error }))
      }
      settle()
    },
  }
}

/** Returns the messages of one statement. Adds it to `parsing` if the server must parse it first. */
function messagesOf(wire: Wire, statement: BatchedStatement, parsing: BatchedStatement[]): Buffer[] {
  const { name, text, values } = statement
  const isPrepared = wire.parsedStatements[name] !== undefined || parsing.some((earlier) => earlier.name === name)
  const isNew = name === '' || !isPrepared
  if (isNew) parsing.push(statement)
  return [
    ...(isNew ? [serialize.parse({ name, text })] : []),
    serialize.bind({ statement: name, values: [...values] }),
    // After the first execution the columns are known and need no Describe message.
    ...(columnsOn(wire).has(name) ? [] : [serialize.describe({ type: 'P', name: '' })]),
    serialize.execute({ portal: '' }),
  ]
}

/** Each row is a copy of the same empty row, so that all rows of a statement share one hidden class. */
function columnsOf(fields: readonly Field[]): Columns {
  return { fields, empty: Object.fromEntries(fields.map((field) => [field.name, null])) }
}

function rowOf({ fields, empty }: Columns, texts: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty }
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]
    const text = texts[index]
    if (field !== undefined && typeof text === 'string') row[field.name] = field.parse(text)
  }
  return row
}

/** Exported by node-postgres and missing from its published types. */
const { utils } = pg as typeof pg & { readonly utils: { prepareValue(value: unknown): unknown } }

/** Converts a value to the format of the wire protocol. Throws for an invalid value, so it runs before anything is sent. */
export function toWireValue(value: unknown): unknown {
  return typeof value === 'string' ? value : utils.prepareValue(value)
}

/** The published types describe an older version of these methods; Wire describes the pinned version. */
function asWire(connection: pg.Connection): Wire {
  return connection as unknown as Wire
}
