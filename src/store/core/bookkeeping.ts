import type { Database, WriteTrx } from './database.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { openTransaction } from './transaction.ts'

/**
 * A transaction of the worker's own bookkeeping, such as the result of an attempt. It is not a merchant's mutation:
 * those go through mutate(), which cannot leave out the audit row.
 */
export function bookkeep<Result>(database: Database, run: (trx: WriteTrx) => Promise<Result>): Promise<Result> {
  return retryConflicts(async () => {
    const transaction = openTransaction(await database.connect())
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
