import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { isUnavailable } from '../store/core/faults.ts'
import { type Check, type CheckName, type CheckResult, failed, passed, warned } from './check.ts'

/**
 * The health of this process: the latest result of each check, which background runs refresh. A probe therefore costs no
 * query, however often it is sent, and never waits for a database that does not respond.
 */
export interface Health {
  /** Runs a check at regular intervals. The process is not ready before its first result. */
  add(check: Check): void
  /** The start has completed. */
  markStarted(): void
  /** The process is stopping. It is not ready from now on. */
  markDraining(): void
  /** A part of the process has ended that should not. The process is neither ready nor live from now on. */
  markEnded(): void
  readiness(): Readiness
  isLive(): boolean
  /** Records that a load balancer or supervisor read the readiness. */
  noteProbe(): void
  /** Reports whether the readiness was read recently, so that its reader will notice a change. */
  isProbed(): boolean
  /** Ends the checks. */
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
  /** A passed result is out of date after this time. */
  readonly maxAgeMs: number
  /** Returns the result while the check has none. */
  readonly withoutResult: (detail: string) => CheckResult
}

/** A healthy check takes milliseconds. With the interval of two seconds, a hanging server is reported within five seconds. */
const runLimitMs = 3_000

/** A busy process runs its timers late. A result that is older by more than this comes from a process that was frozen. */
const lateMs = 5_000

/** A failed check runs again so soon, however long its interval, so that the end of a fault is reported within five seconds. */
const failedEveryMs = 2_000

/** The longest interval of common load balancers is 30 seconds, so one that uses the readiness has read it twice. */
const probedWithinMs = 60_000

type Phase = 'starting' | 'serving' | 'draining' | 'ended'

const phaseResults: Readonly<Record<Phase, CheckResult>> = {
  starting: failed('The process is starting.'),
  serving: passed,
  draining: failed('The process is stopping.'),
  ended: failed('A part of the process has ended.'),
}

/** Opens the health of this process. `onProbe` is called at each probe of the readiness. */
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
        result: failed('The check has not run yet.'),
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
      // A process that was never ready has no traffic to lose.
      if (phase === 'serving') probedAtMs = performance.now()
      onProbe()
    },
    isProbed: () => performance.now() - probedAtMs < probedWithinMs,
    stop: () => stopping.abort(),
  }
}

/** The phases in their order. A process never returns to an earlier one. */
const order: readonly Phase[] = ['starting', 'serving', 'draining', 'ended']

type Recorder = (result: CheckResult, error?: unknown) => void

/** Returns a function that stores each result, and logs it if the outcome changed. */
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

/** Runs the check again and again, once at a time, until the stop. */
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

/** A check that hangs counts as failed after the limit, unless that is only a warning. It is not started again before it ends. */
async function runOnce(check: Check, record: Recorder): Promise<void> {
  let isEnded = false
  const late = () => {
    if (!isEnded) record(withoutResultOf(check)(`No result within ${runLimitMs / 1000} s.`))
  }
  // In a busy process the timer fires late and the result may have arrived: setImmediate lets it be read first.
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

/** Never the message of the error, which may contain an address or a role. */
function detailOf(error: unknown): string {
  return isUnavailable(error)
    ? 'The database cannot be reached.'
    : 'The check ended with an error, which is in the log.'
}

function readinessOf(process: CheckResult, states: ReadonlyMap<CheckName, State>): Readiness {
  const checks = [reportOf('process', process)]
  for (const [name, state] of states) checks.push(reportOf(name, currentOf(state)))
  return { status: checks.some(({ status }) => status === 'failed') ? 'not_ready' : 'ready', checks }
}

/** A passed result that was not refreshed in time proves nothing: the process was frozen, or its timers do not run. */
function currentOf({ result, atMs, maxAgeMs, withoutResult }: State): CheckResult {
  const ageMs = performance.now() - atMs
  if (result.is === 'failed' || ageMs <= maxAgeMs) return result
  return withoutResult(`The last check was ${Math.round(ageMs / 1000)} s ago.`)
}

const statuses = { passed: 'ok', warned: 'warning', failed: 'failed' } as const

function reportOf(name: CheckName, result: CheckResult): CheckReport {
  const status = statuses[result.is]
  return result.is === 'passed' ? { name, status } : { name, status, detail: result.detail }
}
