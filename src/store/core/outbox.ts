import { type RawBuilder, sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import { serializerOf } from '../../../registry/kit/serializer.ts'
import type { EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { type EventPayload, events } from '../../../registry/webhooks/webhooks.ts'
import { newEventId, newSampleEventId } from '../../base/records.ts'

/** An event of a mutation in progress. Its body has the exact bytes that every delivery sends. */
export interface PendingEvent {
  readonly id: EventId
  readonly kind: EventKind
  readonly resourceId: string
  readonly body: string
}

export interface Moment {
  readonly nowMs: number
  readonly now: Timestamp
  readonly mode: 'live' | 'test'
}

/**
 * Serialises an event. The serializer is compiled from the contract on first use, so the body matches the published
 * schema.
 */
export function pendingEvent<Kind extends EventKind>(
  kind: Kind,
  resourceId: string,
  data: EventPayload<Kind>,
  moment: Moment,
  isTest = false,
): PendingEvent {
  const id = isTest ? newSampleEventId(moment.nowMs) : newEventId(moment.nowMs)
  const test = isTest ? '"test":true,' : ''
  const head = `"id":"${id}","event":"${kind}","createdAt":"${moment.now}","mode":"${moment.mode}"`
  return { id, kind, resourceId, body: `{${head},${test}"data":${serializerOf(events[kind].data)(data)}}` }
}

export interface EventRow {
  readonly merchantId: MerchantId
  readonly now: Timestamp
  readonly eventId: EventId
  readonly eventKind: EventKind
  readonly eventResourceId: string
  readonly eventBody: string
}

export function eventRowOf(merchantId: MerchantId, now: Timestamp, event: PendingEvent): EventRow {
  const { id: eventId, kind: eventKind, resourceId: eventResourceId, body: eventBody } = event
  return { merchantId, now, eventId, eventKind, eventResourceId, eventBody }
}

export const eventInsert = (p: EventRow) => sql`
    insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
    values (
      ${p.merchantId}, ${p.eventId}, ${p.eventKind}, ${p.eventResourceId}, ${p.eventBody}, ${p.now}::timestamptz
    )`

/**
 * Inserts one delivery per event and subscribed endpoint; `events` is a relation of `id` and `kind`. The id of a
 * delivery consists of 18 characters of the event's id and 8 characters of the endpoint's id. Such an id is unique for
 * the pair, sorts by time, and can be computed without a round trip. A disabled endpoint gets a delivery with the
 * status `skipped`, so that the event stays visible.
 */
export const deliveryInsert = (p: Pick<EventRow, 'merchantId' | 'now'>, events: RawBuilder<unknown>) => sql`
    insert into webhook_deliveries (
      merchant_id, id, event_id, endpoint_id, status, next_attempt_at, created_at, completed_at
    )
    select
      ${p.merchantId},
      'dlv_' || substr(event.id, 5, 18) || substr(endpoint.id, 23, 8),
      event.id,
      endpoint.id,
      case endpoint.status when 'enabled' then 'pending' else 'skipped' end,
      case endpoint.status when 'enabled' then ${p.now}::timestamptz end,
      ${p.now}::timestamptz,
      case endpoint.status when 'enabled' then null else ${p.now}::timestamptz end
    from ${events} as event (id, kind)
    join webhook_subscriptions subscription
      on subscription.merchant_id = ${p.merchantId} and subscription.kind = event.kind
    join webhook_endpoints endpoint
      on endpoint.merchant_id = subscription.merchant_id and endpoint.id = subscription.endpoint_id
    returning endpoint_id, event_id, next_attempt_at`
