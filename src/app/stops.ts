import pTimeout from 'p-timeout'
import type { Log } from '../base/log.ts'

/** What stops one part of the process. */
export type Stop = () => Promise<unknown>

/** The parts that were started. They are stopped once, the last that was started first. */
export interface Stops {
  /** Added after the stop began, the part is stopped at once. */
  add(stop: Stop): void
  /** For parts that are stopped at the same time as each other. Their turn is that of this call. */
  addGroup(): (stop: Stop) => void
  /** Never rejects, ends in time, and does the same however often it is called. */
  stop(): Promise<void>
}

/** Supervisors kill after 30 seconds. Most parts have limits of their own; this one is for all together. */
const allMs = 25_000

export function openStops(log: Log, limitMs = allMs): Stops {
  const groups: Stop[][] = []
  let stopped: Promise<void> | undefined
  let deadlineMs = Number.POSITIVE_INFINITY

  const stopOne = async (stop: Stop) => {
    try {
      const milliseconds = Math.max(1, deadlineMs - performance.now())
      await pTimeout(stop(), { milliseconds, message: 'It took too long.' })
    } catch (error) {
      // One part that cannot be stopped must not keep the others, and the database, open.
      log.error({ err: error }, 'A part did not stop.')
    }
  }
  const stopAll = async () => {
    deadlineMs = performance.now() + limitMs
    for (const group of groups.toReversed()) await Promise.all(group.map(stopOne))
  }
  const addGroup = () => {
    const group: Stop[] = []
    groups.push(group)
    return (stop: Stop) => {
      if (stopped === undefined) group.push(stop)
      else void stopOne(stop)
    }
  }
  return {
    addGroup,
    add: (stop) => addGroup()(stop),
    stop: () => {
      stopped ??= stopAll()
      return stopped
    },
  }
}

/** Waits for the end of a part, but not for ever: what is left ends with the process. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await pTimeout(work, { milliseconds, message: false })
}
