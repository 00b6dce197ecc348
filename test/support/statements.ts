import type { Database } from '../../src/store/core/database.ts'

/** Returns the number of statements that reads send while the work runs. Each takes a connection of the pool once. */
export async function countStatements({ pool }: Database, work: () => Promise<unknown>): Promise<number> {
  let statements = 0
  const count = () => {
    statements += 1
  }
  pool.on('acquire', count)
  try {
    await work()
  } finally {
    pool.off('acquire', count)
  }
  return statements
}
