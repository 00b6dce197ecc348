/** The number of processes that share the rate limits, counted at regular intervals. */
export interface ProcessCount {
  /** Undefined until processes that started at the same time have counted each other. */
  latest(): number | undefined
  stop(): void
}

/** Registers this process, and returns the number of registered processes. */
export type CountProcesses = () => Promise<number>

/** The others count a process that has started after this time. A count is one statement for a few rows. */
const countEveryMs = 2_000

/** Starts counting. Without a function that counts, there are two processes. */
export function openProcessCount(
  countProcesses: CountProcesses | undefined,
  after: (ms: number, run: () => void) => () => void,
): ProcessCount {
  if (countProcesses === undefined) return { latest: () => 2, stop: () => undefined }
  let counts = 0
  let latest: number | undefined
  let isStopped = false
  let cancel: (() => void) | undefined
  const run = async () => {
    try {
      const found = await countProcesses()
      counts += 1
      if (counts > 1) latest = found
    } catch {
      // The database does not respond, so each process decides alone.
    }
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
