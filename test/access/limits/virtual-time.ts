import type { Charge } from '../../../src/access/limits/account.ts'
import type { ReportUses } from '../../../src/access/limits/reports.ts'

/** A clock that the test advances. Advancing it runs the timers that are then due. */
export function virtualTime() {
  let nowMs = 5_000
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>()
  const after = (ms: number, run: () => void) => {
    const timer = { dueMs: nowMs + ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const advance = async (ms: number) => {
    const endMs = nowMs + ms
    for (;;) {
      const [next] = [...timers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)
      if (next === undefined) break
      timers.delete(next)
      nowMs = Math.max(nowMs, next.dueMs)
      next.run()
      await settled()
    }
    nowMs = endMs
  }
  return { nowMs: () => nowMs, after, advance }
}

/** Runs the callbacks of all promises that are already resolved, by waiting for the event loop. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

type Time = ReturnType<typeof virtualTime>

/**
 * Simulates the database table of the shared rate limits. For each rate limit key, it stores the time at which the
 * quota is full again.
 */
export function sharedTable({ nowMs }: Pick<Time, 'nowMs'>): ReportUses {
  const arrivals = new Map<string, number>()
  const move = ({ key, chargeMs, ageMs }: Charge): [string, number] => {
    const arrivalMs = Math.max(arrivals.get(key) ?? 0, nowMs() - ageMs) + chargeMs
    arrivals.set(key, arrivalMs)
    return [key, arrivalMs - nowMs()]
  }
  return async (charges) => new Map(charges.map(move))
}
