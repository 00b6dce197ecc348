import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const nsPerMs = 1e6

/**
 * Returns the CPU time (user and system) of processes and of their child processes, in milliseconds since the start of
 * each process. Returns NaN on systems other than Linux.
 */
export function cpuMsOf(pids: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN
  const living = pids.flatMap((pid) => [pid, ...childrenOf(pid)]).map(processMs)
  return [...living, ...pids.map(endedChildrenMs)].reduce((sum, ms) => sum + ms, 0)
}

/** Linux reports the CPU time of ended child processes in hundredths of a second, independent of the kernel's tick rate. */
const msPerTick = 10

function endedChildrenMs(pid: number): number {
  const { ofEndedTicks } = statOf(pid)
  return ofEndedTicks * msPerTick
}

/** 0 if the process has ended. */
export function parentOf(pid: number): number {
  return statOf(pid).parentPid
}

function statOf(pid: number): { readonly parentPid: number; readonly ofEndedTicks: number } {
  const text = unlessEnded(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  // In `/proc/<pid>/stat`, the program name is in parentheses and may contain spaces.
  const words = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number) => Number(words[index] ?? 0)
  return { parentPid: at(1), ofEndedTicks: at(13) + at(14) }
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

/** Returns the CPU time of a process in milliseconds, from the first field of each thread's `schedstat` in /proc. */
function processMs(pid: number): number {
  const ns = threadsOf(pid).map((thread) => {
    const line = unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '0')
    return Number(line.split(' ')[0])
  })
  return ns.reduce((sum, each) => sum + each, 0) / nsPerMs
}

/**
 * Returns a default value when reading a file of /proc fails, because a process or a thread may end between two reads.
 */
function unlessEnded<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/**
 * Returns the process id of a PostgreSQL server's main process. All other processes of the server are its child
 * processes.
 */
export function postmasterOf(dataDirectory: string): number {
  return Number.parseInt(readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}
