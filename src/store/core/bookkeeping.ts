import { awaitedLater } from './channel.ts'
import type { Database, WriteTrx } from './database.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { openTransaction } from './transaction.ts'

/**
 * Runs a transaction for internal bookkeeping of the worker, such as the result of a delivery attempt. Changes to a
 * merchant's records use mutate() instead, which always writes an audit row.
 */
export function bookkeep<Result>(database: Database, run: (trx: WriteTrx) => Promise<Result>): Promise<Result> {
  return retryConflicts(async () => {
    const transaction = openTransaction(database)
    let result: Result
    try {
      result = await run(transaction.trx)
    } catch (error) {
      throw await transaction.abandon(error)
    }
    await transaction.end('commit', Promise.resolve())
    return result
  })
}

/**
 * Runs a transaction like bookkeep(), for statements that do not depend on each other's results. The commit is sent
 * together with the statements, and the result is returned once the commit has succeeded.
 */
export function bookkeepAtOnce<Result>(database: Database, send: (trx: WriteTrx) => Promise<Result>): Promise<Result> {
  return bookkeepInSteps(database, async () => undefined, send)
}

/**
 * Runs a transaction of two steps. The statements of `send` depend on the result of `find`, but not on each other's
 * results. They are therefore sent together with the commit.
 */
export function bookkeepInSteps<Found, Result>(
  database: Database,
  find: (trx: WriteTrx) => Promise<Found>,
  send: (trx: WriteTrx, found: Found) => Promise<Result>,
): Promise<Result> {
  return retryConflicts(async () => {
    const transaction = openTransaction(database)
    let found: Found
    try {
      found = await find(transaction.trx)
    } catch (error) {
      throw await transaction.abandon(error)
    }
    const result = awaitedLater(send(transaction.trx, found))
    await transaction.end('commit', result)
    return result
  })
}
