/**
 * Returns a function that runs jobs, at most `count` of them at once in this process. While `count` jobs are running,
 * the function skips further jobs. The due rows that a skipped job would have processed stay due, so the next sweep
 * adds the job again.
 */
export function openSlots(count: number): (run: () => Promise<unknown>) => Promise<void> {
  let taken = 0
  return async (run) => {
    if (taken >= count) return
    taken += 1
    try {
      await run()
    } finally {
      taken -= 1
    }
  }
}
