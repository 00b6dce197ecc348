import { LRUCache } from 'lru-cache'
import { type Account, nothingUnreported } from './account.ts'
import { moved, type RatePolicy, refillMs, remaining, waitMs } from './allowance.ts'
import { type CountProcesses, openProcessCount } from './process-count.ts'
import { openReports, type ReportUses } from './reports.ts'

/**
 * Limits requests per key by the generic cell rate algorithm (GCRA), across all processes. A request usually costs no
 * database round trip: each process decides by the last known arrival time of the key and the requests that the process
 * has accepted since then. It reports these requests to the database in the background, with one statement for all
 * keys. To keep the error below a tenth of the quota, the processes together accept at most a tenth of the quota
 * without a report; all further requests wait for the next report. A rejected request never waits.
 *
 * The arrival time in the database includes every accepted request, so requests above the quota reduce the quota
 * afterwards. Over time, the number of accepted requests is therefore exact. While the database does not respond, each
 * process decides alone.
 */
export interface RateLimiter {
  /** Takes one request from the quota of every given key, or from none of them if one of the quotas is used up. */
  take(uses: readonly Use[]): Verdict | Promise<Verdict>
  /**
   * Checks the rate limits of a request without counting the request. Returns the rejection that the request would get,
   * or undefined if it would be accepted.
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

export interface RateLimiterOptions {
  /** Returns the current time of a monotonic clock, in milliseconds. */
  readonly nowMs: () => number
  /**
   * Reports the accepted requests to the database, which stores the arrival times that all processes share. Undefined
   * if this process applies the limits to its own requests only.
   */
  readonly report?: ReportUses | undefined
  /**
   * Function that counts the API processes. Without this function, the rate limiter assumes that two processes share
   * the limits.
   */
  readonly countProcesses?: CountProcesses | undefined
  /**
   * The timer: calls a function after a delay, and returns a function that cancels the call. Tests replace this timer.
   */
  readonly after?: (ms: number, run: () => void) => () => void
}

/**
 * Maximum number of rate limit keys in memory: enough for the three rate limits of several thousand tokens in use at
 * the same time. If a key is dropped from memory, its next request causes one additional report to the database.
 */
const accountsMax = 20_000

export function openRateLimiter({ nowMs, report, countProcesses, after = afterMs }: RateLimiterOptions): RateLimiter {
  const accounts = new LRUCache<string, Account>({ max: accountsMax })
  const processes = openProcessCount(countProcesses, after)
  const reports = report && openReports({ nowMs, report, after, pendingMax: accountsMax })

  const knownOf = ({ key, policy }: Use): Account | undefined => {
    const known = accounts.get(key)
    // The operator may have changed the rate limit of the key since its last request, so the account gets the current
    // limit. If its window is shorter, the arrival time may be so far ahead that it would block the key for the window
    // of the previous limit.
    if (known !== undefined && known.policy.seconds > policy.seconds) {
      known.arrivalMs = Math.min(known.arrivalMs, nowMs() + policy.seconds * 1000)
    }
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

/**
 * Returns the number of requests that a process accepts without a report to the database. A process may accept this
 * many requests even after other processes have used the whole quota. The numbers of all processes together are
 * therefore limited to a tenth of the quota. A process that counts no other process gets half of this tenth, because a
 * second process may have started after the count.
 */
function unreportedMax({ quota }: RatePolicy, processes: number | undefined): number {
  if (processes === undefined) return 0
  if (processes === 1) return Math.max(1, Math.floor(quota / 20))
  return Math.floor(quota / (10 * processes))
}

/**
 * Returns the rate limit account for which a request must wait longest: a request waits until all of its accounts allow
 * it. Undefined when no account makes the request wait.
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
 * Returns the milliseconds that a request must still wait after the process has reported the request to the database.
 * Returns 0 if the request is within the quota that all processes share.
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

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
