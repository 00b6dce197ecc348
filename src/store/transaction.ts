import type pg from 'pg'
import { query, type WriteTrx } from './database.ts'
import type { Statement } from './statement.ts'

export interface Transaction {
  readonly trx: WriteTrx
  /** Ends it and gives the connection back. Rejects with the first failure, of which the server kept nothing. */
  end(how: 'commit' | 'rollback', last: Promise<unknown>): Promise<void>
  /** Undoes it and tells the failure that came first: later ones only say that the transaction is aborted. */
  abandon(error: unknown): Promise<unknown>
}

/**
 * Opens a transaction on a pipelined connection: statements are sent as they come, without waiting for one another.
 * `begin` and the guard travel with the first statement, `commit` with the last. If any statement fails, PostgreSQL
 * answers every later one with an error and turns the commit into a rollback, so sending ahead is safe.
 */
export function openTransaction(
  client: pg.PoolClient,
  guard?: ((trx: WriteTrx) => Promise<void>) | undefined,
): Transaction {
  const queued: Promise<unknown>[] = []
  let gate: Promise<unknown> = send(client.query('begin'))
  const execute = async <Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]> => {
    const result = send(client.query(query(statement, args)))
    await gate
    return (await result).rows
  }
  const trx: WriteTrx = {
    read: execute,
    write: execute,
    queue: (statement, args) => {
      queued.push(send(client.query(query(statement, args))))
    },
  }
  if (guard !== undefined) {
    const begun = gate
    gate = send(guard(trx).then(() => begun))
  }
  return {
    trx,
    end: (how, last) => end(client, how, [gate, ...queued, last]),
    abandon: async (error) => {
      await rollback(client)
      const failed = (await Promise.allSettled([gate, ...queued])).find((outcome) => outcome.status === 'rejected')
      return failed?.reason ?? error
    },
  }
}

/** A failure is looked at when its turn comes; until then it must not count as unhandled. */
function send<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

async function end(
  client: pg.PoolClient,
  how: 'commit' | 'rollback',
  sent: readonly Promise<unknown>[],
): Promise<void> {
  const ended = send(client.query(how))
  try {
    for (const promise of sent) await promise
    const { command } = await ended
    if (how === 'commit' && command !== 'COMMIT') throw new Error('The transaction was rolled back by the server.')
    client.release()
  } catch (error) {
    await ended.then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}
