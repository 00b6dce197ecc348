import type { Config } from '../base/config.ts'
import type { RecurringWork } from '../base/recurring-work.ts'
import type { Database } from '../store/core/database.ts'
import type { DatabaseClock } from '../store/server/database-clock.ts'
import type { DiskSpace } from '../store/server/disk-space.ts'
import { isReadOnly } from '../store/server/read-only.ts'
import { readSchemaState } from '../store/server/schema-state.ts'
import { readOldestDueMs } from '../store/webhooks/delivery-sweeps.ts'
import { type Check, failed, passed, warned } from './check.ts'

/**
 * Interval of the database check. Requests fail at once when the database is lost, so load balancers must know within
 * seconds.
 */
const databaseEveryMs = 2_000

/** Interval of the schema check. The schema changes only with a deployment or a restore. */
const schemaEveryMs = 10_000

/**
 * Interval of the check for a backlog of deliveries. Its statement reads an index entry of every endpoint, as each
 * sweep of the worker does.
 */
const deliveriesEveryMs = 15_000

const secondMs = 1_000

/**
 * Checks that the database accepts connections and writes. `database` is a separate pool, so that the check succeeds
 * even if requests use all connections of their own pool. A process whose requests use all connections is busy but
 * works. If it were reported as not ready, its requests would go to the other processes and increase their load.
 */
export function databaseCheck(database: Database, space: DiskSpace): Check {
  return {
    name: 'database',
    everyMs: databaseEveryMs,
    run: async () => {
      if (await isReadOnly(database)) return failed('The database accepts no writes.')
      return (await space.isFull()) ? failed('The disk of the database server is full.') : passed
    },
  }
}

/** The schema may not fit after a backup was restored or a later release migrated the database. */
export function schemaCheck(database: Database): Check {
  return {
    name: 'schema',
    everyMs: schemaEveryMs,
    run: async () => {
      const state = await readSchemaState(database)
      switch (state.is) {
        case 'current':
          return passed
        case 'too_old':
          return failed(`The database lacks ${state.pending.length} migration(s) of this release.`)
        case 'too_new':
          return failed('A later release has removed parts of the schema that this release needs.')
        case 'half_distributed':
          return failed('The distribution of the database has not finished.')
      }
    },
  }
}

export function clockCheck(clock: Pick<DatabaseClock, 'compare'>): Check {
  return {
    name: 'clock',
    everyMs: databaseEveryMs,
    run: async () => {
      const { skewMs, isWithinLimit } = clock.compare()
      return isWithinLimit
        ? passed
        : failed(`The clock of this process differs from the database’s by ${Math.round(skewMs / secondMs)} s.`)
    },
  }
}

/**
 * Age from which due deliveries are treated as a backlog. Workers send a delivery within milliseconds. After five
 * minutes, merchants notice that their webhooks are late.
 */
const dueMaxMs = 300_000

/**
 * Reports a backlog of deliveries. A backlog, or a failure to measure it in time, is only a warning. All processes
 * share the backlog, so it would not become shorter if processes were taken out of service. A stuck worker fails its
 * own health check.
 */
export function deliveriesCheck(database: Database): Check {
  return {
    name: 'deliveries',
    everyMs: deliveriesEveryMs,
    withoutResult: 'warned',
    run: async () => {
      const dueMs = await readOldestDueMs(database)
      if (dueMs <= dueMaxMs) return passed
      return warned(
        `The oldest due delivery has waited for ${Math.round(dueMs / secondMs)} s, the threshold is ${dueMaxMs / secondMs} s.`,
      )
    },
  }
}

/**
 * Maximum age of the last completed sweep. A sweep starts every five seconds and takes milliseconds. The maximum age is
 * longer than the timeout of a sweep's statements, so one slow statement does not make the check fail.
 */
const sweepMaxMs = 120_000

/**
 * Checks that the worker of this process makes progress. A process with the role `worker` is not ready when its worker
 * is stuck. A process that also serves requests still serves them, so it reports a warning.
 */
export function workerCheck(role: Config['role'], sinceSweepMs: () => number): Check {
  const report = role === 'worker' ? failed : warned
  return {
    name: 'worker',
    everyMs: databaseEveryMs,
    run: async () => {
      const ms = sinceSweepMs()
      return ms <= sweepMaxMs
        ? passed
        : report(`The worker has not completed a sweep for ${Math.round(ms / secondMs)} s.`)
    },
  }
}

/**
 * Names the recurring work whose last run failed. Such a failure is only a warning, because requests do not need the
 * recurring work. All processes share the database, so taking this process out of service would not help either. A
 * worker that completes no sweep fails its own check.
 */
export function recurringWorkCheck({ failing }: Pick<RecurringWork, 'failing'>): Check {
  return {
    name: 'recurring_work',
    everyMs: databaseEveryMs,
    run: async () => {
      const names = failing()
      return names.length === 0
        ? passed
        : warned(`These tasks fail and are repeated until they succeed: ${names.join(', ')}.`)
    },
  }
}

/** If only some child processes are down, the check only warns, because the others serve the requests. */
export function apiProcessesCheck(total: number, serving: () => number): Check {
  return {
    name: 'api_processes',
    everyMs: databaseEveryMs,
    run: async () => {
      const count = serving()
      if (count === total) return passed
      const detail = `${count} of ${total} API processes serve requests.`
      return count === 0 ? failed(detail) : warned(detail)
    },
  }
}

/**
 * Interval of the health check in milliseconds. Each run of the check also records in the database that this process is
 * running. Other processes treat a process without a new record for 30 seconds as ended, so the interval must be
 * shorter.
 */
const encryptionKeyEveryMs = 5_000

/** As a side effect, `isComplete` records in the database that this process is running. */
export function encryptionKeyCheck(isComplete: () => Promise<boolean>): Check {
  return {
    name: 'encryption_key',
    everyMs: encryptionKeyEveryMs,
    run: async () =>
      (await isComplete()) ? passed : failed('This process lacks an encryption key that stored secrets need.'),
  }
}

export function embeddedServerCheck(isRunning: () => boolean): Check {
  return {
    name: 'embedded_server',
    everyMs: databaseEveryMs,
    run: async () => (isRunning() ? passed : failed('The embedded PostgreSQL is being restarted.')),
  }
}
