import { sql } from 'kysely'
import type { Timestamp } from '../../registry/vocabulary.ts'
import { type AttemptRecord, attemptInsert } from './attempts.ts'
import { persist } from './bookkeeping.ts'
import type { Database, WriteTrx } from './database.ts'
import { writing } from './statement.ts'
import type { DeliveryStatus } from './tables.ts'

/** How an attempt ended, written under its lease. No row comes back when the lease is no longer the worker's. */

function underLease(p: AttemptRecord) {
  return sql`
      merchant_id = ${p.merchantId}
        and id = ${p.deliveryId}
        and leased_by = ${p.workerId}
        and lease_number = ${p.leaseNumber}`
}

/**
 * A success is one statement. It ends the delivery, and with a replay the delivery it repeats, so that no retry
 * follows. It ends a row of failures, unless it was a sample, began before the endpoint last changed or came after the
 * endpoint was disabled, whose count then says why.
 */
const success = writing<AttemptRecord>()(
  'record_success',
  (p) => sql<{ id: string }>`
    with settled as (
      update webhook_deliveries
      set
        status = 'succeeded', attempt_count = attempt_count + 1, lease_until = null, leased_by = null,
        completed_at = ${p.finishedAt}::timestamptz
      where ${underLease(p)}
      returning merchant_id, id, endpoint_id, trigger, replay_of
    ), attempted as (${attemptInsert(p, 'succeeded')}
    ), original as (
      update webhook_deliveries original
      set
        status = 'succeeded', next_attempt_at = null, lease_until = null, leased_by = null,
        completed_at = ${p.finishedAt}::timestamptz
      from settled
      where original.merchant_id = settled.merchant_id
        and original.id = settled.replay_of
        and original.status <> 'succeeded'
    ), recovered as (
      update webhook_endpoints endpoint
      set consecutive_failures = 0, updated_at = ${p.finishedAt}::timestamptz
      from settled
      where endpoint.merchant_id = settled.merchant_id
        and endpoint.id = settled.endpoint_id
        and endpoint.epoch = ${p.epoch}
        and endpoint.consecutive_failures <> 0
        and (settled.trigger = 'replay' or (settled.trigger = 'automatic' and endpoint.status = 'enabled'))
    )
    select id from settled`,
)

export interface FailedAttempt extends AttemptRecord {
  readonly status: Extract<DeliveryStatus, 'failed' | 'held'>
  readonly nextAttemptAt: Timestamp | null
  readonly completedAt: Timestamp | null
}

const failure = writing<FailedAttempt>()(
  'record_failure',
  (p) => sql<{ id: string }>`
    with settled as (
      update webhook_deliveries
      set
        status = ${p.status}, attempt_count = attempt_count + 1, next_attempt_at = ${p.nextAttemptAt}::timestamptz,
        lease_until = null, leased_by = null, completed_at = ${p.completedAt}::timestamptz
      where ${underLease(p)}
      returning merchant_id, id
    ), attempted as (${attemptInsert(p, 'failed')}
    )
    select id from settled`,
)

/** Our own fault: the attempt is kept as history, uses up no retry and counts against nobody. */
const aborted = writing<AttemptRecord>()(
  'record_aborted',
  (p) => sql<{ id: string }>`
    with settled as (
      update webhook_deliveries
      set next_attempt_at = ${p.finishedAt}::timestamptz, lease_until = null, leased_by = null
      where ${underLease(p)}
      returning merchant_id, id
    ), attempted as (${attemptInsert(p, 'aborted')}
    )
    select id from settled`,
)

const lockLeased = writing<AttemptRecord>()(
  'lock_leased_delivery',
  (p) => sql<{ id: string }>`
    select id
    from webhook_deliveries
    where ${underLease(p)}
    for update`,
)

/** Each answers whether the lease was still held, and so whether anything was written. */
export async function recordSuccess(database: Database, attempt: AttemptRecord): Promise<boolean> {
  return (await persist(() => database.run(success, attempt))).length > 0
}

export async function recordAborted(database: Database, attempt: AttemptRecord): Promise<boolean> {
  return (await persist(() => database.run(aborted, attempt))).length > 0
}

export async function lockLeasedDelivery(trx: WriteTrx, attempt: AttemptRecord): Promise<boolean> {
  return (await trx.write(lockLeased, attempt)).length > 0
}

/** Part of a transaction that holds the lock of lockLeasedDelivery(). */
export function queueFailure(trx: WriteTrx, attempt: FailedAttempt): void {
  trx.queue(failure, attempt)
}
