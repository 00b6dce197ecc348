import { sql } from 'kysely'
import { undeliveredEnds } from '../../../registry/logistics/shipment-states.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing } from '../core/calls.ts'
import { isOf } from '../core/statement.ts'
import { isChecked } from '../logistics/shipments/shipment-checks.ts'
import { dueEndpoints } from '../webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../webhooks/endpoints.ts'

/**
 * Finds the work of one merchant that is due now, and the time at which further work is due. The SQL conditions are the
 * same as in the statements with which workers search for due work.
 */

export type DueKind =
  | 'orders'
  | 'refunds'
  | 'provider_callbacks'
  | 'carrier_callbacks'
  | 'shipments'
  | 'simulated_callbacks'
  | 'deliveries'

interface DueSearch {
  readonly merchantId: MerchantId
  /** The references by which the merchant's orders at the simulated carriers are found. */
  readonly references: readonly string[]
  readonly now: Timestamp
}

export interface DueTimes {
  readonly kind: DueKind
  readonly isDue: boolean
  /** The first due time after now. Null if there is none. */
  readonly nextAt: Timestamp | null
}

/**
 * Lists the due times of all kinds of work in one statement. The statement reads a single snapshot of the database, so
 * it shows work that another worker ends at the same moment either as due or as ended. A delivery that is being sent is
 * listed as due, because its result decides on the next attempt.
 */
export const listDueTimes = listing<DueSearch>()(
  'list_due_times',
  (p) => sql<DueTimes>`
    select
      kind,
      coalesce(bool_or(due_at <= ${p.now}::timestamptz), false) as is_due,
      min(due_at) filter (where due_at > ${p.now}::timestamptz) as next_at
    from (
      select 'orders' as kind, expires_at as due_at
      from orders
      where merchant_id = ${p.merchantId}
        and expires_at is not null
        and not exists (
          select from shipments shipment
          where shipment.merchant_id = ${p.merchantId}
            and shipment.order_id = orders.id
            and shipment.status not in (${sql.join(undeliveredEnds.map((end) => sql.lit(end)))})
        )
      union all
      select 'refunds', next_check_at from refunds where merchant_id = ${p.merchantId} and next_check_at is not null
      union all
      select 'provider_callbacks', next_attempt_at
      from provider_callbacks
      where merchant_id = ${p.merchantId} and next_attempt_at is not null
      union all
      select 'carrier_callbacks', next_attempt_at
      from carrier_callbacks
      where merchant_id = ${p.merchantId} and next_attempt_at is not null
      union all
      select 'shipments', next_check_at from shipments where merchant_id = ${p.merchantId} and next_check_at is not null
      union all
      select 'shipments', next_check_at
      from dispatch_attempts
      where merchant_id = ${p.merchantId}
        and next_check_at is not null
        and ${isChecked}
      union all
      select 'simulated_callbacks', next_callback_at
      from simulated_orders
      where reference = any(${p.references}::text[]) and next_callback_at is not null
      union all
      select 'simulated_callbacks', due_at
      from simulated_payment_callbacks
      where starts_with(key, 'sk_test_' || ${p.merchantId}::text || '_')
      union all
      select 'deliveries', due_at from ${dueEndpoints(isOf(p.merchantId))} where due_at is not null
      union all
      select 'deliveries', ${p.now}::timestamptz
      from webhook_leases
      where merchant_id = ${p.merchantId} and expires_at > ${p.now}::timestamptz
    ) as work
    group by kind`,
)

export const listQueuedEndpoints = listing<{ merchantId: MerchantId }>()(
  'list_queued_endpoints',
  (p) => sql<EndpointKey>`
    select merchant_id, endpoint_id from ${dueEndpoints(isOf(p.merchantId))} where due_at is not null`,
)
