import type { Database, WriteTrx } from './database.ts'
import { isWorthRepeating } from './faults.ts'
import { openTransaction } from './transaction.ts'

/** A deadlock ends on the second try; a third allows for bad luck. */
const tries = 3

/** Repeats what lost a race; whatever it did was rolled back. */
export async function persist<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= tries || !isWorthRepeating(error)) throw error
    }
  }
}

/**
 * A transaction of the worker's own bookkeeping, such as the result of an attempt. It is not a merchant's mutation:
 * those go through mutate(), which cannot leave out the audit row.
 */
export function bookkeep<Result>(database: Database, run: (trx: WriteTrx) => Promise<Result>): Promise<Result> {
  return persist(async () => {
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
