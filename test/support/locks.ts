import type { TestApi } from './api.ts'
import { select } from './contents.ts'

/** Resolves once so many connections of the test's database wait for a lock. */
export async function untilWaiting(api: TestApi, count: number): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await select(api, waiting)).length < count) {
    // Each look is a round trip, so this does not spin.
  }
}
