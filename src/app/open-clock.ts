import { performance } from 'node:perf_hooks'
import { clockSkewMaxMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/core/database.ts'
import { clockReaderOf, type DatabaseClock, openDatabaseClock } from '../store/core/database-clock.ts'

/** Why a process must not be sent requests, for health checks. */
export type NotReadyReason = { readonly is: 'clock_skew'; readonly skewMs: number }

/** The clock is measured every ten seconds, which is more often than an operator needs to read of it. */
const reportEveryMs = 60_000

/** The clock by which the process decides. A process clock that differs too much from it is reported until it is set right. */
export async function openClock(database: Database, log: Log): Promise<DatabaseClock> {
  let reportedMs: number | undefined
  return openDatabaseClock({
    read: clockReaderOf(database),
    onMeasured: ({ skewMs, isWithinLimit }) => {
      if (isWithinLimit) {
        if (reportedMs !== undefined) log.info({ skewMs }, 'The clock of this process is right again.')
        reportedMs = undefined
      } else if (reportedMs === undefined || performance.now() - reportedMs >= reportEveryMs) {
        reportedMs = performance.now()
        log.error(
          { skewMs, limitMs: clockSkewMaxMs },
          'The clock of this process differs from the database’s. Set it: until then the process is not ready and deletes nothing.',
        )
      }
    },
  })
}

export function clockReasons(clock: Pick<DatabaseClock, 'latest'>): readonly NotReadyReason[] {
  const { skewMs, isWithinLimit } = clock.latest()
  return isWithinLimit ? [] : [{ is: 'clock_skew', skewMs }]
}
