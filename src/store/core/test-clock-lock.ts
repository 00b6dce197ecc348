import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { lockingAll } from './calls.ts'
import type { LockTrx } from './database.ts'

/**
 * The lock between the mutations of a merchant in test mode, the results of its webhook deliveries, and the steps of
 * its test clock. Mutations and results share the lock, and a step holds the lock alone. A step therefore moves either
 * all rows of a mutation or result, or none of them. All of them take this lock before any row lock, so they cannot
 * deadlock with each other.
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

/**
 * Takes the shared test clock locks of several merchants, in the given order. The statements are sent in one round
 * trip.
 */
export async function shareTestClocks(trx: LockTrx, merchantIds: readonly MerchantId[]): Promise<void> {
  await Promise.all(merchantIds.map((merchantId) => shareTestClock(trx, { merchantId })))
}

/** Waits until no mutation of the merchant runs, and prevents mutations until the transaction ends. */
export const holdTestClock = lockingAll<OfMerchant>()(
  'hold_test_clock',
  (p) => sql<object>`select pg_advisory_xact_lock(${keys(p)}) is null`,
)
