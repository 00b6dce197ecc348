/**
 * Returns a function that runs at most `count` jobs at once in this process and skips further jobs. The rows of a
 * skipped job stay due, so the next sweep adds the job again.
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
