import pTimeout from 'p-timeout'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'

export type Stop = () => Promise<unknown>

/**
 * The parts of the process that have been started. Each part is stopped once; the part that was started last is stopped
 * first.
 */
export interface Stops {
  /** Adds a started part of the process. If the process is already stopping, the part is stopped at once. */
  add(stop: Stop): void
  /**
   * Adds a group of parts that are stopped in parallel, and returns the function that adds a part to the group. The
   * group is stopped as if this call had added all of its parts, even if the parts are added later.
   */
  addGroup(): (stop: Stop) => void
  /** Stops all parts of the process. Never rejects, ends within the time limit, and is idempotent. */
  stop(): Promise<void>
}

/**
 * Time limit for stopping all parts together, excluding the time in which the API completes its open requests. Most
 * parts also have a time limit of their own.
 */
const allMs = 25_000

/**
 * Time limit for stopping a part of the process that only closes connections. Closing takes milliseconds unless the
 * server at the other end is unreachable.
 */
export const closeMs = 2_000

/**
 * Returns the time within which a process with this configuration stops. With the default of DRAIN_SECONDS it is less
 * than 30 seconds, after which supervisors kill a process.
 */
export function stopLimitMs({ drainSeconds }: Pick<Config, 'drainSeconds'>): number {
  return allMs + drainSeconds * 1000
}

export function openStops(log: Log, limitMs: number): Stops {
  const groups: Stop[][] = []
  let stopped: Promise<void> | undefined
  let deadlineMs = Number.POSITIVE_INFINITY

  const stopOne = async (stop: Stop) => {
    try {
      const milliseconds = Math.max(1, deadlineMs - performance.now())
      await pTimeout(stop(), { milliseconds, message: 'A part of the process did not stop within the time limit.' })
    } catch (error) {
      // A part that cannot be stopped must not keep other parts, such as the database, from stopping.
      log.error({ err: error }, 'A part of the process did not stop.')
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

/** Waits for the work of a part of the process to finish, up to a time limit. Unfinished work ends with the process. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await pTimeout(work, { milliseconds, message: false })
}
