import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import type { RecurringWork } from '../base/recurring-work.ts'
import { isPrivilegeMissing } from '../store/core/faults.ts'

/** A lost privilege is granted by hand. An ended process would be started again by its supervisor as often. */
const repeatMs = 2_000

export interface StartStep {
  /** The name that /readyz reports while the step fails, such as `start.encryption_keys`. */
  readonly name: `start.${string}`
  readonly work: Pick<RecurringWork, 'observe'>
  readonly stopping: AbortSignal
}

/**
 * Runs a step of the start without which the process cannot serve. While the role of the service lacks a privilege, the process
 * waits and is not ready, as a running process would be. Rejects with every other error, and when a stop is requested.
 */
export async function whenPermitted<Result>(
  { name, work, stopping }: StartStep,
  run: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work.observe(name, run)
    } catch (error) {
      if (!isPrivilegeMissing(error)) throw error
      await wait(repeatMs, undefined, { signal: stopping }).catch(() => undefined)
      stopping.throwIfAborted()
    }
  }
}

interface OptionalStep {
  readonly log: Log
  readonly stopping: AbortSignal
  /** The line for the log after a failure, which says what the process does without. */
  readonly without: string
}

/** Runs a step that a process can do without. Logs a failure and resolves with undefined. Rejects only when a stop is requested. */
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
