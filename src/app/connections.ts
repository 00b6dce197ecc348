import type { Config } from '../base/config.ts'
import { requestConnections } from '../store/core/database.ts'
import { jobConnections } from '../store/server/job-pool.ts'
import { monitorConnections } from '../store/server/standby-reads.ts'
import { checkConnections } from './monitor-database.ts'

/**
 * Number of database connections that receive notifications: one for due deliveries, and one for shipments with long
 * polls.
 */
const notificationConnections = 2

/**
 * Returns the maximum number of connections to the primary database server: the sum for this process and for the API
 * processes that it starts.
 */
export function connectionsOf(config: Pick<Config, 'role' | 'processes' | 'databaseReadUrl'>): number {
  const { role, processes, databaseReadUrl } = config
  const standbyConnections = databaseReadUrl === undefined ? 0 : monitorConnections
  const ofApi = requestConnections + checkConnections + notificationConnections + standbyConnections
  const ofJobs = role === 'api' ? 0 : jobConnections
  return ofApi + ofJobs + (processes > 1 ? processes * ofApi : 0)
}

/**
 * Number of database connections that the service leaves free for commands, backups and a second process, and for
 * PostgreSQL's reserve for superusers.
 */
const spareConnections = 20

/**
 * Minimum of `max_connections`: the default of PostgreSQL. A lower minimum would save only some kilobytes for each
 * unused connection.
 */
const embeddedMin = 100

/** Returns the `max_connections` setting of the embedded server. */
export function embeddedConnections(config: Parameters<typeof connectionsOf>[0]): number {
  return Math.max(embeddedMin, connectionsOf({ ...config, role: 'all' }) + spareConnections)
}
