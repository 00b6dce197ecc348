import { contractVersion } from '../../registry/values/version.ts'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { type Meters, noMeters } from '../base/meters.ts'
import type { Sources } from '../management/metrics/registry.ts'
import type { NodeState } from '../management/nodes.ts'
import type { ManagementRoutes } from '../management/server.ts'
import type { Database } from '../store/core/database.ts'
import { type Stops, within } from './stops.ts'

/** The metrics are recorded only if the process has a management port. */
export interface ProcessMetrics {
  readonly meters: Meters
  readonly routes: ManagementRoutes
  /** Adds sources from which the gauges of the metrics are read. */
  readFrom(sources: Partial<Sources>): void
  startDatabaseGauges(database: Database): void
  setNodes(nodes: readonly NodeState[]): void
}

/** Time limit for the last reading of the metric gauges, which takes milliseconds unless the database is slow. */
const stopMs = 1_000

/** Loads the Prometheus client only if the metrics can be scraped. */
export async function openProcessMetrics(
  { managementPort, role }: Config,
  { log, stops }: { readonly log: Log; readonly stops: Stops },
): Promise<ProcessMetrics> {
  if (managementPort === undefined)
    return {
      meters: noMeters,
      routes: {},
      readFrom: () => undefined,
      startDatabaseGauges: () => undefined,
      setNodes: () => undefined,
    }
  const [{ openMetrics }, gauges] = await Promise.all([
    import('../management/metrics/registry.ts'),
    import('../management/metrics/database-gauges.ts'),
  ])
  const metrics = openMetrics({ role, version: contractVersion })
  return {
    meters: metrics.meters,
    routes: { '/metrics': async () => ({ status: 200, ...(await metrics.scrape()) }) },
    readFrom: metrics.readFrom,
    setNodes: metrics.setNodes,
    startDatabaseGauges: (database) => {
      const started = gauges.startDatabaseGauges({ database, log, metrics })
      stops.add(() => within(stopMs, started.stop()))
    },
  }
}
