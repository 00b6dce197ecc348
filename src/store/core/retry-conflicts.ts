import { isRetryable } from './faults.ts'

/**
 * Maximum number of attempts to run a transaction. After a deadlock or a unique violation, the second attempt usually
 * succeeds. The third attempt is for the rare case that the second attempt fails too.
 */
const attemptsMax = 3

/**
 * Runs a transaction, and retries it after an error for which isRetryable() is true. The error has rolled the transaction
 * back. `isRetry` is true when `run` runs again.
 */
export async function retryConflicts<Result>(run: (isRetry: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(attempt > 1)
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error
    }
  }
}
