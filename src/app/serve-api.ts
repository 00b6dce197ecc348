import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../base/config.ts'
import { listen } from '../base/listen.ts'
import type { Log } from '../base/log.ts'
import type { Dashboard } from '../dashboard/kit/visit.ts'
import { trackConnections } from '../http/pipeline/connections.ts'
import { createApiServer } from '../http/server.ts'
import { openService } from '../http/service.ts'
import { warnOfUntrustedProxy } from '../http/untrusted-proxy.ts'
import { apiProcessesCheck } from '../management/checks.ts'
import type { Health } from '../management/health.ts'
import { allOperations } from '../operations/implementations.ts'
import { openSafeFetch } from '../outbound/safe-fetch.ts'
import { isApiProcess, othersStopListening } from './api-process.ts'
import { startApiProcesses } from './api-processes.ts'
import { lazyDashboard } from './load-dashboard.ts'
import type { ProcessMetrics } from './open-metrics.ts'
import { type StartStep, whenPermitted } from './start-step.ts'
import type { Stop } from './stops.ts'

/** Returns the URL of the API server. */
export async function serve(
  context: Parameters<typeof openService>[0] &
    Pick<Dashboard, 'vault' | 'policy'> & {
      readonly health: Health
      readonly metrics: Pick<ProcessMetrics, 'readFrom'>
    },
  config: Config,
  { log, step, addStop }: { readonly log: Log; readonly step: StartStep; readonly addStop: (stop: Stop) => void },
): Promise<string> {
  const { trustedProxies, publicUrl } = config
  const service = await whenPermitted(step, () => openService(context, log, trustedProxies, publicUrl))
  const operations = allOperations()
  const { vault, policy, health, metrics } = context
  metrics.readFrom({ waitingForPool: service.waitingForPool })
  const { fetch, close } = openSafeFetch(policy)
  const site = { service, vault, policy, fetch }
  const server = createApiServer(service, operations, lazyDashboard(site, operations))
  if (trustedProxies === 0) warnOfUntrustedProxy(server, log)
  const connections = trackConnections(server)
  const { host, port } = config
  const url = await listen(server, { host, port, settings: { host: 'HOST', port: 'PORT' }, isShared: isApiProcess })
  addStop(async () => {
    // Connections stay open while the API completes its open requests. A client whose connection is closed earlier
    // could connect again to this process just before the process ends.
    if (health.isProbed()) await wait(config.drainSeconds * 1000)
    // Ends the long polls and the exports, because the stop of the server would otherwise wait for them.
    const isDrained = [service.subscription.close(), service.streams.stop(), connections.drain(othersStopListening)]
    await Promise.all(isDrained).finally(close)
    service.admission.stop()
  })
  return url
}

/** Starts several API processes and returns the URL that they share; undefined in a worker. */
export async function serveInProcesses(
  config: Config,
  parts: { readonly log: Log; readonly health: Health; readonly addStop: (stop: Stop) => void },
): Promise<string | undefined> {
  if (config.role === 'worker') return undefined
  const { url, serving } = await startApiProcesses(config, parts)
  parts.health.add(apiProcessesCheck(config.processes, serving))
  return url
}
