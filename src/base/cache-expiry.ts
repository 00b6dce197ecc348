import type { Clock } from './clock.ts'

/** Returns options for lru-cache with which entries expire by the given clock, which is read at every access. */
export function expiryBy(clock: Clock): { readonly perf: { now(): number }; readonly ttlResolution: number } {
  // lru-cache treats a start time of 0 as "no expiry", and a test clock may start at 0.
  return { perf: { now: () => clock.nowMs() + 1 }, ttlResolution: 0 }
}
