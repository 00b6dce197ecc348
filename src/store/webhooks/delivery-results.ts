import { sql } from 'kysely'
import type { DeliveryId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, LockTrx, WriteTrx } from '../core/database.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { updatingRows } from '../core/rows.ts'
import { locking, writing } from '../core/statement.ts'
import type { DeliveryStatus } from '../tables/webhook.ts'
import { type AttemptRecord, attemptColumns, attemptRowOf, attemptRows, lateAttemptRows } from './attempts.ts'
import type { EndpointKey } from './endpoints.ts'

/** How attempts ended, written under their leases, any number in one statement. */

const attemptNames = sql.join(attemptColumns.map((column) => sql.ref(column)))
const attemptValues = sql.join(attemptColumns.map((column) => sql.ref(`result.${column}`)))

/**
 * The usual case, in one statement without a lock on any endpoint: a success of an endpoint that has nothing counted
 * against it changes nothing but the delivery. What is not returned was leased by somebody else, or its endpoint has to
 * be judged.
 */
const success = writing<{ rows: string; workerId: string }>()(
  'record_successes',
  (p) => sql<{ merchantId: MerchantId; id: DeliveryId }>`
    with result as materialized (
      select * from json_populate_recordset(null::webhook_attempts, ${p.rows}::json)
    ), settled as (
      update webhook_deliveries delivery
      set
        status = 'succeeded', attempt_count = attempt_count + 1, lost_count = 0, lease_until = null, leased_by = null,
        completed_at = result.finished_at
      from result
      where delivery.merchant_id = result.merchant_id
        and delivery.id = result.delivery_id
        and delivery.leased_by = ${p.workerId}
        and delivery.lease_number = result.number
        -- As a value, which is asked for once for each row: a join by the merchant would come before that by the endpoint.
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
      join settled on settled.merchant_id = result.merchant_id and settled.id = result.delivery_id
    )
    select merchant_id as "merchantId", id from settled`,
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

/** In the order of their keys, so that two who lock several never wait for each other. */
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

const settled = updatingRows(
  'webhook_deliveries',
  ['merchant_id', 'id'],
  ['status', 'attempt_count', 'next_attempt_at', 'is_paced', 'lost_count', 'lease_until', 'leased_by', 'completed_at'],
)

/** With a replay the delivery it repeats has arrived, so no retry follows. */
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

/** Which of them were written. They are all of one worker. */
export async function recordSuccesses(
  database: Database,
  workerId: string,
  attempts: readonly AttemptRecord[],
): Promise<ReadonlySet<DeliveryId>> {
  const rows = JSON.stringify(attempts.map((attempt) => attemptRowOf(attempt, 'succeeded')))
  const written = await retryConflicts(() => database.run(success, { rows, workerId }))
  return new Set(written.map(({ id }) => id))
}

/** Those of the attempts' deliveries that are still theirs. Their endpoints must have been locked before. */
export function lockLeasedDeliveries(
  trx: LockTrx,
  attempts: readonly AttemptRecord[],
): Promise<readonly LeasedDelivery[]> {
  return trx.lock(lockLeased, { leases: leasesOf(attempts) })
}

/** Under the locks of lockLeasedDeliveries(): each delivery as it is now, and its attempt in the history. */
export function completeDeliveries(trx: WriteTrx, deliveries: readonly CompletedDelivery[]): void {
  settled.update(
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

export function completeOriginalDelivery(
  trx: WriteTrx,
  original: { merchantId: MerchantId; id: DeliveryId; now: Timestamp },
): void {
  trx.queue(completeOriginal, original)
}

/** The history of attempts nothing follows from. A worker given up for dead has its row already. */
export function recordLateAttempts(
  trx: WriteTrx,
  late: readonly Pick<CompletedDelivery, 'attempt' | 'outcome'>[],
): void {
  lateAttemptRows.insert(
    trx,
    late.map(({ attempt, outcome }) => attemptRowOf(attempt, outcome)),
  )
}
