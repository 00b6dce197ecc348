import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import type { Health } from '../management/health.ts'
import { openManagementServer, probeRoutes } from '../management/server.ts'
import type { ProcessMetrics } from './open-metrics.ts'
import type { Stops } from './stops.ts'

interface Managed {
  readonly log: Log
  readonly stops: Stops
  readonly health: Health
  readonly metrics: Pick<ProcessMetrics, 'routes'>
}

/**
 * Starts the management server if a port is configured. The server stops after all other parts of the process, so that
 * a supervisor can read the state of the process during the stop.
 */
export async function openManagement(
  { managementHost: host, managementPort: port }: Pick<Config, 'managementHost' | 'managementPort'>,
  { log, stops, health, metrics }: Managed,
): Promise<void> {
  if (port === undefined) return
  const server = await openManagementServer({ host, port, routes: { ...probeRoutes(health), ...metrics.routes }, log })
  stops.add(server.close)
  console.log(`The management port is ${server.url}.`)
}
