/** The number of processes that share the rate limits, counted at regular intervals. */
export interface ProcessCount {
  /**
   * The latest number of processes. Undefined until the second count, because the first count may miss processes that
   * are starting at the same time.
   */
  latest(): number | undefined
  stop(): void
}

/** Registers this process, and returns the number of registered processes. */
export type CountProcesses = () => Promise<number>

/**
 * Interval in milliseconds at which processes are counted: the maximum time until a new process is noticed. It can be
 * short, because a count reads only a few rows.
 */
const countEveryMs = 2_000

/** Number of processes that the rate limiter assumes while the processes cannot be counted. */
const assumedProcesses = 2

/** Without a counting function, the rate limiter assumes a fixed number of processes. */
export function openProcessCount(
  countProcesses: CountProcesses | undefined,
  after: (ms: number, run: () => void) => () => void,
): ProcessCount {
  if (countProcesses === undefined) return { latest: () => assumedProcesses, stop: () => undefined }
  let counts = 0
  let latest: number | undefined
  let isStopped = false
  let cancel: (() => void) | undefined
  const run = async () => {
    // If a count of the processes fails, the last number is used. If the number were unknown, every request would have
    // to wait for a report to the database.
    const found = await countProcesses().catch(() => latest ?? assumedProcesses)
    counts += 1
    if (counts > 1) latest = found
    if (!isStopped) cancel = after(countEveryMs, () => void run())
  }
  void run()
  return {
    latest: () => latest,
    stop: () => {
      isStopped = true
      cancel?.()
    },
  }
}
