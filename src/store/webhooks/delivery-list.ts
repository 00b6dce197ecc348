import { type RawBuilder, sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { DeliveryId, EndpointId, EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { lowestIdAt, timeOfId } from '../../base/ids.ts'
import type { ReadDb } from '../core/database.ts'
import { type ReadStatement, reading } from '../core/statement.ts'
import { leasedIdsOf } from './lease-fragments.ts'

/**
 * The list of deliveries. The id of a delivery starts with its creation time, so a range of time is a range of ids.
 * Each statement therefore reads its page from an index that ends with the id.
 */

export const deliveryStatuses = ['pending', 'failed', 'succeeded', 'held', 'skipped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** A filter that is null or omitted matches all deliveries. */
export interface DeliveryFilter {
  readonly merchantId: MerchantId
  readonly limit: number
  readonly endpointId?: EndpointId | null
  readonly status?: DeliveryStatus | null
  /** The list contains only deliveries of this event, including replays. */
  readonly eventId?: EventId | null
  /**
   * The list contains only deliveries of this event type. If no endpoint, status or event is given, the list is
   * searched from its newest row until the page is full.
   */
  readonly kind?: EventKind | null
  /** The list contains only deliveries created at this time or later. */
  readonly since?: Timestamp | null
  /** The list contains only deliveries created before this time. */
  readonly until?: Timestamp | null
  readonly beforeId?: DeliveryId | null
}

export interface DeliveryListRow {
  readonly id: DeliveryId
  readonly endpointId: EndpointId
  readonly eventId: EventId
  readonly kind: EventKind
  readonly status: DeliveryStatus
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly replayOf: DeliveryId | null
  readonly attemptCount: number
  readonly nextAttemptAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly completedAt: Timestamp | null
  readonly lastAttemptAt: Timestamp | null
  readonly lastHttpStatus: number | null
  readonly lastErrorCode: string | null
  readonly lastDurationMs: number | null
}

interface ListArgs {
  readonly merchantId: MerchantId
  readonly limit: number
  /** The range of record ids to read: it includes `fromId` and excludes the end of the range. */
  readonly fromId: string
  readonly beforeId: string
  /** The range of ids of the automatic and test deliveries of an event. These ids start with the time of the event. */
  readonly eventFromId: string
  readonly eventBeforeId: string
  readonly endpointId: EndpointId | null
  readonly statuses: readonly DeliveryStatus[]
  readonly eventId: EventId | null
  readonly kind: EventKind | null
}

/**
 * A scalar subquery selects the event of a delivery, so that PostgreSQL looks up one event for each delivery instead of
 * reading all events.
 */
const isOfKind = (p: ListArgs) => sql`(
  ${p.kind}::text is null
  or (
    select event.kind from webhook_events as event
    where event.merchant_id = ${p.merchantId} and event.id = delivery.event_id
  ) = ${p.kind}
)`

const isInRange = (p: ListArgs) => sql`delivery.id >= ${p.fromId} and delivery.id < ${p.beforeId} and ${isOfKind(p)}`

/**
 * The page limit is a subquery, so that the planner does not know its value. The partitions have no statistics of the
 * delivery status. If the planner knew the limit, it would estimate that fewer rows match than the limit, and would
 * read and sort all matching rows.
 */
const newest = (p: ListArgs, condition: RawBuilder<unknown>) => sql`
  select * from webhook_deliveries as delivery
  where delivery.merchant_id = ${p.merchantId} and ${condition} and ${isInRange(p)}
  order by delivery.id desc
  limit (select ${p.limit}::bigint)`

/** Returns the newest deliveries of the subquery `source`, with their events and last attempts. */
const detailed = (p: ListArgs, source: RawBuilder<unknown>) => sql<DeliveryListRow>`
  select
    delivery.id, delivery.endpoint_id, delivery.event_id, event.kind, delivery.status,
    delivery.trigger, delivery.replay_of, delivery.attempt_count,
    case when delivery.id <> all(${leasedIdsOf(p.merchantId)}) then delivery.next_attempt_at end as next_attempt_at, delivery.created_at, delivery.completed_at,
    last.finished_at as last_attempt_at, last.http_status as last_http_status, last.error_code as last_error_code,
    last.duration_ms as last_duration_ms
  from (select delivery.* from ${source} order by delivery.id desc limit ${p.limit}) as delivery
  cross join lateral (
    select kind from webhook_events
    where webhook_events.merchant_id = ${p.merchantId} and webhook_events.id = delivery.event_id
    limit 1
  ) as event
  left join lateral (
    select * from webhook_attempts as attempt
    where attempt.merchant_id = ${p.merchantId} and attempt.delivery_id = delivery.id
    order by attempt.number desc
    limit 1
  ) as last on true
  order by delivery.id desc`

const statements = {
  newest_first: reading<ListArgs>()('list_deliveries', (p) => detailed(p, sql`(${newest(p, sql`true`)}) as delivery`)),

  /**
   * For each endpoint and status, reads one page of the newest deliveries. Returns the newest deliveries of these pages
   * together.
   */
  by_status: reading<ListArgs>()('list_deliveries_by_status', (p) =>
    detailed(
      p,
      sql`webhook_endpoints as endpoint
      cross join unnest(${p.statuses}::text[]) as wanted (status)
      cross join lateral (
        ${newest(p, sql`delivery.endpoint_id = endpoint.id and delivery.status = wanted.status`)}
      ) as delivery
      where endpoint.merchant_id = ${p.merchantId} and (${p.endpointId}::text is null or endpoint.id = ${p.endpointId})`,
    ),
  ),

  of_event: reading<ListArgs>()('list_deliveries_of_event', (p) => {
    const original = sql`
      select * from webhook_deliveries as original
      where original.merchant_id = ${p.merchantId} and original.event_id = ${p.eventId}
        and original.id >= ${p.eventFromId} and original.id < ${p.eventBeforeId}`
    return detailed(
      p,
      sql`(
        ${original}
        union all
        select replay.*
        from (${original}) as replayed
        cross join lateral (
          select * from webhook_deliveries
          where webhook_deliveries.merchant_id = ${p.merchantId} and webhook_deliveries.replay_of = replayed.id
          offset 0
        ) as replay
      ) as delivery
      where ${isInRange(p)} and delivery.status = any(${p.statuses}::text[])
        and (${p.endpointId}::text is null or delivery.endpoint_id = ${p.endpointId})`,
    )
  }),
}

/**
 * A statement of the delivery list and its arguments, exposed so that tests and benchmarks can check the query plan.
 */
export interface DeliveryQuery {
  readonly statement: ReadStatement<ListArgs, DeliveryListRow>
  readonly args: ListArgs
}

/** A text that sorts after every delivery id, because the encoded part of an id starts with 0 to 7. */
const aboveEveryId = 'dlv_z'

export function deliveryQuery(filter: DeliveryFilter): DeliveryQuery {
  const { merchantId, limit, endpointId, status, eventId, kind, since, until, beforeId } = filter
  const untilId = until == null ? aboveEveryId : lowestIdAt('dlv', toMs(until))
  const eventMs = eventId == null ? 0 : timeOfId(eventId)
  const args = {
    merchantId,
    limit,
    fromId: since == null ? '' : lowestIdAt('dlv', toMs(since)),
    beforeId: beforeId == null || untilId < beforeId ? untilId : beforeId,
    eventFromId: lowestIdAt('dlv', eventMs),
    eventBeforeId: lowestIdAt('dlv', eventMs + 1),
    endpointId: endpointId ?? null,
    statuses: status == null ? deliveryStatuses : [status],
    eventId: eventId ?? null,
    kind: kind ?? null,
  }
  const isByStatus = status != null || endpointId != null
  const name = args.eventId !== null ? 'of_event' : isByStatus ? 'by_status' : 'newest_first'
  return { statement: statements[name], args }
}

/** Newest first. */
export function listDeliveries(db: ReadDb, filter: DeliveryFilter): Promise<readonly DeliveryListRow[]> {
  const { statement, args } = deliveryQuery(filter)
  return db.read(statement, args)
}
