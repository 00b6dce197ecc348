import type { Clock } from './clock.ts'

/** What a cache of lru-cache ages by: our clock in place of its own, looked at each time. */
export function agingBy(clock: Clock): { readonly perf: { now(): number }; readonly ttlResolution: number } {
  // lru-cache takes an entry that started at zero for one without an end, and a clock may start there.
  return { perf: { now: () => clock.nowMs() + 1 }, ttlResolution: 0 }
}
