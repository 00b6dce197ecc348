import { performance } from 'node:perf_hooks'
import { clockSkewMaxMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import type { Database } from '../store/core/database.ts'
import { clockReaderOf, type DatabaseClock, openDatabaseClock } from '../store/server/database-clock.ts'

/** Interval of log lines about the clock. The clock is measured every ten seconds, which is too often for a log. */
const reportEveryMs = 60_000

/**
 * Opens the database's clock, from which all times of the service come. Logs an error at intervals while the process's
 * own clock differs too much from the database's clock.
 */
export async function openClock(database: Database, log: Log): Promise<DatabaseClock> {
  let reportedMs: number | undefined
  const work = recurringWorkOf(log)
  return openDatabaseClock({
    read: clockReaderOf(database),
    onFailed: (error) => work.failed('clock_measurement', error),
    onMeasured: ({ skewMs, isWithinLimit }) => {
      work.succeeded('clock_measurement')
      if (isWithinLimit) {
        if (reportedMs !== undefined)
          log.info({ skewMs }, 'The clock difference from the database is within the limit again.')
        reportedMs = undefined
      } else if (reportedMs === undefined || performance.now() - reportedMs >= reportEveryMs) {
        reportedMs = performance.now()
        log.error(
          { skewMs, limitMs: clockSkewMaxMs },
          'The clock of this process differs from the clock of the database. Correct it: until then the process is not ready and deletes nothing.',
        )
      }
    },
  })
}
