import { onTestFinished } from 'vitest'
import type { Database } from '../../src/store/core/database.ts'
import { clockReaderOf, type DatabaseClock, openDatabaseClock } from '../../src/store/server/database-clock.ts'

export async function openTestClock(database: Database): Promise<DatabaseClock> {
  const clock = await openDatabaseClock({ read: clockReaderOf(database) })
  onTestFinished(clock.stop)
  return clock
}
