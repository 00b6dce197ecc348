import { AsyncLocalStorage } from 'node:async_hooks'

/** Moments by the process's monotonic timer. Only how long something waits depends on them, and no decision that is kept. */
const deadlines = new AsyncLocalStorage<number>()

/** Runs work whose waits add up to a limit: every wait that asks waitOf() ends when it is used up. */
export function withDeadline<Result>(limitMs: number, run: () => Promise<Result>): Promise<Result> {
  return deadlines.run(performance.now() + limitMs, run)
}

/** How long a wait may take: as long as it asks for, or what the deadline around it leaves. */
export function waitOf(wantedMs: number): number {
  const deadline = deadlines.getStore()
  return deadline === undefined ? wantedMs : Math.max(0, Math.min(wantedMs, deadline - performance.now()))
}
