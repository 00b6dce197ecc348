import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { queueing, writingAll } from '../core/calls.ts'

/** Hours after which a failed sign-in is no longer counted, so that an attack of yesterday causes no delay. */
export const failuresExpireHours = 24

export interface FailureCount {
  /**
   * SHA-256, in hex, of the name of the counter. The name says what is counted, such as the failed sign-ins for one
   * e-mail address.
   */
  readonly key: string
  readonly count: number
  readonly lastFailedAt: Timestamp
}

/**
 * Locks the counters of a sign-in attempt until the transaction ends, and returns their failures of the last 24 hours.
 * Counters of failed sign-ins are locked in the order of their keys, so that two sign-in attempts do not deadlock. A
 * new counter has no failures, so it causes no delay.
 */
export const lockFailures = writingAll<{ keys: readonly string[]; now: Timestamp }>()(
  'lock_sign_in_failures',
  (p) => sql<FailureCount>`
    insert into sign_in_failures (key_hash, count, last_failed_at)
    select decode(key, 'hex'), 0, ${p.now}::timestamptz
    from unnest(${p.keys}::text[]) as key
    order by key
    on conflict (key_hash) do update set
      count = case
        when sign_in_failures.last_failed_at
          > ${p.now}::timestamptz - interval '${sql.raw(String(failuresExpireHours))} hours'
        then sign_in_failures.count
        else 0
      end
    returning encode(key_hash, 'hex') as key, count, last_failed_at`,
)

/** Counts a sign-in attempt as failed before it is verified, so that concurrent guesses cannot exceed the limit. */
export const addFailures = queueing<{ keys: readonly string[]; now: Timestamp }>()(
  'add_sign_in_failures',
  (p) => sql`
    update sign_in_failures set count = count + 1, last_failed_at = ${p.now}::timestamptz
    where key_hash in (select decode(key, 'hex') from unnest(${p.keys}::text[]) as key)`,
)

/**
 * Subtracts one failure from each counter of failed sign-ins. The failure of an attempt is counted before its
 * credentials are verified. The failure is subtracted if the attempt succeeded, or if its credentials were never
 * verified.
 */
export const subtractFailures = queueing<{ keys: readonly string[] }>()(
  'subtract_sign_in_failures',
  (p) => sql`
    update sign_in_failures set count = greatest(count - 1, 0)
    where key_hash in (select decode(key, 'hex') from unnest(${p.keys}::text[]) as key)`,
)

/**
 * Deletes the counters of failed sign-ins that are zero, so that a sign-in without a counted failure leaves no row. The
 * caller must have locked the counters.
 */
export const deleteUnusedCounters = queueing<{ keys: readonly string[] }>()(
  'delete_unused_sign_in_counters',
  (p) => sql`
    delete from sign_in_failures
    where key_hash in (select decode(key, 'hex') from unnest(${p.keys}::text[]) as key) and count = 0`,
)

export const clearFailures = queueing<{ keys: readonly string[] }>()(
  'clear_sign_in_failures',
  (p) => sql`
    delete from sign_in_failures
    where key_hash in (select decode(key, 'hex') from unnest(${p.keys}::text[]) as key)`,
)
