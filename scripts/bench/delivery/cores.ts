import type { Database } from '../../../src/store/core/database.ts'
import { cpuMsOf, parentOf } from '../cpu-time.ts'
import { machineMs } from './child.ts'

/** CPU cores used by each part of the service, from the CPU times of its processes. NaN on systems without /proc. */
export type Cores = Readonly<Record<string, number>>

interface Part {
  readonly name: string
  readonly pid: number
}

/**
 * Starts measuring the CPU cores in use. Returns a function that ends the measurement and returns the average number of
 * cores.
 */
export async function countCores(database: Database, parts: readonly Part[]): Promise<() => Cores> {
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const counted = [...parts, { name: 'PostgreSQL', pid: parentOf(rows[0]?.pid ?? 0) }]
  const startedMs = machineMs()
  const before = counted.map(({ pid }) => cpuMsOf([pid]))
  return () => {
    const elapsedMs = machineMs() - startedMs
    const cores: Record<string, number> = {}
    for (const [index, { name, pid }] of counted.entries()) {
      const usedMs = cpuMsOf([pid]) - (before[index] ?? 0)
      cores[name] = (cores[name] ?? 0) + usedMs / elapsedMs
    }
    return cores
  }
}
