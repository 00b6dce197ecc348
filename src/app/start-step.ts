import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import type { RecurringWork } from '../base/recurring-work.ts'
import type { Health } from '../management/health.ts'
import { isPrivilegeMissing } from '../store/core/faults.ts'
import type { ProcessMetrics } from './open-metrics.ts'
import type { Stops } from './stops.ts'

/** The parts of a process that exist before its first step. Every step of the start uses them. */
export interface Startup {
  readonly log: Log
  readonly stops: Stops
  readonly stopping: AbortSignal
  readonly health: Health
  readonly metrics: ProcessMetrics
  /** The record of failed runs that the readiness probe reports. */
  readonly work: RecurringWork
}

/**
 * Interval in milliseconds at which a failed step is retried. A few seconds are short enough, because an operator
 * grants a missing privilege by hand. A supervisor would restart an ended process at a similar interval.
 */
const repeatMs = 2_000

export interface StartStep {
  /** The name of the step that /readyz reports while the step fails, such as `start.encryption_keys`. */
  readonly name: `start.${string}`
  readonly work: Pick<RecurringWork, 'failed' | 'succeeded'>
  readonly stopping: AbortSignal
}

/**
 * Runs a required step of the process start. While the database role of the service lacks a privilege, the step is
 * retried, and the readiness probe reports that the process is not ready. Rejects with every other error, and when a
 * stop is requested.
 */
export async function whenPermitted<Result>(
  { name, work, stopping }: StartStep,
  run: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      const result = await run()
      work.succeeded(name)
      return result
    } catch (error) {
      // The process retries a step of its start only if a database privilege is missing. Every other error ends the
      // process, so it must not be logged as one that is retried.
      if (!isPrivilegeMissing(error)) throw error
      work.failed(name, error)
      await wait(repeatMs, undefined, { signal: stopping }).catch(() => undefined)
      stopping.throwIfAborted()
    }
  }
}

interface OptionalStep {
  readonly log: Log
  readonly stopping: AbortSignal
  /** Log message for a failed step. The message names the feature that the process lacks without the step. */
  readonly without: string
}

/**
 * Runs an optional step of the start. Logs a failure and resolves with undefined. Rejects only when a stop is
 * requested.
 */
export async function orWithout<Result>(
  { log, stopping, without }: OptionalStep,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run()
  } catch (error) {
    stopping.throwIfAborted()
    log.warn({ err: error }, without)
    return undefined
  }
}
