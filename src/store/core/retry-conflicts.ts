import { isRetryable } from './faults.ts'

/** A deadlock or a lost race for a unique name ends on the second try; a third allows for bad luck. */
const tries = 3

/** Repeats a transaction that lost a race; whatever it did was rolled back. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= tries || !isRetryable(error)) throw error
    }
  }
}
