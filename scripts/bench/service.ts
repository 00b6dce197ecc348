import { defaultRateLimits } from '../../registry/values/rate-limits.ts'
import type { ReportUses } from '../../src/access/limits/rate-limiter.ts'
import { openLoad } from '../../src/app/open-load.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openLog } from '../../src/base/log.ts'
import { openRequestLog } from '../../src/http/request-log.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { chargeRateLimits } from '../../src/store/access/rate-charges.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { generousLimits } from '../generous-limits.ts'

/**
 * The API without a worker, configured as in src/main.ts, with log level warn. An argument after the connection string
 * changes the configuration: `unlogged` switches the request log off, `limited` has the default rate limits, and `shedding`
 * rejects requests under overload. Otherwise the limits are out of reach.
 */
const [, , connectionString = '', mode] = process.argv
const database = openDatabase({ connectionString })
const log = openLog('warn')
const requestLog = mode === 'unlogged' ? undefined : openRequestLog(database, log)
const report: ReportUses = (charges) => chargeRateLimits(database, charges)
const rates = { limits: mode === 'limited' ? defaultRateLimits : generousLimits, report }
// The process ends without a stop of its parts.
const stops = { add: () => undefined }
const load = mode === 'limited' || mode === 'shedding' ? openLoad(database, stops) : undefined
const context = { database, clock: systemClock, nudge: () => undefined, requestLog, rates, load }
const server = createApiServer(await openService(context, log, 0))
// The parent process ended, perhaps by a signal.
process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.({ memory: process.memoryUsage.rss() }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
