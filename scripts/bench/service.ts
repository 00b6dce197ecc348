import type { ReportUses } from '../../src/access/limits/rate-limiter.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openLog } from '../../src/base/log.ts'
import { openRequestLog } from '../../src/http/request-log.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { chargeRateLimits } from '../../src/store/access/rate-charges.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { generousLimits } from '../generous-limits.ts'

/**
 * The API without a worker, configured as in src/main.ts, with log level warn. The argument `unlogged` after the connection
 * string switches the request log off.
 */
const database = openDatabase({ connectionString: process.argv[2] ?? '' })
const log = openLog('warn')
const requestLog = process.argv[3] === 'unlogged' ? undefined : openRequestLog(database, log)
const report: ReportUses = (charges) => chargeRateLimits(database, charges)
const rates = { limits: generousLimits, report }
const context = { database, clock: systemClock, nudge: () => undefined, requestLog, rates }
const server = createApiServer(await openService(context, log, 0))
// The parent process ended, perhaps by a signal.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
