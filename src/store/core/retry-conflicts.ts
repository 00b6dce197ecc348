import { isRetryable } from './faults.ts'

/**
 * Maximum number of attempts to run a transaction. The second attempt after a deadlock or a unique violation usually
 * succeeds; the third is a reserve.
 */
const attemptsMax = 3

/** Retries a transaction after an error for which isRetryable() is true. The error has rolled the transaction back. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error
    }
  }
}
