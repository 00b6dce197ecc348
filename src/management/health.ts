import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { isUnavailable } from '../store/core/faults.ts'
import { type Check, type CheckName, type CheckResult, failed, passed, warned } from './check.ts'

/**
 * The health of this process: the latest result of each check. Checks run in the background. A probe therefore runs no
 * database query, and never waits for a database that does not respond.
 */
export interface Health {
  /** The process is not ready before the check has its first result. */
  add(check: Check): void
  markStarted(): void
  /** The process is not ready from now on. */
  markDraining(): void
  /** Records that a part of the process has ended unexpectedly. The process is neither ready nor live from now on. */
  markEnded(): void
  readiness(): Readiness
  isLive(): boolean
  noteProbe(): void
  /**
   * Reports whether a load balancer or supervisor probed the readiness of the process recently, and will therefore
   * notice when the readiness changes.
   */
  isProbed(): boolean
  stop(): void
}

export interface Readiness {
  readonly status: 'ready' | 'not_ready'
  readonly checks: readonly CheckReport[]
}

interface CheckReport {
  readonly name: CheckName
  readonly status: 'ok' | 'warning' | 'failed'
  readonly detail?: string
}

interface State {
  result: CheckResult
  atMs: number
  /** Age in milliseconds from which a successful result of the health check is out of date. */
  readonly maxAgeMs: number
  readonly withoutResult: (detail: string) => CheckResult
}

/**
 * Time limit of one run of a health check. A healthy check takes milliseconds. The database is checked every two
 * seconds, so a database server that hangs is reported within five seconds.
 */
const runLimitMs = 3_000

/**
 * Maximum delay of the result of a health check. A busy process runs its timers late, but not as late as this. A result
 * that is even later shows that the process was frozen.
 */
const lateMs = 5_000

/**
 * Delay until a failed check runs again, regardless of its interval, so that the end of a fault is reported within five
 * seconds.
 */
const failedEveryMs = 2_000

/**
 * Time within which common load balancers have probed the readiness twice: their longest probe interval is 30 seconds.
 */
const probedWithinMs = 60_000

type Phase = 'starting' | 'serving' | 'draining' | 'ended'

const phaseResults: Readonly<Record<Phase, CheckResult>> = {
  starting: failed('The process is starting.'),
  serving: passed,
  draining: failed('The process is stopping.'),
  ended: failed('A part of the process has ended.'),
}

/** `onProbe` is called at each probe of the readiness. */
export function openHealth(log: Log, onProbe: () => void = () => undefined): Health {
  const stopping = new AbortController()
  const states = new Map<CheckName, State>()
  let phase: Phase = 'starting'
  let probedAtMs = Number.NEGATIVE_INFINITY
  const advanceTo = (next: Phase) => {
    if (order.indexOf(next) > order.indexOf(phase)) phase = next
  }
  return {
    add: (check) => {
      const state: State = {
        result: failed('The health check has not run yet.'),
        atMs: performance.now(),
        maxAgeMs: check.everyMs + runLimitMs + lateMs,
        withoutResult: withoutResultOf(check),
      }
      states.set(check.name, state)
      void repeat(check, { state, record: recorder(check.name, state, log), stopping: stopping.signal })
    },
    markStarted: () => advanceTo('serving'),
    markDraining: () => advanceTo('draining'),
    markEnded: () => advanceTo('ended'),
    readiness: () => readinessOf(phaseResults[phase], states),
    isLive: () => phase !== 'ended',
    noteProbe: () => {
      // A readiness probe is recorded only while the process serves requests. While the process starts or stops, its
      // readiness fails, so the load balancer sends no requests after the probe.
      if (phase === 'serving') probedAtMs = performance.now()
      onProbe()
    },
    isProbed: () => performance.now() - probedAtMs < probedWithinMs,
    stop: () => stopping.abort(),
  }
}

/** A process never returns to an earlier phase. */
const order: readonly Phase[] = ['starting', 'serving', 'draining', 'ended']

type Recorder = (result: CheckResult, error?: unknown) => void

/**
 * Returns a function that stores each result of a health check. The function also logs the result if the outcome
 * differs from that of the previous check.
 */
function recorder(name: CheckName, state: State, log: Log): Recorder {
  let last: CheckResult['is'] = 'passed'
  return (result, error) => {
    state.result = result
    state.atMs = performance.now()
    if (result.is === last) return
    last = result.is
    if (result.is === 'passed') log.info({ check: name }, 'A health check passes again.')
    else log.warn({ check: name, detail: result.detail, err: error }, 'A health check reports a problem.')
  }
}

interface Repetition {
  readonly state: Pick<State, 'result'>
  readonly record: Recorder
  readonly stopping: AbortSignal
}

/** A run starts only after the previous run has ended. */
async function repeat(check: Check, { state, record, stopping }: Repetition): Promise<void> {
  while (!stopping.aborted) {
    await runOnce(check, (result, error) => {
      if (!stopping.aborted) record(result, error)
    })
    const everyMs = state.result.is === 'failed' ? Math.min(check.everyMs, failedEveryMs) : check.everyMs
    await wait(everyMs, undefined, { ref: false, signal: stopping }).catch(() => undefined)
  }
}

function withoutResultOf({ withoutResult }: Check): State['withoutResult'] {
  return withoutResult === 'warned' ? warned : failed
}

/**
 * Runs a health check once. A check without a result at the time limit is treated as failed, or as a warning if the
 * check can only warn. A new run starts only after this run has ended.
 */
async function runOnce(check: Check, record: Recorder): Promise<void> {
  let isEnded = false
  const late = () => {
    if (!isEnded) record(withoutResultOf(check)(`The health check had no result within ${runLimitMs / 1000} s.`))
  }
  // In a busy process the timer fires late although the result may have arrived. setImmediate lets the result be read
  // first.
  const timer = setTimeout(() => setImmediate(late), runLimitMs)
  timer.unref()
  try {
    const result = await check.run()
    isEnded = true
    record(result)
  } catch (error) {
    isEnded = true
    record(withoutResultOf(check)(detailOf(error)), error)
  } finally {
    clearTimeout(timer)
  }
}

/** Never contains the error message, which may contain an address or a role. */
function detailOf(error: unknown): string {
  return isUnavailable(error)
    ? 'The database cannot be reached.'
    : 'The health check ended with an error, which is in the log.'
}

function readinessOf(process: CheckResult, states: ReadonlyMap<CheckName, State>): Readiness {
  const checks = [reportOf('process', process)]
  for (const [name, state] of states) checks.push(reportOf(name, currentOf(state)))
  return { status: checks.some(({ status }) => status === 'failed') ? 'not_ready' : 'ready', checks }
}

/**
 * A passed result is valid only until its maximum age: an older result means that the process was frozen, or that its
 * timers do not run.
 */
function currentOf({ result, atMs, maxAgeMs, withoutResult }: State): CheckResult {
  const ageMs = performance.now() - atMs
  if (result.is === 'failed' || ageMs <= maxAgeMs) return result
  return withoutResult(`The last health check was ${Math.round(ageMs / 1000)} s ago.`)
}

const statuses = { passed: 'ok', warned: 'warning', failed: 'failed' } as const

function reportOf(name: CheckName, result: CheckResult): CheckReport {
  const status = statuses[result.is]
  return result.is === 'passed' ? { name, status } : { name, status, detail: result.detail }
}
