import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, ReturnId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, SearchDb } from '../core/database.ts'
import { reading, searching } from '../core/statement.ts'

/**
 * Finds returns whose status was not updated when their shipment ended. This happens when a process of an earlier
 * release, which does not know return shipments, updates the shipment.
 */

/**
 * Function that returns an SQL condition: the given column contains one of the merchants whose returns are searched.
 */
type OfMerchants = (column: string) => RawBuilder<unknown>

/**
 * Finds the returns under way that do not reflect the end of their shipment yet. The shipment was delivered or lost and
 * the return is still `approved`, or the shipment was delivered and no notification reports the arrival. The statuses
 * in the query are those of the index of returns under way. At most one shipment of a return was delivered or lost.
 */
const unfollowed = (isOfMerchants: OfMerchants) => sql`
  from returns
  join shipments on shipments.merchant_id = returns.merchant_id and shipments.return_id = returns.id
  where ${isOfMerchants('returns.merchantId')}
    and ${isOfMerchants('shipments.merchantId')}
    and returns.status in ('approved', 'in_transit')
    and shipments.status in ('delivered', 'lost')
    and (
      returns.status = 'approved'
      or shipments.status = 'delivered' and not exists (
        select
        from notifications
        where ${isOfMerchants('notifications.merchantId')}
          and notifications.merchant_id = returns.merchant_id
          and notifications.created_at >= shipments.created_at
          and notifications.kind = 'return.arrived'
          and notifications.data ->> 'returnId' = returns.id
      )
    )`

export interface UnfollowedReturn {
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
  readonly id: ReturnId
  readonly shipmentId: ShipmentId
}

export const unfollowedReturns = searching<object>()(
  'list_unfollowed_returns',
  (_, isReachable) => sql<UnfollowedReturn>`
    select found.*, merchants.mode
    from (select returns.merchant_id, returns.id, shipments.id as shipment_id ${unfollowed(isReachable)}) found
    join merchants on merchants.id = found.merchant_id`,
)

export function listUnfollowedReturns(db: SearchDb): Promise<readonly UnfollowedReturn[]> {
  return db.search(unfollowedReturns, {})
}

const find = reading<{ merchantId: MerchantId; id: ReturnId }>()(
  'find_unfollowed_return',
  (p) => sql<{ id: ReturnId }>`
    select returns.id
    ${unfollowed((column) => sql<boolean>`${sql.ref(column)} = ${p.merchantId}`)} and returns.id = ${p.id}`,
)

/**
 * Whether the shipment of a return has ended, but the status or the notification of the return does not show this yet.
 * Requires the order's lock.
 */
export async function isUnfollowed(db: ReadDb, merchantId: MerchantId, id: ReturnId): Promise<boolean> {
  return (await db.read(find, { merchantId, id })).length > 0
}
