import { openDatabase } from '../src/store/core/database.ts'
import { clockReaderOf } from '../src/store/core/database-clock.ts'
import { migrate } from '../src/store/core/migrate.ts'
import { createPartitions } from '../src/store/partitions/partitions.ts'

/** Migrates a database and creates the current partitions, as at the start of the service. */
export async function prepareDatabase(connectionString: string): Promise<void> {
  await migrate(connectionString)
  const database = openDatabase({ connectionString, maxConnections: 1 })
  try {
    const nowMs = await clockReaderOf(database)()
    const [failure] = (await createPartitions(database.pool, nowMs)).failures
    if (failure !== undefined) throw failure.error
  } finally {
    await database.close()
  }
}
