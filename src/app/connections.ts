import type { Config } from '../base/config.ts'
import { requestConnections } from '../store/core/database.ts'
import { jobConnections } from '../store/core/job-pool.ts'
import { monitorConnections } from '../store/core/standby-reads.ts'
import { checkConnections } from './monitor-database.ts'

/** The connections that receive notifications: of due deliveries, and of shipments for long polls. */
const notificationConnections = 2

/** Returns the most connections to the primary that this process and its API processes open together. */
export function connectionsOf(config: Pick<Config, 'role' | 'processes' | 'databaseReadUrl'>): number {
  const { role, processes, databaseReadUrl } = config
  const standbyConnections = databaseReadUrl === undefined ? 0 : monitorConnections
  const ofApi = requestConnections + checkConnections + notificationConnections + standbyConnections
  const ofJobs = role === 'api' ? 0 : jobConnections
  return ofApi + ofJobs + (processes > 1 ? processes * ofApi : 0)
}

/** For commands, backups and a second process, and those that PostgreSQL reserves for superusers. */
const spareConnections = 20

/** The default of PostgreSQL. Each connection that is not used costs the embedded server some kilobytes. */
const embeddedMin = 100

/** Returns max_connections of the embedded server. */
export function embeddedConnections(config: Parameters<typeof connectionsOf>[0]): number {
  return Math.max(embeddedMin, connectionsOf({ ...config, role: 'all' }) + spareConnections)
}
