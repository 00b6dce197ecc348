import type pg from 'pg'
import { type BatchedStatement, type BatchResult, submitBatch, toWireValue } from './batch.ts'
import type { Statement } from './statement.ts'

/** A connection on which statements that are asked for in the same turn of the event loop travel together. */
export interface Channel {
  run<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<readonly Row[]>
  command(text: 'begin' | 'commit' | 'rollback'): Promise<BatchResult>
  /** Why a statement could not even be sent. Nothing may be committed then: something of it is missing. */
  unsent(): unknown
}

/** How long the server may take for an answer on a connection, set anew for each loan of it. */
const responseLimits = new WeakMap<pg.PoolClient, number>()

export function limitResponses(client: pg.PoolClient, limitMs: number): void {
  responseLimits.set(client, limitMs)
}

export function openChannel(client: pg.PoolClient): Channel {
  let waiting: BatchedStatement[] = []
  let unsent: unknown
  const push = (name: string, text: string, values: readonly unknown[]): Promise<BatchResult> => {
    // Runs when the promises that are ready have run, which is when everything that can be asked for has been.
    if (waiting.length === 0) process.nextTick(flush)
    const promise = new Promise<BatchResult>((resolve, reject) => waiting.push({ name, text, values, resolve, reject }))
    // A failure is looked at when its turn comes; until then it must not count as unhandled.
    promise.catch(() => undefined)
    return promise
  }
  const wireValues = <Args, Row>(statement: Statement<Args, Row>, args: Args): unknown[] => {
    try {
      return statement.bind(args).map(toWireValue)
    } catch (error) {
      unsent ??= error
      throw error
    }
  }
  const flush = () => {
    const statements = waiting
    waiting = []
    submitBatch(client, statements, responseLimits.get(client))
  }
  return {
    run: async <Args, Row>(statement: Statement<Args, Row>, args: Args) => {
      const { rows } = await push(statement.name, statement.text, wireValues(statement, args))
      return asRows<Row>(rows)
    },
    command: (text) => push(text, text, []),
    unsent: () => unsent,
  }
}

/** A statement's row type is what Kysely says its text returns. */
function asRows<Row>(rows: readonly unknown[]): readonly Row[] {
  return rows as readonly Row[]
}
