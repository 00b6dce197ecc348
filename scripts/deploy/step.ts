/** Prints the duration of the step. An error in the step ends the whole check. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now()
  const result = await work()
  console.log(`ok  ${name.padEnd(24)} ${((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)} s`)
  return result
}
