import { sql } from 'kysely'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import { build, reading } from '../../core/statement.ts'
import type { StoredAttempt } from '../../tables/shipment.ts'

/**
 * Other dispatch attempts of a merchant at the same carrier, around the time of a given attempt. The carrier’s list
 * shows the orders of all these attempts without their references.
 */

export interface ConcurrentAttempt {
  readonly reference: string
  readonly carrierReference: string | null
  readonly startedAt: Timestamp
  /**
   * Whether an order of this attempt may be confused with an order of the given attempt: both have the same recipient,
   * and the carrier may have an order of this attempt that this service does not know yet.
   */
  readonly isRival: boolean
}

/**
 * Maximum age of a listed attempt, in days before the start of the given attempt. The carrier's list shows the time of
 * each order, so the orders of older attempts cannot be confused with that of the given attempt.
 */
const earlierDays = 2

const listOthers = reading<Pick<StoredAttempt, 'merchantId' | 'carrier' | 'reference' | 'startedAt' | 'shipmentId'>>()(
  'list_concurrent_attempts',
  (p) =>
    build
      .selectFrom('dispatch_attempts as attempt')
      .innerJoin('shipments as shipment', (join) =>
        join.onRef('shipment.merchantId', '=', 'attempt.merchantId').onRef('shipment.id', '=', 'attempt.shipmentId'),
      )
      .where('attempt.merchantId', '=', p.merchantId)
      .where('attempt.carrier', '=', p.carrier)
      .where('attempt.reference', '<>', p.reference)
      .where(
        sql<boolean>`attempt.started_at > ${p.startedAt}::timestamptz - make_interval(days => ${sql.lit(earlierDays)})`,
      )
      .select([
        'attempt.reference',
        'attempt.carrierReference',
        'attempt.startedAt',
        sql<boolean>`
          attempt.carrier_reference is null
          and (
            attempt.state in ('sending', 'unknown')
            or (attempt.state in ('not_found_at_carrier', 'abandoned') and attempt.next_check_at is not null)
          )
          and coalesce(
            shipment.dropoff ->> 'phone' = (
              select sought.dropoff ->> 'phone'
              from shipments sought
              where sought.merchant_id = ${p.merchantId} and sought.id = ${p.shipmentId}
            ),
            false
          )`.as('isRival'),
      ])
      .orderBy('attempt.startedAt')
      .orderBy('attempt.reference'),
)

/** Oldest first. */
export async function listConcurrentAttempts(
  db: ReadDb,
  attempt: StoredAttempt,
): Promise<readonly ConcurrentAttempt[]> {
  const { merchantId, carrier, reference, startedAt, shipmentId } = attempt
  return await db.read(listOthers, { merchantId, carrier, reference, startedAt, shipmentId })
}
