import { sql } from 'kysely'
import { webhookAcknowledgementSeconds } from '../../../registry/values/limits.ts'
import type { DeliveryId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { bookkeepAtOnce } from '../core/bookkeeping.ts'
import { searchingAll } from '../core/calls.ts'
import type { Database } from '../core/database.ts'
import { type MerchantCondition, writing } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'
import { useIndexes } from './lease-fragments.ts'
import { correctStrays, type StrayDelivery, type StraysOfMerchant } from './stray-deliveries.ts'

/**
 * Leases of deliveries. While a worker sends a delivery, no other worker may. One row of webhook_leases is the lease of
 * all deliveries that a claim took of one endpoint. A leased delivery stays as it is, and due; its result removes it
 * from the lease and changes the delivery, and the last result deletes the lease.
 *
 *   due ──claim──> due, leased ──┬─result──> completed, or due at the next retry
 *                                └─lease expires──> attempt recorded as aborted, and due again
 */

/**
 * Duration of a lease in seconds. It is three send timeouts: one for the send itself, two for the work before and after
 * it on a busy machine.
 */
export const leaseSeconds = 3 * webhookAcknowledgementSeconds

/** The lease of one webhook delivery. */
export interface Lease extends EndpointKey {
  readonly leaseId: string
  readonly deliveryId: DeliveryId
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly leaseNumber: number
  readonly expiresAt: Timestamp
  readonly url: string
  readonly epoch: number
  readonly mode: 'live' | 'test'
}

/** The table of leases only contains deliveries that are being sent, so reading all of it is cheap. */
const leases = (isReachable: MerchantCondition) => sql`
  select
    lease.merchant_id, lease.endpoint_id, lease.id as lease_id,
    delivery.id as delivery_id, delivery.trigger, delivery.lease_number + 1 as lease_number,
    lease.expires_at, endpoint.url, endpoint.epoch, merchant.mode
  from webhook_leases lease
  join merchants merchant on merchant.id = lease.merchant_id
  join webhook_endpoints endpoint
    on ${isReachable('endpoint.merchantId')}
    and endpoint.merchant_id = lease.merchant_id and endpoint.id = lease.endpoint_id
  cross join lateral unnest(lease.delivery_ids) as leased (id)
  join webhook_deliveries delivery
    on ${isReachable('delivery.merchantId')}
    and delivery.merchant_id = lease.merchant_id and delivery.id = leased.id
  where ${isReachable('lease.merchantId')}`

/**
 * Maximum number of expired leases, or of their deliveries, that one statement reads. The statement then takes far less
 * time than its timeout. The next sweep processes the rest.
 */
const sweepMax = 5_000

const listExpired = searchingAll<{ now: Timestamp }>()(
  'list_expired_leases',
  (p, isReachable) =>
    sql<Lease>`${leases(isReachable)} and lease.expires_at < ${p.now}::timestamptz limit ${sql.lit(sweepMax)}`,
)

const listOfWorker = searchingAll<{ workerId: string }>()(
  'list_leases_of_worker',
  (p, isReachable) => sql<Lease>`${leases(isReachable)} and lease.worker_id = ${p.workerId}`,
)

const findEarlier = searchingAll<{ now: Timestamp }>()(
  'find_earlier_leases',
  (p, isReachable) => sql<StrayDelivery>`
    select merchant_id, id
    from webhook_deliveries
    where ${isReachable('merchantId')} and lease_until < ${p.now}::timestamptz
    limit ${sql.lit(sweepMax)}`,
)

/**
 * Makes a delivery due again when its lease by a worker of an earlier release has expired. Such a worker stores its
 * lease in the delivery, not in the table webhook_leases. The service does not record the attempts of such a worker, so
 * the next lease of the delivery gets the number of the expired lease.
 */
const releaseEarlier = writing<StraysOfMerchant & { now: Timestamp }>()(
  'release_earlier_leases',
  (p) => sql<{ id: string }>`
    with expired as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[]) and lease_until < ${p.now}::timestamptz
      for update skip locked
    )
    update webhook_deliveries delivery
    set
      next_attempt_at = ${p.now}::timestamptz, lease_until = null, leased_by = null,
      lease_number = greatest(0, delivery.lease_number - 1)
    from expired
    where delivery.merchant_id = ${p.merchantId} and delivery.id = expired.id
    returning delivery.id`,
)

/** Returns expired leases, a limited number per call. The workers that had the leases have probably crashed. */
export function listExpiredLeases(database: Database, now: Timestamp): Promise<readonly Lease[]> {
  return listExpired(database, { now })
}

export function listLeasesOf(database: Database, workerId: string): Promise<readonly Lease[]> {
  return listOfWorker(database, { workerId })
}

/**
 * Releases deliveries with an expired lease that a process of an earlier version has taken. Such a process does not
 * store its leases in the table webhook_leases. Returns the number of released deliveries, which is limited per call.
 */
export async function releaseEarlierLeases(database: Database, now: Timestamp): Promise<number> {
  const found = await bookkeepAtOnce(database, async (trx) => {
    const [, earlier] = await Promise.all([trx.write(useIndexes, {}), findEarlier(trx, { now })])
    return earlier
  })
  return correctStrays(database, { found, correct: releaseEarlier, args: { now } })
}
