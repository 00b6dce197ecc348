import pg from 'pg'
import { serialize } from 'pg-protocol'
import { cancelStatement } from './cancel-statement.ts'
import { fieldOf } from './names.ts'
import { parsers } from './parsers.ts'

/**
 * A prepared statement of a pipeline. A pipeline is several statements followed by one Sync message. node-postgres
 * sends a Sync after each statement, even in its pipeline mode, and the server responds to each Sync with a packet. On
 * a small machine, these packets cost more than the statements. If one statement fails, the server skips the rest. The
 * batch is submitted through the interface that pg-cursor uses: node-postgres calls its handlers with each message of
 * the server.
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
  /** The command tag of the result, such as `INSERT 0 1` or `COMMIT`. */
  readonly command: string
}

/** The server skipped the statement because an earlier statement of the pipeline failed. */
export class StatementSkipped extends Error {}

/**
 * The database server did not respond within the time limit of a batch of statements. The error code is the one that
 * Node.js uses for a connection that timed out.
 */
export class ResponseTimeout extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The database did not respond in time.')
  }
}

/** The part of node-postgres's connection that a batch uses. The published types of node-postgres lack half of it. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean; destroy(error: Error): void }
  readonly parsedStatements: Record<string, string | undefined>
  on(event: 'parseComplete', listener: () => void): void
  off(event: 'parseComplete', listener: () => void): void
}

interface Field {
  /**
   * The name of the column in camelCase. The name is converted only once for each prepared statement and connection.
   */
  readonly name: string
  readonly parse: (text: string) => unknown
}

interface Columns {
  readonly fields: readonly Field[]
  readonly empty: Readonly<Record<string, null>>
}

/**
 * The columns of each prepared statement, stored for each connection when the statement first runs on the connection.
 * On this connection, the columns cannot change, because PostgreSQL rejects a prepared statement whose columns have
 * changed. If another connection prepares the statement later, it gets the new columns.
 */
const preparedColumns = new WeakMap<Wire, Map<string, Columns>>()

/**
 * Share of the time limit after which the cancellation of the batch is requested. The rest of the time is for the
 * server's response.
 */
const cancelShare = 0.9

/**
 * A batch of statements, as a query object that node-postgres runs. Shortly before the time limit, the server is
 * requested to cancel it. If the server does not respond within the limit, the connection is closed and every statement
 * fails.
 *
 * The batch is a class, because object literals with getters are slow, and V8 frees them and their rows only in a full
 * garbage collection.
 */
export class Batch {
  readonly #statements: readonly BatchedStatement[]
  readonly #client: pg.ClientBase
  readonly #limitMs: number
  /** The statements that the server has not parsed yet, in order. */
  readonly #parsing: BatchedStatement[] = []
  readonly #results: (BatchResult | Error)[] = []
  #wire: Wire | undefined
  /** The result columns of the statements that the connection has prepared. */
  #known = new Map<string, Columns>()
  #timers: readonly NodeJS.Timeout[] = []
  #isSettled = false
  #columns: Columns | undefined
  #rows: unknown[] = []
  #rowError: Error | undefined

  constructor(client: pg.ClientBase, statements: readonly BatchedStatement[], limitMs: number) {
    this.#client = client
    this.#statements = statements
    this.#limitMs = limitMs
  }

  /**
   * node-postgres reads `name` and `text` when the server has parsed a statement. At that time, both properties must
   * have the values of that statement.
   */
  get name(): string | undefined {
    return this.#parsing[0]?.name
  }

  get text(): string | undefined {
    return this.#parsing[0]?.text
  }

  readonly #shiftParsed = () => void this.#parsing.shift()

  submit(connection: pg.Connection): void {
    const wire = asWire(connection)
    this.#wire = wire
    this.#known = preparedColumns.get(wire) ?? this.#known
    preparedColumns.set(wire, this.#known)
    this.#startTimers(wire)
    // All messages are sent in one write, which is one system call. On loopback, a system call takes longer than the
    // execution of a statement.
    const messages = this.#statements.flatMap((statement) => this.#messagesOf(wire, statement))
    if (this.#parsing.length > 0) wire.on('parseComplete', this.#shiftParsed)
    if (wire.stream.writable) wire.stream.write(Buffer.concat([...messages, serialize.sync()]))
  }

  /** Returns the protocol messages of one statement, which the server must parse first if it is new. */
  #messagesOf(wire: Wire, statement: BatchedStatement): Buffer[] {
    const { name, text, values } = statement
    const isPrepared =
      wire.parsedStatements[name] !== undefined || this.#parsing.some((earlier) => earlier.name === name)
    const isNew = name === '' || !isPrepared
    if (isNew) this.#parsing.push(statement)
    return [
      ...(isNew ? [serialize.parse({ name, text })] : []),
      serialize.bind({ statement: name, values: [...values] }),
      // After the first execution of a statement, its columns are stored, so later executions need no Describe message.
      ...(this.#known.has(name) ? [] : [serialize.describe({ type: 'P', name: '' })]),
      serialize.execute({ portal: '' }),
    ]
  }

  #startTimers(wire: Wire): void {
    const destroy = () => {
      if (!this.#isSettled) wire.stream.destroy(new ResponseTimeout())
    }
    const cancel = () => {
      if (!this.#isSettled) cancelStatement(this.#client)
    }
    // In a busy process, the timer may fire although the response has arrived, because the response has not been read
    // yet. setImmediate lets the process read the response first.
    this.#timers = [
      setTimeout(() => setImmediate(destroy), this.#limitMs),
      setTimeout(() => setImmediate(cancel), this.#limitMs * cancelShare),
    ]
  }

  handleRowDescription(message: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = columnsOf(
      message.fields.map(({ name, dataTypeID }) => ({ name: fieldOf(name), parse: parsers(dataTypeID) })),
    )
  }

  handleDataRow(message: { fields: readonly (string | null)[] }): void {
    this.#columns ??= this.#known.get(this.#statements[this.#results.length]?.name ?? '') ?? columnsOf([])
    try {
      this.#rows.push(rowOf(this.#columns, message.fields))
    } catch (error) {
      this.#rowError ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete(message: { text: string }): void {
    const statement = this.#statements[this.#results.length]
    if (statement === undefined) return
    const { name } = statement
    if (name !== '' && !this.#known.has(name)) this.#known.set(name, this.#columns ?? columnsOf([]))
    this.#results.push(this.#rowError ?? { rows: this.#rows, command: message.text })
    this.#columns = undefined
    this.#rows = []
    this.#rowError = undefined
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    const failed = this.#results.length
    // An error after every statement has completed comes from the implicit commit at the Sync message, so none of the
    // statements took effect.
    if (failed === this.#statements.length) this.#results.fill(error)
    this.#statements[failed]?.reject(error)
    for (const skipped of this.#statements.slice(failed + 1)) {
      skipped.reject(
        new StatementSkipped('The SQL statement was not run, because an earlier statement of the batch failed.', {
          cause: error,
        }),
      )
    }
    this.handleReadyForQuery()
  }

  /**
   * Settles the promises of the statements of this batch. They are settled only at the server's message ReadyForQuery,
   * because the server sends it when a statement outside a transaction is committed.
   */
  handleReadyForQuery(): void {
    this.#isSettled = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#wire?.off('parseComplete', this.#shiftParsed)
    for (const [index, result] of this.#results.splice(0).entries()) {
      const statement = this.#statements[index]
      if (result instanceof Error) statement?.reject(result)
      else statement?.resolve(result)
    }
  }
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

/** node-postgres exports `utils`, but its published types lack it. */
const { utils } = pg as typeof pg & { readonly utils: { prepareValue(value: unknown): unknown } }

/**
 * Converts a value to the format of the wire protocol. Throws for an invalid value. The conversion therefore runs
 * before anything is sent.
 */
export const toWireValue = utils.prepareValue

/**
 * The published types of node-postgres describe an older version of the connection's methods. The interface Wire
 * describes the version of node-postgres that this service uses.
 */
function asWire(connection: pg.Connection): Wire {
  return connection as unknown as Wire
}
