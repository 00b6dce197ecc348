import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/core/database.ts'
import { readConnectionLimit } from '../store/server/connection-limit.ts'
import { findUnsafeSettings } from '../store/server/durability.ts'
import { type DatabaseRoles, ownsAuditLog } from '../store/server/service-role.ts'
import { connectionsOf } from './connections.ts'

/**
 * Logs an error when a crash of the database server can lose acknowledged commits because of its settings. A lost
 * commit could be a lost payment. Logs a warning when the service can change its own audit log, and when the server
 * accepts too few connections.
 */
export async function warnIfUnsafe(
  database: Database,
  roles: DatabaseRoles,
  { config, log }: { readonly config: Config; readonly log: Log },
): Promise<void> {
  const unsafe = await findUnsafeSettings(database)
  if (unsafe.length > 0)
    log.error(
      { unsafe },
      'PostgreSQL may lose acknowledged writes in a crash, because the settings in this log entry are off.',
    )
  if (await ownsAuditLog(database))
    log.warn(
      'The role of DATABASE_URL owns the audit log and can change it. Set DATABASE_OWNER_URL to separate the roles.',
    )
  // If the service connects to a connection pooler, the connection limit of the server is not checked, because the
  // pooler decides how many connections it opens.
  if (roles.directConnectionString === undefined) await warnOfFewConnections(database, config, log)
}

async function warnOfFewConnections(database: Database, config: Config, log: Log): Promise<void> {
  const [limit, needed] = [await readConnectionLimit(database), connectionsOf(config)]
  if (needed > limit)
    log.warn(
      { limit, needed },
      'PostgreSQL accepts fewer connections than this process opens under load. Increase max_connections, or use a pooler.',
    )
}
