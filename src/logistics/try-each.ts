/** Steps of which none waits for another’s success: each is tried, and what failed is thrown when the last has had its turn. */
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
    throw new AggregateError(failures, `${failures.length} steps failed. First: ${wordsOf(first)}`)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
