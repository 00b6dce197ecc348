import { databaseCheck, deliveriesCheck, embeddedServerCheck, schemaCheck } from '../management/checks.ts'
import type { Health } from '../management/health.ts'
import { openNodesCheck } from '../management/nodes.ts'
import { type Database, openDatabase } from '../store/core/database.ts'
import { openDiskSpace, requireDiskSpace } from '../store/server/disk-space.ts'
import type { DatabaseRoles } from '../store/server/service-role.ts'
import type { ProcessMetrics } from './open-metrics.ts'
import { type Stops, within } from './stops.ts'

interface Monitored {
  readonly database: Database
  readonly health: Health
  readonly stops: Stops
  readonly metrics: Pick<ProcessMetrics, 'setNodes'>
}

/**
 * Time limit of a health check in milliseconds. If the database server needs longer for the check, it is also too slow
 * for API requests.
 */
const answerMs = 3_000

/**
 * Maximum number of database connections that probe the nodes of a distributed database, one connection for each node.
 * If the database is not distributed, the pool of these connections is closed again.
 */
const probeConnections = 16

/** Time limit for closing a database connection. Closing takes milliseconds unless the server is unreachable. */
const closeMs = 1_000

/**
 * Number of database connections for health checks. One connection is for the check of the delivery queue, which may be
 * slow and must not delay the checks that decide whether the process is ready.
 */
export const checkConnections = 2

/** The health checks have database connections of their own, so a busy connection pool does not delay them. */
export async function monitorDatabase(
  { connectionString, directConnectionString, isRunning }: DatabaseRoles & { readonly isRunning?: () => boolean },
  { database, health, stops, metrics }: Monitored,
): Promise<void> {
  const { reachability } = database
  const own = openDatabase({ connectionString, directConnectionString, maxConnections: checkConnections, reachability })
  const requireSpace = async () => {
    const client = await own.pool.connect()
    try {
      await requireDiskSpace(client)
    } finally {
      client.release()
    }
  }
  const space = openDiskSpace(database.pool, requireSpace)
  stops.add(() => within(closeMs, own.close()))
  health.add(databaseCheck(own.within(answerMs), space))
  health.add(schemaCheck(own.within(answerMs)))
  health.add(deliveriesCheck(own.within(answerMs)))
  if (isRunning !== undefined) health.add(embeddedServerCheck(isRunning))
  const probes = openDatabase({ connectionString, directConnectionString, maxConnections: probeConnections })
  stops.add(() => within(closeMs, probes.close()))
  // Ends the health checks before the connections close, so that a stop logs no failed checks.
  stops.add(async () => health.stop())
  const nodes = await openNodesCheck({ database, probes, onProbed: metrics.setNodes })
  if (nodes === undefined) await probes.close()
  else health.add(nodes)
}
