import { sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing } from '../core/calls.ts'

/** The number of API requests on one day. The day is in Lagos time, which is the time zone of the merchants. */
export interface RequestsOfDay {
  /** The date of the counted day in Lagos, such as `2026-11-21`. */
  readonly day: string
  readonly requests: number
  readonly clientErrors: number
  readonly serverErrors: number
}

/**
 * Returns the request counts of today and the six days before, oldest first. Reads at most a few hundred rows of
 * counters.
 */
export const countRequestsByDay = listing<{ merchantId: MerchantId; now: Timestamp }>()(
  'count_requests_by_day',
  (p) => sql<RequestsOfDay>`
    select
      to_char(day, 'YYYY-MM-DD') as day,
      coalesce(sum(requests), 0)::bigint as requests,
      coalesce(sum(requests) filter (where status_class = 4), 0)::bigint as client_errors,
      coalesce(sum(requests) filter (where status_class = 5), 0)::bigint as server_errors
    from generate_series(
      date_trunc('day', ${p.now}::timestamptz at time zone 'Africa/Lagos') - interval '6 days',
      date_trunc('day', ${p.now}::timestamptz at time zone 'Africa/Lagos'),
      interval '1 day'
    ) as day
    left join request_counts
      on merchant_id = ${p.merchantId}
      and hour >= day at time zone 'Africa/Lagos'
      and hour < (day + interval '1 day') at time zone 'Africa/Lagos'
    group by day
    order by day`,
)
