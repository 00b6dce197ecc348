import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import { serializerOf } from '../../../registry/kit/serializer.ts'
import type { EndpointId, EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { type EventPayload, events } from '../../../registry/webhooks/webhooks.ts'
import { newEventId, newSampleEventId } from '../../base/records.ts'
import type { ReadDb, WriteTrx } from './database.ts'
import { build, reading, writing } from './statement.ts'

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

/** Serializes an event. The serializer is compiled from the contract, so the body matches the published schema. */
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
  return { id, kind, resourceId, body: `{${head},${test}"data":${writeData(kind, data)}}` }
}

/** The serializer of the contract is compiled on first use. */
function writeData<Kind extends EventKind>(kind: Kind, data: EventPayload<Kind>): string {
  return serializerOf(events[kind].data)(data)
}

const insert = writing<PendingEvent & { merchantId: MerchantId; now: Timestamp }>()('insert_event', (p) =>
  build.insertInto('webhook_events').values({
    merchant_id: p.merchantId,
    id: p.id,
    kind: p.kind,
    resource_id: p.resourceId,
    body: p.body,
    created_at: p.now,
  }),
)

export function insertEvent(trx: WriteTrx, merchantId: MerchantId, now: Timestamp, event: PendingEvent): void {
  trx.queue(insert, { ...event, merchantId, now })
}

const subscribedKinds = reading<{ merchantId: MerchantId; kinds: readonly EventKind[] }>()('subscribed_kinds', (p) =>
  build
    .selectFrom('webhook_subscriptions')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`kind = any(${p.kinds}::text[])`)
    .select('kind')
    .distinct(),
)

/** Returns the kinds that have a subscription. Read with the first statements of a mutation, so that most need no fan-out. */
export async function findSubscribedKinds(
  db: ReadDb,
  merchantId: MerchantId,
  kinds: readonly EventKind[],
): Promise<ReadonlySet<EventKind>> {
  const rows = await db.read(subscribedKinds, { merchantId, kinds })
  return new Set(rows.map((row) => row.kind))
}

/**
 * Inserts one delivery per subscribed endpoint and event. The id of a delivery consists of 18 characters of the event's id
 * and 8 characters of the endpoint's id: it is unique for the pair, sorts by time, and needs no round trip. A disabled
 * endpoint gets a delivery with the status `skipped`, so that the event stays visible.
 */
const fanOut = writing<{
  merchantId: MerchantId
  eventIds: readonly EventId[]
  eventKinds: readonly EventKind[]
  now: Timestamp
}>()(
  'fan_out_events',
  (p) => sql<{ endpoint_id: EndpointId }>`
    with queued as (
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
      from unnest(${p.eventIds}::text[], ${p.eventKinds}::text[]) as event (id, kind)
      join webhook_subscriptions subscription
        on subscription.merchant_id = ${p.merchantId} and subscription.kind = event.kind
      join webhook_endpoints endpoint
        on endpoint.merchant_id = subscription.merchant_id and endpoint.id = subscription.endpoint_id
      returning endpoint_id, next_attempt_at
    )
    select distinct endpoint_id
    from queued
    where next_attempt_at is not null`,
)

/** Creates the deliveries of events. Returns the endpoints with due deliveries. */
export async function fanOutEvents(
  trx: WriteTrx,
  merchantId: MerchantId,
  now: Timestamp,
  pending: readonly PendingEvent[],
): Promise<EndpointId[]> {
  const eventIds = pending.map((event) => event.id)
  const eventKinds = pending.map((event) => event.kind)
  const rows = await trx.write(fanOut, { merchantId, eventIds, eventKinds, now })
  return rows.map((row) => row.endpoint_id)
}
