import type { Log } from './log.ts'

/**
 * The recurring work of a process: sweeps, scheduled jobs, measurements and batches in the background. A failure of
 * such work never ends the process: the next run does the same work. For each kind of work, the log gets the first
 * failure and the recovery, even if many runs fail between them. /readyz names the kinds of work whose last run in this
 * process failed. The name of a kind is a fixed text from the code, such as `sweep.holdStrays`. It is public, so it
 * never contains an id.
 */
export interface RecurringWork {
  /** Records whether the named work succeeded. Rejects if the work rejects. */
  observe<Result>(name: string, run: () => Promise<Result>): Promise<Result>
  /**
   * Runs recurring work as `observe` does, but resolves with undefined after a failure instead of rejecting, because
   * the next run does the same work.
   */
  attempt<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined>
  failed(name: string, error: unknown): void
  succeeded(name: string): void
  /**
   * Returns the names of the recurring tasks whose last run in this process failed. The task that has failed for the
   * longest time comes first.
   */
  failing(): readonly string[]
}

function openRecurringWork(log: Log): RecurringWork {
  const failedRuns = new Map<string, number>()
  const failed = (name: string, error: unknown) => {
    const runs = failedRuns.get(name) ?? 0
    failedRuns.set(name, runs + 1)
    if (runs === 0) log.error({ work: name, err: error }, 'Recurring work failed. It is repeated until it succeeds.')
  }
  const succeeded = (name: string) => {
    const failures = failedRuns.get(name)
    if (failures === undefined) return
    failedRuns.delete(name)
    log.warn({ work: name, failures }, 'Recurring work succeeds again.')
  }
  const observe = async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await run()
      succeeded(name)
      return result
    } catch (error) {
      failed(name, error)
      throw error
    }
  }
  return {
    observe,
    attempt: (name, run) => observe(name, run).catch(() => undefined),
    failed,
    succeeded,
    failing: () => [...failedRuns.keys()],
  }
}

const records = new WeakMap<Log, RecurringWork>()

/**
 * Returns the record of recurring work for the logger of a process. All parts of a process use the same logger, and
 * therefore share one record.
 */
export function recurringWorkOf(log: Log): RecurringWork {
  const known = records.get(log)
  if (known !== undefined) return known
  const opened = openRecurringWork(log)
  records.set(log, opened)
  return opened
}
