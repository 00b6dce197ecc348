import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { lockingAll } from './calls.ts'

/**
 * The lock between the mutations of a merchant in test mode and the steps of its test clock. Mutations share the lock, and
 * a step holds it alone, so a step moves either all rows of a mutation or none. Both take it before any row lock, so they
 * cannot deadlock with each other.
 */

interface OfMerchant {
  readonly merchantId: MerchantId
}

const keys = ({ merchantId }: OfMerchant) => sql`${sql.lit(advisoryLocks.testClock)}, hashtext(${merchantId})`

/** Waits until no step of the merchant's test clock runs, and prevents a step until the transaction ends. */
export const shareTestClock = lockingAll<OfMerchant>()(
  'share_test_clock',
  (p) => sql<object>`select pg_advisory_xact_lock_shared(${keys(p)}) is null`,
)

/** Waits until no mutation of the merchant runs, and prevents mutations until the transaction ends. */
export const holdTestClock = lockingAll<OfMerchant>()(
  'hold_test_clock',
  (p) => sql<object>`select pg_advisory_xact_lock(${keys(p)}) is null`,
)
