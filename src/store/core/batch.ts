import pg from 'pg'
import { parsers } from './parsers.ts'

/**
 * Several prepared statements sent to PostgreSQL in one message train with one Sync at its end. node-postgres sends a
 * Sync behind every statement, pipelined or not, and the server answers each Sync with a packet of its own; on a
 * small machine those packets cost more than the statements. If one statement fails, the server skips the rest.
 * This is the interface pg-cursor uses: an object node-postgres submits, and then tells what comes back.
 */
export interface BatchedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  resolve(result: BatchResult): void
  reject(error: Error): void
}

export interface BatchResult {
  readonly rows: readonly unknown[]
  /** Such as `INSERT 0 1` or `COMMIT`. */
  readonly command: string
}

/** What becomes of the statements behind one that failed. */
export class StatementSkipped extends Error {}

/** What node-postgres's connection offers to a submitted object; its published types leave half of it out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void; destroy(error: Error): void }
  readonly parsedStatements: Record<string, string | undefined>
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
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
 * The columns of each statement a connection has prepared, learnt when it first runs there. They are kept for each
 * connection: PostgreSQL refuses a prepared statement whose columns have changed, but one prepared anew has new ones.
 */
const preparedColumns = new WeakMap<Wire, Map<string, Columns>>()

function columnsOn(wire: Wire): Map<string, Columns> {
  const known = preparedColumns.get(wire) ?? new Map<string, Columns>()
  preparedColumns.set(wire, known)
  return known
}

/** When the server has not answered by the limit, the connection is given up and every statement fails. */
export function submitBatch(
  client: pg.ClientBase,
  statements: readonly BatchedStatement[],
  limitMs: number | undefined,
): void {
  client.query(batchOf(statements, limitMs))
}

function batchOf(statements: readonly BatchedStatement[], limitMs: number | undefined) {
  const parsing: BatchedStatement[] = []
  const shiftParsed = () => void parsing.shift()
  const done: (() => void)[] = []
  let wire: Wire | undefined
  let deadline: NodeJS.Timeout | undefined
  let isSettled = false
  let columns: Columns | undefined
  let rows: unknown[] = []
  let rowError: Error | undefined
  const settle = () => {
    isSettled = true
    clearTimeout(deadline)
    wire?.off('parseComplete', shiftParsed)
    for (const finish of done.splice(0)) finish()
  }
  return {
    // node-postgres notes these two when the server has parsed a statement, so they must be those of that one.
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
      const giveUp = () => {
        if (!isSettled) opened.stream.destroy(new Error('The database did not answer in time.'))
      }
      // In a busy process the timer is late, and the answer may have come meanwhile: it is read before the immediate.
      if (limitMs !== undefined) deadline = setTimeout(() => setImmediate(giveUp), limitMs)
      // Held back and then sent by one system call: on a loopback those calls cost more than the statements.
      wire.stream.cork()
      for (const statement of statements) if (send(wire, statement, parsing)) parsing.push(statement)
      wire.sync()
      wire.stream.uncork()
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
      if (!known.has(statement.name)) known.set(statement.name, columns ?? columnsOf([]))
      const result = { rows, command: message.text }
      const failure = rowError
      done.push(() => (failure === undefined ? statement.resolve(result) : statement.reject(failure)))
      columns = undefined
      rows = []
      rowError = undefined
    },
    handleEmptyQuery() {},
    handlePortalSuspended() {},
    /** Only now is a statement outside a transaction committed, so only now is it told as done. */
    handleReadyForQuery: settle,
    handleError(error: Error) {
      const failed = done.length
      // When all were complete, it was the commit at the end that failed, and none of them counts.
      if (failed === statements.length) done.splice(0, failed, ...statements.map((each) => () => each.reject(error)))
      statements[failed]?.reject(error)
      for (const skipped of statements.slice(failed + 1)) {
        skipped.reject(new StatementSkipped('Not run, because a statement before it failed.', { cause: error }))
      }
      settle()
    },
  }
}

/** Sends one statement without a Sync. True when it has to be parsed first. */
function send(wire: Wire, statement: BatchedStatement, parsing: readonly BatchedStatement[]): boolean {
  const { name, text, values } = statement
  const isNew = wire.parsedStatements[name] === undefined && !parsing.some((earlier) => earlier.name === name)
  if (isNew) wire.parse({ name, text })
  wire.bind({ statement: name, values })
  // Its columns are known from the first time on, so they need not be described again.
  if (!columnsOn(wire).has(name)) wire.describe({ type: 'P', name: '' })
  wire.execute({ portal: '' })
  return isNew
}

/** Every row of a statement starts from the same empty one, so that they share one shape in memory. */
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

/** A value as PostgreSQL reads it. It throws for what cannot be written, so it is done before anything is sent. */
export function toWireValue(value: unknown): unknown {
  return typeof value === 'string' ? value : utils.prepareValue(value)
}

/** The published types describe an older form of these methods; this is the form of the pinned version. */
function asWire(connection: pg.Connection): Wire {
  return connection as unknown as Wire
}
