import { type Account, adopt, type Charge, chargeOf, restore, takeUnreported } from './account.ts'

/**
 * Reports the requests of this process to the database. For each rate limit key, the database stores the theoretical
 * arrival time (GCRA), which all processes share.
 */

/**
 * Charges requests to the rate limits that all processes share in the database: moves the theoretical arrival time
 * (GCRA) of each rate limit key. Returns, for each key, the milliseconds from now until its new arrival time.
 */
export type ReportUses = (charges: readonly Charge[]) => Promise<ReadonlyMap<string, number>>

export interface Reports {
  add(account: Account): void
  /**
   * Returns a promise that resolves when the next rate limit report to the database is complete, or when the time limit
   * of the report has passed. Undefined while the process applies the rate limits only to its own requests, such as
   * after a failed report.
   */
  next(): Promise<void> | undefined
  stop(): void
}

/** Interval of rate limit reports in milliseconds. A process then sends at most ten small statements a second. */
const reportEveryMs = 100

/**
 * Maximum number of keys in one report. The statement of such a report takes a few milliseconds, far less than the
 * timeout of the database.
 */
const reportedAtOnce = 500

/**
 * Maximum time in milliseconds that a request waits while its process reports the accepted requests to the database.
 * Such a report normally takes a few milliseconds. After this time, the process applies the rate limit to its own
 * requests alone.
 */
const reportWaitMs = 250

/**
 * Milliseconds between a failed report to the database and the next report. During this time, the process applies the
 * rate limits to its own requests alone.
 */
const aloneMs = 1_000

interface ReportsOptions {
  /** Returns the current time of a monotonic clock, in milliseconds. */
  readonly nowMs: () => number
  readonly report: ReportUses
  /** Calls a function after a delay, and returns a function that cancels the call. */
  readonly after: (ms: number, run: () => void) => () => void
  /** Maximum number of rate limit accounts with requests that are not yet reported to the database. */
  readonly pendingMax: number
}

/** Sends the reports one after another: at once when a request waits for a report, otherwise at intervals. */
export function openReports({ nowMs, report, after, pendingMax }: ReportsOptions): Reports {
  const pending = new Map<string, Account>()
  const waiters: (() => void)[] = []
  let cancel: (() => void) | undefined
  let isRunning = false
  let isStopped = false
  let aloneUntilMs = Number.NEGATIVE_INFINITY

  /**
   * Until the given time, this process accepts or rejects requests without reports to the database. Requests that
   * already wait for the next report to the database are accepted or rejected at once.
   */
  const decideAloneUntil = (untilMs: number) => {
    aloneUntilMs = untilMs
    wake(waiters.splice(0))
  }

  const run = async () => {
    const batch = [...pending.values()].slice(0, reportedAtOnce)
    for (const { key } of batch) pending.delete(key)
    const waiting = waiters.splice(0)
    let isLate = false
    const cancelWait = after(reportWaitMs, () => {
      isLate = true
      // The report to the database takes too long, so the waiting requests are decided without the database. The next
      // report starts when this report has ended, at the latest when its statement times out.
      decideAloneUntil(Number.POSITIVE_INFINITY)
      wake(waiting)
    })
    const startMs = nowMs()
    const sent = batch.map((account) => ({
      account,
      charge: chargeOf(account, startMs),
      requests: takeUnreported(account),
    }))
    try {
      const aheads = await report(sent.map(({ charge }) => charge))
      for (const { account } of sent) adopt(account, startMs + (aheads.get(account.key) ?? 0))
      if (isLate) decideAloneUntil(nowMs() + aloneMs)
    } catch {
      decideAloneUntil(nowMs() + aloneMs)
      for (const { account, requests } of sent) restore(account, requests, nowMs())
      for (const { account } of sent) add(account)
    } finally {
      for (const { account } of sent) account.reporting = 0
      cancelWait()
      wake(waiting)
    }
  }

  const schedule = () => {
    if (isRunning || isStopped || (pending.size === 0 && waiters.length === 0)) return
    const isAlone = nowMs() < aloneUntilMs
    const delayMs = isAlone ? aloneMs : waiters.length > 0 ? 0 : reportEveryMs
    cancel?.()
    cancel = after(delayMs, () => {
      cancel = undefined
      isRunning = true
      void run().finally(() => {
        isRunning = false
        schedule()
      })
    })
  }

  const add = (account: Account) => {
    const [oldest] = pending
    // The queue of rate limit accounts (one for each key) is full only if reports to the database have failed for a
    // long time. By then, the quotas of the oldest accounts have refilled, so the oldest account can be removed.
    if (pending.size >= pendingMax && oldest !== undefined) pending.delete(oldest[0])
    pending.set(account.key, account)
    if (cancel === undefined) schedule()
  }

  return {
    add,
    next: () => {
      if (nowMs() < aloneUntilMs || isStopped) return undefined
      const waiting = new Promise<void>((resolve) => waiters.push(resolve))
      schedule()
      return waiting
    },
    stop: () => {
      isStopped = true
      cancel?.()
      wake(waiters.splice(0))
    },
  }
}

function wake(waiting: readonly (() => void)[]): void {
  for (const resolve of waiting) resolve()
}
