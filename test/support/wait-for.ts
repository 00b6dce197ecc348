import { vi } from 'vitest'

/**
 * Functions with which tests wait for a condition. Vitest's default of one second is shorter than the start of a
 * process or a commit on a busy machine. If the condition is not met within two minutes, the test fails.
 */

const defaults = { timeout: 120_000 }

interface Options {
  readonly timeout?: number
  readonly interval?: number
}

/** Repeats a check until it neither throws nor rejects, and returns its result. */
export function waitFor<Result>(check: () => Result | Promise<Result>, options: Options = {}): Promise<Result> {
  return vi.waitFor(check, { ...defaults, ...options })
}

/** Repeats a check until its result is truthy, and returns the result. */
export function waitUntil<Result>(check: () => Result | Promise<Result>, options: Options = {}) {
  return vi.waitUntil(check, { ...defaults, ...options })
}
