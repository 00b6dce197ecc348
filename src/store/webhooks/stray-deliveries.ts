import type { DeliveryId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Database } from '../core/database.ts'
import type { WriteStatement } from '../core/statement.ts'

/**
 * Corrects deliveries that a change of their endpoint missed because of a concurrent transaction. A read without locks
 * finds these deliveries for all merchants. A statement for each merchant then locks and corrects them. This statement
 * checks its condition again, because a delivery or its endpoint may have changed since the read.
 */

export interface StrayDelivery {
  readonly merchantId: MerchantId
  readonly id: DeliveryId
}

/**
 * Deliveries of one merchant that a change of their endpoint missed because of concurrent transactions. The change
 * should have applied to these deliveries too.
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

/** Corrects the deliveries in `found`, one merchant after another. Returns the number of corrected deliveries. */
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
