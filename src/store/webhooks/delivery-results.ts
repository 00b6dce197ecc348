import { sql } from 'kysely'
import type { DeliveryId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, LockTrx, WriteTrx } from '../core/database.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { updatingRows } from '../core/rows.ts'
import { locking, writing } from '../core/statement.ts'
import type { DeliveryStatus } from '../tables/webhook.ts'
import { type AttemptRecord, attemptColumns, attemptRowOf, attemptRows, lateAttemptRows } from './attempts.ts'
import type { EndpointKey } from './endpoints.ts'

/** Records the results of attempts under their leases, in batches. */

const attemptNames = sql.join(attemptColumns.map((column) => sql.ref(column)))
const attemptValues = sql.join(attemptColumns.map((column) => sql.ref(`result.${column}`)))

/**
 * Records successes in one statement, without locking endpoints: a success of an endpoint without consecutive failures
 * and ramp changes only the delivery. A delivery that is not returned has been leased to another worker, or its
 * endpoint's state has to be updated.
 */
const success = writing<{ rows: string; workerId: string }>()(
  'record_successes',
  (p) => sql<{ merchantId: MerchantId; id: DeliveryId }>`
    with result as materialized (
      select * from json_populate_recordset(null::webhook_attempts, ${p.rows}::json)
    ), completed as (
      update webhook_deliveries delivery
      set
        status = 'succeeded', attempt_count = attempt_count + 1, lost_count = 0, lease_until = null, leased_by = null,
        completed_at = result.finished_at
      from result
      where delivery.merchant_id = result.merchant_id
        and delivery.id = result.delivery_id
        and delivery.leased_by = ${p.workerId}
        and delivery.lease_number = result.number
        -- A scalar subquery, because the planner would otherwise join all endpoints of the merchant first.
        and (
          select endpoint.consecutive_failures = 0 and endpoint.ramp is null
          from webhook_endpoints endpoint
          where endpoint.merchant_id = delivery.merchant_id
            and endpoint.id = delivery.endpoint_id
        )
      returning delivery.merchant_id, delivery.id
    ), attempted as (
      insert into webhook_attempts (${attemptNames})
      select ${attemptValues}
      from result
      join completed on completed.merchant_id = result.merchant_id and completed.id = result.delivery_id
    )
    select merchant_id as "merchantId", id from completed`,
)

export interface LeasedDelivery extends EndpointKey {
  readonly id: DeliveryId
  readonly status: Extract<DeliveryStatus, 'pending' | 'failed'>
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly replayOf: DeliveryId | null
  readonly attemptCount: number
  readonly isPaced: boolean
  readonly lostCount: number
}

/** Locks rows in key order, so that concurrent transactions cannot deadlock. */
const lockLeased = locking<{ leases: string }>()(
  'lock_leased_deliveries',
  (p) => sql<LeasedDelivery>`
    select
      delivery.merchant_id as "merchantId", delivery.endpoint_id as "endpointId", delivery.id, delivery.status,
      delivery.trigger, delivery.replay_of as "replayOf", delivery.attempt_count as "attemptCount",
      delivery.is_paced as "isPaced", delivery.lost_count as "lostCount"
    from json_to_recordset(${p.leases}::json) as lease (
      merchant_id text, delivery_id text, leased_by text, lease_number integer
    )
    join webhook_deliveries delivery
      on delivery.merchant_id = lease.merchant_id
      and delivery.id = lease.delivery_id
      and delivery.leased_by = lease.leased_by
      and delivery.lease_number = lease.lease_number
    order by delivery.merchant_id, delivery.id
    for no key update of delivery`,
)

export interface CompletedDelivery {
  readonly attempt: AttemptRecord
  readonly outcome: 'succeeded' | 'failed' | 'aborted'
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly nextAttemptAt: Timestamp | null
  readonly isPaced: boolean
  readonly lostCount: number
  readonly completedAt: Timestamp | null
}

const completed = updatingRows(
  'webhook_deliveries',
  ['merchant_id', 'id'],
  ['status', 'attempt_count', 'next_attempt_at', 'is_paced', 'lost_count', 'lease_until', 'leased_by', 'completed_at'],
)

/** A successful replay also completes the original delivery, which is not retried any more. */
const completeOriginal = writing<{ merchantId: MerchantId; id: DeliveryId; now: Timestamp }>()(
  'complete_original_delivery',
  (p) => sql`
    update webhook_deliveries
    set
      status = 'succeeded', next_attempt_at = null, lease_until = null, leased_by = null,
      completed_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id} and status <> 'succeeded'`,
)

function leasesOf(attempts: readonly AttemptRecord[]): string {
  return JSON.stringify(
    attempts.map((attempt) => ({
      merchant_id: attempt.merchantId,
      delivery_id: attempt.deliveryId,
      leased_by: attempt.workerId,
      lease_number: attempt.leaseNumber,
    })),
  )
}

/** Records successes of one worker. Returns the ids of the recorded deliveries. */
export async function recordSuccesses(
  database: Database,
  workerId: string,
  attempts: readonly AttemptRecord[],
): Promise<ReadonlySet<DeliveryId>> {
  const rows = JSON.stringify(attempts.map((attempt) => attemptRowOf(attempt, 'succeeded')))
  const written = await retryConflicts(() => database.run(success, { rows, workerId }))
  return new Set(written.map(({ id }) => id))
}

/** Locks the deliveries whose leases these attempts still hold. Requires the locks of their endpoints. */
export function lockLeasedDeliveries(
  trx: LockTrx,
  attempts: readonly AttemptRecord[],
): Promise<readonly LeasedDelivery[]> {
  return trx.lock(lockLeased, { leases: leasesOf(attempts) })
}

/** Updates deliveries and inserts their attempts. Requires the locks of lockLeasedDeliveries(). */
export function completeDeliveries(trx: WriteTrx, deliveries: readonly CompletedDelivery[]): void {
  completed.update(
    trx,
    deliveries.map((delivery) => ({
      merchant_id: delivery.attempt.merchantId,
      id: delivery.attempt.deliveryId,
      status: delivery.status,
      attempt_count: delivery.attemptCount,
      next_attempt_at: delivery.nextAttemptAt,
      is_paced: delivery.isPaced,
      lost_count: delivery.lostCount,
      lease_until: null,
      leased_by: null,
      completed_at: delivery.completedAt,
    })),
  )
  attemptRows.insert(
    trx,
    deliveries.map(({ attempt, outcome }) => attemptRowOf(attempt, outcome)),
  )
}

/** Marks the original of a successful replay as succeeded. */
export function completeOriginalDelivery(
  trx: WriteTrx,
  original: { merchantId: MerchantId; id: DeliveryId; now: Timestamp },
): void {
  trx.queue(completeOriginal, original)
}

/** Records attempts whose lease has been lost. They do not change their delivery. */
export function recordLateAttempts(
  trx: WriteTrx,
  late: readonly Pick<CompletedDelivery, 'attempt' | 'outcome'>[],
): void {
  lateAttemptRows.insert(
    trx,
    late.map(({ attempt, outcome }) => attemptRowOf(attempt, outcome)),
  )
}
