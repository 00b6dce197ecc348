/** The number of processes that share the rate limits, counted at regular intervals. */
export interface ProcessCount {
  /** Undefined until processes that started at the same time have counted each other. */
  latest(): number | undefined
  stop(): void
}

/** Registers this process, and returns the number of registered processes. */
export type CountProcesses = () => Promise<number>

/** A new process is counted within this time. A count is one statement for a few rows. */
const countEveryMs = 2_000

/** The number of processes while it cannot be counted. */
const assumedProcesses = 2

/** Starts counting. Without a function that counts, the assumed number applies. */
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
    // A failed count keeps the last number. Without a number, every request would wait for a report.
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
