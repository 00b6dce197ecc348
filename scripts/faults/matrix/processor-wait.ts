import { readFileSync } from 'node:fs'

/**
 * Returns how long processes have been ready to run without a processor, in milliseconds. Time limits exclude this
 * wait, so that a busy machine does not look like a slow service. Zero on systems without /proc.
 */
export function processorWaitMs(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => sum + waitOf(pid), 0)
}

/**
 * The total wait of a process: the second number of its schedstat, which is the time on the run queue in nanoseconds.
 */
function waitOf(pid: number | undefined): number {
  if (pid === undefined) return 0
  try {
    const [, nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    // The schedstat file cannot be read when the process has ended, or when the system has no /proc.
    return 0
  }
}
