import { openDatabase } from '../src/store/core/database.ts'
import { createPartitions } from '../src/store/partitions/partitions.ts'
import { clockReaderOf } from '../src/store/server/database-clock.ts'
import { migrateAndGrant } from '../src/store/server/migrate.ts'
import type { DatabaseRoles } from '../src/store/server/service-role.ts'

/**
 * Prepares a database as the start of the service does: migrates it, grants the service's role its privileges and
 * creates the current partitions.
 */
export async function prepareDatabase(roles: DatabaseRoles): Promise<void> {
  await migrateAndGrant(roles)
  const database = openDatabase({ connectionString: roles.connectionString, maxConnections: 1 })
  try {
    const nowMs = await clockReaderOf(database)()
    const [failure] = (await createPartitions(database.pool, nowMs)).failures
    if (failure !== undefined) throw failure.error
  } finally {
    await database.close()
  }
}

export function inDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}
