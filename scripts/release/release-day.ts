import { type Clock, toTimestamp } from '../../src/base/clock.ts'

/**
 * Why nothing can be released on that day. One that is still to come would let go what was promised until then, such as an
 * operation before its sunset.
 */
export function objectionToDay(on: string, lastOn: string | undefined, clock: Clock): string | undefined {
  if (lastOn !== undefined && on < lastOn) return `The last release was on ${lastOn}, and none lies before it.`
  const today = toTimestamp(clock.nowMs()).slice(0, 'yyyy-mm-dd'.length)
  return on > today ? `Today is ${today} in UTC, and nothing is released on a day that is still to come.` : undefined
}
