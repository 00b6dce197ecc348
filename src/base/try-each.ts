/**
 * Runs independent steps one after another. If a step fails, the remaining steps still run. A single error is then
 * thrown unchanged. Several errors are thrown as one AggregateError, whose cause is the first error.
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
