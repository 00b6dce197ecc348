import { type Config, configuredRoles } from '../base/config.ts'
import type { EmbeddedPostgres } from '../store/embedded/embedded.ts'
import type { DatabaseRoles } from '../store/server/service-role.ts'
import { embeddedConnections } from './connections.ts'
import type { Startup } from './start-step.ts'

export interface FoundDatabase extends DatabaseRoles {
  /** Promise that rejects when the embedded PostgreSQL server cannot be restarted. */
  readonly failed: Promise<never>
  /** Reports whether the embedded PostgreSQL server runs; undefined for an operator’s own server. */
  readonly isRunning?: EmbeddedPostgres['isRunning']
}

/** Returns the configured database of the operator. Without one, starts the embedded PostgreSQL server. */
export async function findDatabase(config: Config, { log, stops, stopping }: Startup): Promise<FoundDatabase> {
  const roles = configuredRoles(config)
  if (roles !== undefined) return { ...roles, failed: new Promise<never>(() => undefined) }
  const { openEmbedded } = await import('../store/embedded/embedded.ts')
  const postgres = await openEmbedded({
    dataDirectory: config.dataDirectory,
    maxConnections: embeddedConnections(config),
    onLog: (line) => log.debug({ line }, 'postgres'),
    onProblem: (line) => log.warn(line),
    signal: stopping,
  })
  stops.add(() => postgres.stop())
  return postgres
}
