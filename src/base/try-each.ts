/**
 * Runs independent steps one after another. After a failure, the remaining steps still run, and the error or errors are
 * thrown after the last one. The cause of several errors is the first one.
 */
export async function tryEach(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  const [first] = failures
  if (failures.length === 1) throw first
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} steps failed. First: ${messageOf(first)}`, { cause: first })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
