import { readFileSync } from 'node:fs'

/**
 * Returns how long processes have been ready to run without a processor, in milliseconds. Time limits exclude it, so that
 * a busy machine is not mistaken for a slow service. Zero on systems without /proc.
 */
export function processorWaitMs(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => sum + waitOf(pid), 0)
}

/** The second number of schedstat is the time on the run queue in nanoseconds. */
function waitOf(pid: number | undefined): number {
  if (pid === undefined) return 0
  try {
    const [, nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    // The process has ended, or the system has no /proc.
    return 0
  }
}
