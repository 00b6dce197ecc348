import { type RawBuilder, sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database } from '../core/database.ts'
import { runInBatches } from '../core/run-in-batches.ts'
import { type WriteStatement, writing } from '../core/statement.ts'
import { sessionIdleDays } from './sessions.ts'
import { failuresExpireHours } from './sign-in-failures.ts'

/**
 * Maximum number of expired sign-in rows deleted per statement. PostgreSQL deletes 5,000 rows in a fraction of a
 * second, far below the statement timeout.
 */
const batch = 5000

/** Retention of ended sessions: they are no longer listed, but support can look them up for a month. */
const endedSessionDays = 30

/** Retention of a known device. After half a year without a sign-in, the device is treated as new. */
const deviceDays = 180

/**
 * Retention of the records of submitted forms, by which a second submission of a form is detected. A second submission
 * usually comes within seconds; a day is long enough for a tab that was left open overnight.
 */
const formHours = 24

type Expiry = WriteStatement<{ now: Timestamp }, { deleted: boolean }>

const days = (number: number) => sql.raw(`interval '${number} days'`)
const hours = (number: number) => sql.raw(`interval '${number} hours'`)

function expiry(table: string, isExpired: (now: Timestamp) => RawBuilder<boolean>): Expiry {
  return writing<{ now: Timestamp }>()(
    `delete_expired_${table}`,
    (p) => sql<{ deleted: boolean }>`
      delete from ${sql.table(table)}
      where ctid = any (array(
        select ctid from ${sql.table(table)} where ${isExpired(p.now)} limit ${sql.lit(batch)} for update skip locked
      ))
      returning true as deleted`,
  )
}

const expiries: readonly Expiry[] = [
  expiry(
    'sessions',
    (now) => sql`
      least(revoked_at, expires_at, last_seen_at + ${days(sessionIdleDays)}) < ${now}::timestamptz - ${days(endedSessionDays)}`,
  ),
  expiry('sign_in_links', (now) => sql`expires_at < ${now}::timestamptz - ${days(endedSessionDays)}`),
  expiry('passkey_challenges', (now) => sql`expires_at < ${now}::timestamptz`),
  expiry('sign_in_failures', (now) => sql`last_failed_at < ${now}::timestamptz - ${hours(failuresExpireHours)}`),
  expiry('known_devices', (now) => sql`last_used_at < ${now}::timestamptz - ${days(deviceDays)}`),
  expiry('submitted_forms', (now) => sql`submitted_at < ${now}::timestamptz - ${hours(formHours)}`),
]

/**
 * Deletes ended sessions, and expired sign-in links, passkey challenges, sign-in failures, known devices and submitted
 * forms. Most queries ignore ended and expired rows, even before the deletion.
 */
export async function deleteExpiredSignIns(database: Database, now: Timestamp): Promise<number> {
  let total = 0
  for (const statement of expiries) {
    total += await runInBatches(database, { statement, args: { now }, size: batch })
  }
  return total
}
