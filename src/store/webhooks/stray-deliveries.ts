import type { DeliveryId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Database } from '../core/database.ts'
import type { WriteStatement } from '../core/statement.ts'

/**
 * Corrects deliveries whose endpoint was changed by a concurrent transaction that missed them. A read without locks
 * finds such deliveries of all merchants, and a statement for each merchant locks and corrects them. This statement
 * checks its condition again, because a delivery or its endpoint may have changed since the delivery was found.
 */

export interface StrayDelivery {
  readonly merchantId: MerchantId
  readonly id: DeliveryId
}

/**
 * The deliveries of one merchant that a change of their endpoint should have changed too, but missed because of
 * concurrent transactions.
 */
export interface StraysOfMerchant {
  readonly merchantId: MerchantId
  readonly ids: readonly DeliveryId[]
}

interface Correction<Args> {
  readonly found: readonly StrayDelivery[]
  /** Returns a row for each corrected delivery. */
  readonly correct: WriteStatement<Args & StraysOfMerchant, unknown>
  readonly args: Args
}

/**
 * Corrects the stray deliveries that were found, one merchant after another. Returns the number of corrected
 * deliveries.
 */
export async function correctStrays<Args>(
  database: Database,
  { found, correct, args }: Correction<Args>,
): Promise<number> {
  let corrected = 0
  for (const [merchantId, strays] of Map.groupBy(found, (stray) => stray.merchantId)) {
    const ids = strays.map(({ id }) => id)
    corrected += (await database.run(correct, { ...args, merchantId, ids })).length
  }
  return corrected
}
