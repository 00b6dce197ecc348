import { defaultRateLimits } from '../../registry/values/rate-limits.ts'
import type { ReportUses } from '../../src/access/limits/reports.ts'
import { openLoad } from '../../src/app/open-load.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openLog } from '../../src/base/log.ts'
import { openRequestLog } from '../../src/http/request-log.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { openLogistics } from '../../src/logistics/carriers/context.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import type { Carriers } from '../../src/partners/carriers/carrier.ts'
import { openSimulatorCarriers } from '../../src/partners/carriers/simulator.ts'
import { chargeRateLimits } from '../../src/store/access/rate-charges.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { generousLimits } from '../generous-limits.ts'
import { policy, vault } from './delivery/merchants.ts'

/**
 * Runs the API without a worker, configured as in src/main.ts, with log level warn. An argument after the connection
 * string changes the configuration: `unlogged` switches the request log off, `limited` has the default rate limits, and
 * `shedding` rejects requests under overload. Without such an argument, no load reaches the limits. A further argument
 * is the URL of the simulated carriers, with which the service can quote.
 */
const [, , connectionString = '', mode, carriersUrl] = process.argv
const database = openDatabase({ connectionString })
const log = openLog('warn')
const requestLog = mode === 'unlogged' ? undefined : openRequestLog(database, log)
const report: ReportUses = (charges) => chargeRateLimits(database, charges)
const rates = { limits: mode === 'limited' ? defaultRateLimits : generousLimits, report }
// The parts of the service need not be stopped one by one, because the whole process ends.
const stops = { add: () => undefined }
const load = mode === 'limited' || mode === 'shedding' ? openLoad(database, stops) : undefined
const context = { database, clock: systemClock, nudge: () => undefined, requestLog, rates, load }
const logistics =
  carriersUrl === undefined
    ? {}
    : { logistics: openLogistics({ ...context, log, vault, carriers: carriersAt(carriersUrl) }) }
const server = createApiServer(await openService({ ...context, ...logistics }, log, 0))
// Ends this process when its parent process ends, even if a signal ends the parent.
process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.({ memory: process.memoryUsage.rss() }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})

function carriersAt(url: string): Carriers {
  const { fetch } = openSafeFetch(policy)
  return new Map(Object.values(openSimulatorCarriers(fetch, url)).map((carrier) => [carrier.code, carrier]))
}
