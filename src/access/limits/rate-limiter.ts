import { LRUCache } from 'lru-cache'
import { moved, type RatePolicy, refillMs, remaining, waitMs } from './allowance.ts'
import { type CountProcesses, openProcessCount } from './process-count.ts'

/**
 * Limits requests per key by the generic cell rate algorithm (GCRA), across all processes. A request usually costs no
 * database round trip: each process decides by the last known arrival time of the key and its own requests since then.
 * It reports these requests to the database in the background, with one statement for all keys. To keep the error below
 * a tenth of the quota, the processes together accept at most a tenth of the quota without a report; all further
 * requests wait for the next report. A rejected request never waits.
 *
 * The arrival time in the database contains every accepted request, so requests above the quota reduce the quota
 * afterwards: over time, the sum is exact. While the database does not respond, each process decides alone.
 */
export interface RateLimiter {
  /** Takes one request from the quota of each key, or from none of them. */
  take(uses: readonly Use[]): Verdict | Promise<Verdict>
  /**
   * Returns the rejection that a request would get, without counting the request. Undefined if the request would be
   * accepted.
   */
  rejection(uses: readonly Use[]): Rejected | undefined
  /** Returns the state of the rate limit policy of each key without taking a request from a quota. */
  standings(uses: readonly Use[]): readonly Standing[]
  stop(): void
}

export interface Use {
  readonly key: string
  readonly policy: RatePolicy
}

export type Verdict = { readonly is: 'accepted'; readonly standings: readonly Standing[] } | Rejected

export interface Rejected {
  readonly is: 'rejected'
  readonly standing: Standing
  readonly waitMs: number
}

/** The state of a rate limit policy after a decision about a request. */
export interface Standing {
  readonly policy: RatePolicy
  readonly remaining: number
  /** Milliseconds until the whole quota is available or, if nothing remains, until the next request is accepted. */
  readonly resetMs: number
}

/**
 * Adds requests to the shared arrival times of their keys. Returns by key how far its arrival time is ahead of now, in
 * ms.
 */
export type ReportUses = (charges: readonly Charge[]) => Promise<ReadonlyMap<string, number>>

export interface Charge {
  readonly key: string
  /**
   * Milliseconds by which the report moves the arrival time of the rate limit key. Negative when requests that waited
   * for the report were rejected.
   */
  readonly chargeMs: number
  /**
   * Milliseconds since the first reported request was accepted. The quota has refilled during this time, even if the
   * report is late.
   */
  readonly ageMs: number
}

export interface RateLimiterOptions {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  /**
   * Adds requests to the arrival times that all processes share. Undefined for a process that limits requests without
   * other processes.
   */
  readonly report?: ReportUses | undefined
  /** Function that counts the processes. Without it, the rate limiter assumes that two processes share the limits. */
  readonly countProcesses?: CountProcesses | undefined
  /** Calls a function after a delay, and returns a function that cancels the call. Tests replace it. */
  readonly after?: (ms: number, run: () => void) => () => void
}

interface Account {
  readonly key: string
  policy: RatePolicy
  /**
   * Theoretical arrival time of the rate limit key: the shared arrival time at the last report, moved by the requests
   * of this process since then.
   */
  arrivalMs: number
  /** Number of requests of the rate limit key since the last report to the database. */
  unreported: number
  /** Number of requests of the rate limit key in the report that is being sent to the database. */
  reporting: number
  /** When the first request of the rate limit key was accepted that is in no report yet. */
  unreportedSinceMs: number
}

/**
 * Maximum number of rate limit keys in memory: enough for the three rate limits of several thousand tokens in use at
 * the same time. A key that was dropped from memory costs one more report.
 */
const accountsMax = 20_000

/** Interval of rate limit reports in milliseconds. A process then sends at most ten small statements a second. */
const reportEveryMs = 100

/** Maximum number of keys in one report: a statement of a few milliseconds, far below the timeout of the database. */
const reportedAtOnce = 500

/**
 * Maximum time that a request waits for a report, which normally takes milliseconds. After that, this process decides
 * alone.
 */
const reportWaitMs = 250

/** Milliseconds for which the process decides alone after a failed report, before it reports again. */
const aloneMs = 1_000

export function openRateLimiter({ nowMs, report, countProcesses, after = afterMs }: RateLimiterOptions): RateLimiter {
  const accounts = new LRUCache<string, Account>({ max: accountsMax })
  const processes = openProcessCount(countProcesses, after)
  const reports = report && openReports({ nowMs, report, after })

  /** Returns the rate limit account of a key that was used before: its arrival time and unreported requests. */
  const knownOf = ({ key, policy }: Use): Account | undefined => {
    const known = accounts.get(key)
    // The operator may have changed the rate limit of the key. Its arrival time stays valid.
    if (known !== undefined) known.policy = policy
    return known
  }

  const accountOf = (use: Use): Account => {
    const known = knownOf(use)
    if (known !== undefined) return known
    const { key, policy } = use
    const account = { key, policy, arrivalMs: Number.NEGATIVE_INFINITY, ...nothingUnreported }
    accounts.set(key, account)
    return account
  }

  const fullOf = (all: readonly Account[]) =>
    slowestOf(all, ({ policy, arrivalMs }) => waitMs(policy, arrivalMs, nowMs()))

  const charge = (all: readonly Account[], requests: 1 | -1) => {
    for (const account of all) {
      account.arrivalMs = moved(account.policy, account.arrivalMs, { nowMs: nowMs(), requests })
      if (account.unreported === 0) account.unreportedSinceMs = nowMs()
      account.unreported += requests
      reports?.add(account)
    }
  }

  const takeReported = async (all: readonly Account[], waiting: Promise<void>): Promise<Verdict> => {
    await waiting
    const late = slowestOf(all, (account) => overdrawnMs(account, nowMs()))
    if (late === undefined) return accepted(all, nowMs())
    charge(all, -1)
    return rejected(late, nowMs())
  }

  return {
    take: (uses) => {
      const all = uses.map(accountOf)
      const full = fullOf(all)
      if (full !== undefined) return rejected(full, nowMs())
      const mustWait =
        reports !== undefined &&
        all.some(
          ({ policy, unreported, reporting }) => unreported + reporting >= unreportedMax(policy, processes.latest()),
        )
      charge(all, 1)
      const waiting = mustWait ? reports.next() : undefined
      return waiting === undefined ? accepted(all, nowMs()) : takeReported(all, waiting)
    },
    rejection: (uses) => {
      // A key without a rate limit account has its whole quota. No account is created here, so that no other account is
      // evicted.
      const full = fullOf(uses.map(knownOf).filter((account) => account !== undefined))
      return full && rejected(full, nowMs())
    },
    standings: (uses) => uses.map((use) => standingOf(accountOf(use), nowMs())),
    stop: () => {
      processes.stop()
      reports?.stop()
    },
  }
}

const nothingUnreported = { unreported: 0, reporting: 0, unreportedSinceMs: 0 }

/**
 * Returns the number of requests that a process accepts without a report to the database. Each process may accept this
 * number after other processes have used the whole quota, so the numbers of all processes together are a tenth of the
 * quota. A process that runs alone counts every request itself, but a process that it does not know may have just
 * started.
 */
function unreportedMax({ quota }: RatePolicy, processes: number | undefined): number {
  if (processes === undefined) return 0
  if (processes === 1) return Math.max(1, Math.floor(quota / 20))
  return Math.floor(quota / (10 * processes))
}

/**
 * Returns the rate limit account whose request must wait longest, because a request must wait for all of its accounts.
 * Undefined when the request need not wait for any account.
 */
function slowestOf(all: readonly Account[], waitOf: (account: Account) => number): Account | undefined {
  let slowest: Account | undefined
  let longestMs = 0
  for (const account of all) {
    const ms = waitOf(account)
    if (ms <= longestMs) continue
    slowest = account
    longestMs = ms
  }
  return slowest
}

/**
 * Returns the remaining wait of a request that waited for the rate limit report; 0 when the shared quota allows the
 * request.
 */
function overdrawnMs({ policy, arrivalMs }: Account, nowMs: number): number {
  return waitMs(policy, arrivalMs - refillMs(policy), nowMs)
}

function accepted(all: readonly Account[], nowMs: number): Verdict {
  return { is: 'accepted', standings: all.map((account) => standingOf(account, nowMs)) }
}

function rejected(account: Account, nowMs: number): Rejected {
  const { policy, arrivalMs } = account
  return { is: 'rejected', standing: standingOf(account, nowMs), waitMs: waitMs(policy, arrivalMs, nowMs) }
}

function standingOf({ policy, arrivalMs }: Account, nowMs: number): Standing {
  const left = remaining(policy, arrivalMs, nowMs)
  const resetMs = left === 0 ? waitMs(policy, arrivalMs, nowMs) : Math.max(0, arrivalMs - nowMs)
  return { policy, remaining: left, resetMs }
}

interface Reports {
  /** Adds the requests of a rate limit account to the next report. */
  add(account: Account): void
  /**
   * Returns a promise that resolves after the next rate limit report, or after the time limit of a report. Undefined
   * while the process decides without reports.
   */
  next(): Promise<void> | undefined
  stop(): void
}

/** Sends the reports one after another: at once when a request waits for a report, otherwise at intervals. */
function openReports({
  nowMs,
  report,
  after,
}: Required<Pick<RateLimiterOptions, 'nowMs' | 'after'>> & { report: ReportUses }): Reports {
  const pending = new Map<string, Account>()
  const waiters: (() => void)[] = []
  let cancel: (() => void) | undefined
  let isRunning = false
  let isStopped = false
  let aloneUntilMs = Number.NEGATIVE_INFINITY

  /**
   * Lets this process decide about all requests without the shared arrival times until the given time, also about
   * requests that wait for a later report.
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
      // The next rate limit report starts only after the late report has ended. The timeout of its database statement
      // ends the late report at the latest.
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
    // Reports have failed for so long that the quota of the oldest requests has refilled. The oldest requests therefore
    // need no report.
    if (pending.size >= accountsMax && oldest !== undefined) pending.delete(oldest[0])
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

function takeUnreported(account: Account): number {
  const { unreported } = account
  account.reporting = unreported
  account.unreported = 0
  return unreported
}

function chargeOf({ key, policy, unreported, unreportedSinceMs }: Account, nowMs: number): Charge {
  const isGivenBack = unreported <= 0
  return {
    key,
    chargeMs: unreported * refillMs(policy),
    ageMs: isGivenBack ? 0 : Math.max(0, nowMs - unreportedSinceMs),
  }
}

/**
 * Sets the arrival time of a rate limit account to the shared arrival time, and adds the requests that arrived after
 * the report was sent.
 */
function adopt(account: Account, sharedMs: number): void {
  account.arrivalMs = sharedMs + account.unreported * refillMs(account.policy)
}

/**
 * Keeps the requests of a failed report for the next report, except requests whose quota has refilled since they were
 * accepted.
 */
function restore(account: Account, requests: number, nowMs: number): void {
  const counted = Math.ceil(Math.max(0, account.arrivalMs - nowMs) / refillMs(account.policy))
  account.unreported = Math.min(account.unreported + requests, counted)
  account.unreportedSinceMs = nowMs
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
