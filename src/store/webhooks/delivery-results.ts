import { sql } from 'kysely'
import type { DeliveryId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { bookkeepAtOnce } from '../core/bookkeeping.ts'
import type { Database, LockTrx, WriteTrx } from '../core/database.ts'
import { type Arrays, arraysOf, type ColumnTypes, rowsOf } from '../core/row-arrays.ts'
import { type RowOf, updatingRows } from '../core/rows.ts'
import { isOf, locking, type MerchantCondition, writing } from '../core/statement.ts'
import { shareTestClocks } from '../core/test-clock-lock.ts'
import type { DeliveryStatus } from '../tables/values.ts'
import { type AttemptRecord, attemptColumns, attemptRowOf, attemptRows } from './attempts.ts'
import { type EndpointKey, inMerchantOrder, isHealthy } from './endpoints.ts'
import { lockedLeases, releasedLeases, useIndexes } from './lease-fragments.ts'
import { leaseSeconds } from './leases.ts'

/**
 * Records the results of delivery attempts, in batches. A result is recorded only while the lease of its attempt
 * exists.
 */

/** The row of a successful attempt, with the id of the lease under which the attempt is recorded. */
type Success = Pick<RowOf<typeof attemptRows>, (typeof attemptColumns)[number]> & {
  readonly endpointId: string
  readonly lease_id: string
}

const successTypes: ColumnTypes<Success> = {
  merchantId: 'text',
  endpointId: 'text',
  lease_id: 'text',
  deliveryId: 'text',
  number: 'integer',
  startedAt: 'text',
  finishedAt: 'text',
  outcome: 'text',
  httpStatus: 'integer',
  errorCode: 'text',
  responseBody: 'text',
  dnsMs: 'integer',
  connectMs: 'integer',
  tlsMs: 'integer',
  firstByteMs: 'integer',
  durationMs: 'integer',
  isReused: 'boolean',
  url: 'text',
  endpointEpoch: 'integer',
}

const attemptNames = sql.join(attemptColumns.map((column) => sql.ref(column)))
const attemptValues = sql.join(attemptColumns.map((column) => sql.ref(`result.${column}`)))

const isAny: MerchantCondition = () => sql`true`

/**
 * Records successful attempts in one statement, without locking endpoints. For an endpoint that has no consecutive
 * failures and is not ramping up after failures, a success changes only the delivery. This statement for the results of
 * all merchants is used only on a database of one server. A separate statement for each merchant would take more CPU
 * time per result: 4.8 times as much with one result for each merchant, 2.3 times with four, and 1.6 times with 16. A
 * distributed database would not run this statement on one node, even for one merchant. The statement returns only the
 * deliveries whose results it recorded. It records no result if the lease of the delivery has expired, or if the state
 * of the endpoint must be updated. It also records no result if the delivery was completed since the claim, or if a
 * worker of an earlier release leased the delivery.
 */
const success = writing<Arrays<Success>>()(
  'record_successes',
  (p) => sql<LeaseOfDelivery>`
    with result as materialized (
      select
        merchant_id, endpoint_id, lease_id::uuid, delivery_id, number, started_at::timestamptz, finished_at::timestamptz, outcome,
        http_status, error_code, response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms, is_reused, url,
        endpoint_epoch
      from ${rowsOf(successTypes, p)}
    ), ${lockedLeases(isAny)}, healthy as materialized (
      select lease.*
      from lease
      join webhook_endpoints endpoint on endpoint.merchant_id = lease.merchant_id and endpoint.id = lease.endpoint_id
      where ${isHealthy}
    ), ended as (
      update webhook_deliveries delivery
      set
        status = 'succeeded', attempt_count = attempt_count + 1, lost_count = 0, next_attempt_at = null,
        lease_number = result.number, completed_at = result.finished_at
      from result
      join healthy
        on healthy.merchant_id = result.merchant_id and healthy.endpoint_id = result.endpoint_id and healthy.id = result.lease_id
      where delivery.merchant_id = result.merchant_id
        and delivery.id = result.delivery_id
        and result.delivery_id = any(healthy.delivery_ids)
        and delivery.completed_at is null
        and delivery.lease_until is null
      returning
        delivery.merchant_id, delivery.endpoint_id, result.lease_id, healthy.delivery_ids as leased_ids,
        delivery.id as delivery_id
    ), attempted as (
      insert into webhook_attempts (${attemptNames})
      select ${attemptValues}
      from result
      join ended on ended.lease_id = result.lease_id and ended.delivery_id = result.delivery_id
      on conflict do nothing
    ), ${releasedLeases(isAny)}
    select lease_id, delivery_id from ended`,
)

interface LeaseKey {
  readonly endpointId: string
  readonly lease_id: string
  readonly deliveryId: string
}

const leaseTypes: ColumnTypes<LeaseKey> = {
  endpointId: 'text',
  lease_id: 'text',
  deliveryId: 'text',
}

export interface LeaseOfDelivery {
  readonly leaseId: string
  readonly deliveryId: DeliveryId
}

export interface LeasedDelivery extends EndpointKey, LeaseOfDelivery {
  readonly status: DeliveryStatus
  readonly completedAt: Timestamp | null
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly replayOf: DeliveryId | null
  readonly attemptCount: number
  readonly isPaced: boolean
  readonly lostCount: number
  /**
   * Whether the next attempt of the delivery is due after the time of the claim, because a retry was scheduled or a
   * held delivery was resumed.
   */
  readonly isRescheduled: boolean
  /** Whether a worker of an earlier release leased the delivery after the lease of this attempt had expired. */
  readonly isLeasedByEarlierRelease: boolean
  /** Whether the delivery belongs to a bulk replay that was cancelled. */
  readonly isReplayCancelled: boolean
}

interface ResultsOfMerchant extends Arrays<LeaseKey> {
  readonly merchantId: MerchantId
}

/**
 * Two common table expressions: `result` contains the keys of the results of delivery attempts, and `lease` contains
 * and locks the leases to which these results belong.
 */
const lockedKeys = (p: ResultsOfMerchant) => sql`
    result as materialized (
      select ${p.merchantId}::text as merchant_id, endpoint_id, lease_id::uuid, delivery_id from ${rowsOf(leaseTypes, p)}
    ), ${lockedLeases(isOf(p.merchantId))}`

/**
 * Locks leases of a merchant and their deliveries. Leases are locked first, in key order, so that concurrent
 * transactions cannot deadlock. A delivery whose lease has ended is not returned.
 */
const lockLeased = locking<ResultsOfMerchant>()(
  'lock_leased_deliveries',
  (p) => sql<LeasedDelivery>`
    with ${lockedKeys(p)}
    select
      delivery.merchant_id, delivery.endpoint_id, lease.id as lease_id,
      delivery.id as delivery_id, delivery.status, delivery.trigger, delivery.replay_of,
      delivery.attempt_count, delivery.is_paced, delivery.lost_count, delivery.completed_at,
      coalesce(delivery.next_attempt_at > lease.expires_at - make_interval(secs => ${sql.lit(leaseSeconds)}), false)
        as is_rescheduled,
      delivery.lease_until is not null as is_leased_by_earlier_release,
      exists (
        select
        from webhook_bulk_replays replay
        where replay.merchant_id = ${p.merchantId} and replay.id = delivery.bulk_replay_id and replay.status = 'cancelled'
      ) as is_replay_cancelled
    from result
    join lease
      on lease.merchant_id = result.merchant_id and lease.endpoint_id = result.endpoint_id and lease.id = result.lease_id
    join webhook_deliveries delivery on delivery.merchant_id = ${p.merchantId} and delivery.id = result.delivery_id
    where result.delivery_id = any(lease.delivery_ids)
    order by delivery.id
    for no key update of delivery`,
)

const release = writing<ResultsOfMerchant>()(
  'release_deliveries',
  (p) => sql`
    with ${lockedKeys(p)}, ended as (
      select result.*, lease.delivery_ids as leased_ids
      from result
      join lease
        on lease.merchant_id = result.merchant_id and lease.endpoint_id = result.endpoint_id and lease.id = result.lease_id
    ), ${releasedLeases(isOf(p.merchantId))}
    select 1 from remaining`,
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
  ['merchantId', 'id'],
  ['status', 'attemptCount', 'nextAttemptAt', 'isPaced', 'lostCount', 'leaseNumber', 'completedAt'],
)

/** A successful replay also completes the original delivery, so that it is not retried. */
const completeOriginal = writing<{ merchantId: MerchantId; id: DeliveryId; now: Timestamp }>()(
  'complete_original_delivery',
  (p) => sql`
    update webhook_deliveries
    set
      status = 'succeeded', next_attempt_at = null, lease_until = null, leased_by = null,
      completed_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id} and status <> 'succeeded'`,
)

/**
 * Returns the attempts that were recorded. `testMerchants` are those merchants of the attempts that are in test mode.
 */
export async function recordSuccesses(
  database: Database,
  attempts: readonly AttemptRecord[],
  testMerchants: readonly MerchantId[],
): Promise<readonly LeaseOfDelivery[]> {
  const successes = attempts.map((attempt) => ({
    ...attemptRowOf(attempt, 'succeeded'),
    endpointId: attempt.endpointId,
    lease_id: attempt.leaseId,
  }))
  const arrays = arraysOf(successTypes, successes)
  return bookkeepAtOnce(database, async (trx) => {
    const [, , written] = await Promise.all([
      shareTestClocks(trx, testMerchants),
      trx.write(useIndexes, {}),
      trx.write(success, arrays),
    ])
    return written
  })
}

function resultsOf(merchantId: MerchantId, attempts: readonly AttemptRecord[]): ResultsOfMerchant {
  const keys = attempts.map(({ endpointId, leaseId, deliveryId }) => ({ endpointId, lease_id: leaseId, deliveryId }))
  return { ...arraysOf(leaseTypes, keys), merchantId }
}

/**
 * Locks the deliveries whose leases still belong to the given attempts, with a statement for each merchant. Requires the
 * locks of their endpoints.
 */
export async function lockLeasedDeliveries(
  trx: LockTrx,
  attempts: readonly AttemptRecord[],
): Promise<readonly LeasedDelivery[]> {
  const locked = inMerchantOrder(attempts).map(([merchantId, ofMerchant]) =>
    trx.lock(lockLeased, resultsOf(merchantId, ofMerchant)),
  )
  return (await Promise.all(locked)).flat()
}

/** Updates deliveries, inserts their attempts and ends their leases. Requires the locks of lockLeasedDeliveries(). */
export function completeDeliveries(trx: WriteTrx, deliveries: readonly CompletedDelivery[]): void {
  completed.update(
    trx,
    deliveries.map((delivery) => ({
      merchantId: delivery.attempt.merchantId,
      id: delivery.attempt.deliveryId,
      status: delivery.status,
      attemptCount: delivery.attemptCount,
      nextAttemptAt: delivery.nextAttemptAt,
      isPaced: delivery.isPaced,
      lostCount: delivery.lostCount,
      leaseNumber: delivery.attempt.leaseNumber,
      completedAt: delivery.completedAt,
    })),
  )
  attemptRows.insert(
    trx,
    deliveries.map(({ attempt, outcome }) => attemptRowOf(attempt, outcome)),
  )
  releaseDeliveries(
    trx,
    deliveries.map(({ attempt }) => attempt),
  )
}

export function completeOriginalDelivery(
  trx: WriteTrx,
  original: { merchantId: MerchantId; id: DeliveryId; now: Timestamp },
): void {
  trx.queue(completeOriginal, original)
}

/**
 * Ends the leases of attempts whose results are not recorded, with a statement for each merchant. Requires the locks of
 * lockLeasedDeliveries().
 */
export function releaseDeliveries(trx: WriteTrx, attempts: readonly AttemptRecord[]): void {
  for (const [merchantId, ofMerchant] of inMerchantOrder(attempts))
    trx.queue(release, resultsOf(merchantId, ofMerchant))
}
