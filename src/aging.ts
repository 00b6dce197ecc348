import type { Clock } from './clock.ts'

/** What a cache of lru-cache ages by: our clock in place of its own, looked at each time. */
export function agingBy(clock: Clock): { readonly perf: { now(): number }; readonly ttlResolution: number } {
  return { perf: { now: () => clock.nowMs() }, ttlResolution: 0 }
}
