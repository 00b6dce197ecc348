import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Nanoseconds in a millisecond. */
const nsPerMs = 1e6

/**
 * Returns the CPU time of processes and of their child processes in milliseconds, user and system, since each of them started.
 * Linux counts it per thread. NaN on other systems.
 */
export function cpuMsOf(pids: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN
  return pids.flatMap((pid) => [pid, ...childrenOf(pid)]).reduce((sum, pid) => sum + processMs(pid), 0)
}

function threadsOf(pid: number): string[] {
  return unlessEnded(() => readdirSync(`/proc/${pid}/task`), [])
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => {
    const children = unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')
    return children.split(' ').filter(Boolean).map(Number)
  })
}

/** The first field of schedstat is the time on a CPU in nanoseconds. */
function processMs(pid: number): number {
  const ns = threadsOf(pid).map((thread) => {
    const line = unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '0')
    return Number(line.split(' ')[0])
  })
  return ns.reduce((sum, each) => sum + each, 0) / nsPerMs
}

/** A process or a thread may end between two reads. */
function unlessEnded<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Returns the process id of a PostgreSQL server, whose other processes are its children. */
export function postmasterOf(dataDirectory: string): number {
  return Number.parseInt(readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}
