import { AsyncLocalStorage } from 'node:async_hooks'

/** Deadlines by the process's monotonic timer. They limit waits only; stored times come from the database's clock. */
const deadlines = new AsyncLocalStorage<number>()

/** Runs work under a deadline: waits that use cappedWaitMs() end when the deadline passes. */
export function withDeadline<Result>(limitMs: number, run: () => Promise<Result>): Promise<Result> {
  return deadlines.run(performance.now() + limitMs, run)
}

/** Returns the wanted wait, capped by the time left until the current deadline. */
export function cappedWaitMs(wantedMs: number): number {
  const deadline = deadlines.getStore()
  return deadline === undefined ? wantedMs : Math.max(0, Math.min(wantedMs, deadline - performance.now()))
}
