import { type Clock, toTimestamp } from '../../src/base/clock.ts'

/**
 * Returns why no release is possible on the given day, or undefined if one is possible. A day in the future would allow
 * removing an operation before its sunset.
 */
export function objectionToDay(on: string, lastOn: string | undefined, clock: Clock): string | undefined {
  if (lastOn !== undefined && on < lastOn) return `--on must not be before the last release on ${lastOn}.`
  const today = toTimestamp(clock.nowMs()).slice(0, 'yyyy-mm-dd'.length)
  return on > today ? `--on must not be in the future. Today is ${today} (UTC).` : undefined
}
