import { sql } from 'kysely'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { deliveryLifeMs } from './endpoint-history.ts'
import type { EndpointKey } from './endpoints.ts'

/** Statistics of the attempts of a webhook endpoint, read at a bounded cost. */

/**
 * Maximum number of deliveries whose attempts are counted. Reading the attempts of 2,000 deliveries takes tens of
 * milliseconds.
 */
export const countedDeliveriesMax = 2_000

/**
 * Maximum number of reasons of failures that are listed for an endpoint. The failures of one endpoint usually have only
 * a few different reasons.
 */
const reasonsMax = 20

/** Figures about those delivery attempts of an endpoint that ended in a given period. */
interface Figures {
  readonly succeeded: number
  readonly failed: number
  /** Number of attempts that this service interrupted. They are not failures of the endpoint. */
  readonly aborted: number
  /** The median of the response times in milliseconds. Null if no attempt received a response. */
  readonly medianMs: number | null
  /** The response time in milliseconds that 95 of 100 responses do not exceed. */
  readonly p95Ms: number | null
}

export interface FailureReason {
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly day: number
  readonly week: number
}

export interface EndpointStatistics {
  /** The figures of the attempts that ended in the last 24 hours. */
  readonly day: Figures
  /** The figures of the attempts that ended in the last seven days. */
  readonly week: Figures
  /** The reasons of failed delivery attempts. The most frequent reason comes first. */
  readonly reasons: readonly FailureReason[]
  /**
   * Whether the maximum number of deliveries was counted. The endpoint may then have further deliveries, whose attempts
   * are not counted.
   */
  readonly isLimited: boolean
}

interface Args {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly fromId: string
  readonly week: Timestamp
  readonly day: Timestamp
}

const figuresOf = (condition: ReturnType<typeof sql>) => sql`jsonb_build_object(
      'succeeded', count(*) filter (where ${condition} and outcome = 'succeeded'),
      'failed', count(*) filter (where ${condition} and outcome = 'failed'),
      'aborted', count(*) filter (where ${condition} and outcome = 'aborted'),
      'medianMs', percentile_disc(0.5) within group (order by duration_ms)
        filter (where ${condition} and http_status is not null),
      'p95Ms', percentile_disc(0.95) within group (order by duration_ms)
        filter (where ${condition} and http_status is not null)
    )`

/**
 * Reads only the newest deliveries of each status, from an index that contains the deliveries of each status in the
 * order of their ids. Deliveries with the status `skipped` are left out, because they have no attempts. With `offset
 * 0`, PostgreSQL reads the attempts of one delivery after another. Without it, PostgreSQL would read the attempts of
 * all deliveries of the merchant.
 */
export const endpointStatistics = reading<Args>()(
  'count_attempts_of_endpoint',
  (p) => sql<Omit<EndpointStatistics, 'isLimited'> & { deliveries: number }>`
    with counted as materialized (
      select delivery.id
      from unnest(array['succeeded', 'failed', 'pending', 'held']) as status (name)
      cross join lateral (
        select id
        from webhook_deliveries
        where merchant_id = ${p.merchantId} and endpoint_id = ${p.endpointId} and status = status.name
          and id >= ${p.fromId}
        order by id desc
        limit ${sql.lit(countedDeliveriesMax)}
      ) delivery
      order by delivery.id desc
      limit ${sql.lit(countedDeliveriesMax)}
    ), attempts as materialized (
      select attempt.*
      from counted
      cross join lateral (
        select outcome, http_status, error_code, duration_ms, finished_at >= ${p.day}::timestamptz as is_of_day
        from webhook_attempts
        where merchant_id = ${p.merchantId} and delivery_id = counted.id and finished_at >= ${p.week}::timestamptz
        offset 0
      ) attempt
    )
    select
      ${figuresOf(sql`is_of_day`)} as day,
      ${figuresOf(sql`true`)} as week,
      (
        select coalesce(jsonb_agg(reason order by reason.week desc), '[]')
        from (
          select
            http_status as "httpStatus", error_code as "errorCode",
            count(*) filter (where is_of_day) as day, count(*) as week
          from attempts
          where outcome = 'failed'
          group by http_status, error_code
          order by week desc
          limit ${sql.lit(reasonsMax)}
        ) reason
      ) as reasons,
      (select count(*) from counted) as deliveries
    from attempts`,
)

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs

export async function readEndpointStatistics(
  db: ReadDb,
  { merchantId, endpointId }: EndpointKey,
  now: Timestamp,
): Promise<EndpointStatistics> {
  const nowMs = toMs(now)
  const [row] = await db.read(endpointStatistics, {
    ...{ merchantId, endpointId, fromId: lowestIdAt('dlv', nowMs - weekMs - deliveryLifeMs) },
    ...{ day: toTimestamp(nowMs - dayMs), week: toTimestamp(nowMs - weekMs) },
  })
  if (row === undefined) throw new Error('An aggregate returns one row.')
  const { deliveries, ...statistics } = row
  return { ...statistics, isLimited: deliveries >= countedDeliveriesMax }
}
