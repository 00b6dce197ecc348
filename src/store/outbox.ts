import { sql } from 'kysely'
import type { EventKind } from '../../registry/event.ts'
import { serializerOf } from '../../registry/serializer.ts'
import type { EndpointId, EventId, Timestamp } from '../../registry/vocabulary.ts'
import { type EventPayload, events } from '../../registry/webhooks.ts'
import { newEventId } from '../records.ts'
import { type AuditEntry, auditInsert } from './audit.ts'
import { writing } from './statement.ts'

/** An event waiting for the end of its mutation, its body already in the bytes every delivery will carry. */
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

/** Freezes an event. Its data is written by the contract's own serializer, so it fits the published schema. */
export function pendingEvent<Kind extends EventKind>(
  kind: Kind,
  resourceId: string,
  data: EventPayload<Kind>,
  moment: Moment,
  isTest = false,
): PendingEvent {
  const id = newEventId(moment.nowMs)
  const test = isTest ? '"test":true,' : ''
  const head = `"id":"${id}","event":"${kind}","createdAt":"${moment.now}","mode":"${moment.mode}"`
  return { id, kind, resourceId, body: `{${head},${test}"data":${writeData(kind, data)}}` }
}

/** The contract's own serializer, compiled on first use. */
function writeData<Kind extends EventKind>(kind: Kind, data: EventPayload<Kind>): string {
  return serializerOf(events[kind].data)(data)
}

interface CommitArgs extends AuditEntry {
  readonly eventIds: readonly string[]
  readonly eventKinds: readonly string[]
  readonly eventResourceIds: readonly string[]
  readonly eventBodies: readonly string[]
}

/**
 * The end of a mutation that emits: its audit row, its events and one delivery for each endpoint that wants them, in
 * one statement. A delivery's id is made of the event's first 18 characters and the endpoint's last 8: unique for
 * the pair, in the order of time, and no round trip to learn how many are needed. A disabled endpoint gets a
 * delivery too, marked skipped, so that nothing vanishes unseen.
 */
export const insertAuditAndEvents = writing<CommitArgs>()(
  'insert_audit_and_events',
  (p) =>
    sql<{ endpoint_id: EndpointId }>`
    with audited as (${auditInsert(p)}
    ), emitted as (
      insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
      select ${p.merchantId}, event.id, event.kind, event.resource_id, event.body, ${p.now}::timestamptz
      from unnest(
        ${p.eventIds}::text[], ${p.eventKinds}::text[], ${p.eventResourceIds}::text[], ${p.eventBodies}::text[]
      ) as event (id, kind, resource_id, body)
      returning id, kind
    ), queued as (
      insert into webhook_deliveries (
        merchant_id, id, event_id, endpoint_id, status, next_attempt_at, created_at, completed_at
      )
      select
        ${p.merchantId},
        'dlv_' || substr(emitted.id, 5, 18) || substr(endpoint.id, 23, 8),
        emitted.id,
        endpoint.id,
        case endpoint.status when 'enabled' then 'pending' else 'skipped' end,
        case endpoint.status when 'enabled' then ${p.now}::timestamptz end,
        ${p.now}::timestamptz,
        case endpoint.status when 'enabled' then null else ${p.now}::timestamptz end
      from emitted
      join webhook_subscriptions subscription
        on subscription.merchant_id = ${p.merchantId} and subscription.kind = emitted.kind
      join webhook_endpoints endpoint
        on endpoint.merchant_id = subscription.merchant_id and endpoint.id = subscription.endpoint_id
      returning endpoint_id, next_attempt_at
    )
    select distinct endpoint_id
    from queued
    where next_attempt_at is not null`,
)
