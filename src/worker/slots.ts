/**
 * Lets so many run at once in this process and passes over the rest: their rows are still due, so the next pulse calls
 * for them again.
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
