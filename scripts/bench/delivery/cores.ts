import { readdir, readFile } from 'node:fs/promises'
import type { Database } from '../../../src/store/core/database.ts'
import { machineMs } from './child.ts'

/** CPU cores used by each part of the service, from the CPU times of its processes. */
export type Cores = Readonly<Record<string, number>>

/** Unit of the CPU times in /proc: USER_HZ is 100 on Linux, independent of the kernel's tick rate. */
const ticksPerSecond = 100

interface Part {
  readonly name: string
  readonly pid: number
}

/** Starts counting and returns a function that ends it. The result is empty on systems without /proc. */
export async function countCores(database: Database, parts: readonly Part[]): Promise<() => Promise<Cores>> {
  const startedMs = machineMs()
  const before = await ticksOf(database, parts)
  return async () => {
    const after = await ticksOf(database, parts)
    const seconds = (machineMs() - startedMs) / 1000
    const coresOf = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / ticksPerSecond / seconds
    return Object.fromEntries([...before.keys()].map((name) => [name, coresOf(name)]))
  }
}

async function ticksOf(database: Database, parts: readonly Part[]): Promise<ReadonlyMap<string, number>> {
  const ticks = new Map<string, number>()
  const add = (name: string, { own }: Usage) => ticks.set(name, (ticks.get(name) ?? 0) + own)
  for (const { name, pid } of parts) {
    const usage = await usageOf(pid)
    if (usage !== undefined) add(name, usage)
  }
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = await usageOf(rows[0]?.pid ?? 0)
  if (backend === undefined) return ticks
  const postmaster = await usageOf(backend.parentPid)
  // The CPU time of an ended backend is included in its parent.
  ticks.set('PostgreSQL', (postmaster?.own ?? 0) + (postmaster?.ofEnded ?? 0))
  for (const name of await readdir('/proc')) {
    const usage = /^\d+$/.test(name) ? await usageOf(Number(name)) : undefined
    if (usage?.parentPid === backend.parentPid) add('PostgreSQL', usage)
  }
  return ticks
}

interface Usage {
  readonly parentPid: number
  readonly own: number
  /** CPU ticks of ended child processes. */
  readonly ofEnded: number
}

async function usageOf(pid: number): Promise<Usage | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The program name is in parentheses and may contain spaces.
  const words = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number) => Number(words[index] ?? 0)
  return { parentPid: at(1), own: at(11) + at(12), ofEnded: at(13) + at(14) }
}
