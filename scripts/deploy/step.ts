/** Runs one step of a check and prints its duration. A failed step ends the check with its error. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now()
  const result = await work()
  console.log(`ok  ${name.padEnd(24)} ${((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)} s`)
  return result
}
