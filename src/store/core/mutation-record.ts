import { type RawBuilder, sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { EndpointId, EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { type AuditEntry, auditInsert, recordAudit, resourcesInsert } from './audit.ts'
import type { WriteTrx } from './database.ts'
import { type ResponseRow, responseInsert } from './idempotency.ts'
import { deliveryInsert, type EventRow, eventInsert, eventRowOf, type PendingEvent } from './outbox.ts'
import { writing } from './statement.ts'

/**
 * Inserts the audit row of a mutation, its event with the deliveries, and the response to its idempotency key. This is
 * one statement, because PostgreSQL and this process spend more time on a statement than on a row. Each event after the
 * first has a statement of its own.
 */

export interface MutationRecord {
  readonly entry: AuditEntry
  readonly events: readonly PendingEvent[]
  /** Undefined for a request without an idempotency key. */
  readonly response: ResponseRow | undefined
}

interface DueEndpoint {
  readonly endpointId: EndpointId
}

const dueEndpoints = sql<DueEndpoint>`select distinct endpoint_id from queued where next_attempt_at is not null`

const single = (p: EventRow) => sql`(values (${p.eventId}::text, ${p.eventKind}::text))`

const recordResponse = writing<AuditEntry & ResponseRow>()(
  'insert_audit_and_response',
  (p) => sql`with stored as (${responseInsert(p)}), concerned as (${resourcesInsert(p)}) ${auditInsert(p)}`,
)

const withEvent = (p: AuditEntry & EventRow) => sql`
  audited as (${auditInsert(p)}), concerned as (${resourcesInsert(p)}), emitted as (${eventInsert(p)}),
  queued as (${deliveryInsert(p, single(p))})`

const recordEvent = writing<AuditEntry & EventRow>()(
  'insert_audit_and_event',
  (p) => sql<DueEndpoint>`with ${withEvent(p)} ${dueEndpoints}`,
)

const recordAll = writing<AuditEntry & EventRow & ResponseRow>()(
  'insert_audit_event_and_response',
  (p) => sql<DueEndpoint>`with stored as (${responseInsert(p)}), ${withEvent(p)} ${dueEndpoints}`,
)

const insertEvent = writing<EventRow>()('insert_event', (p) => eventInsert(p))

interface FannedOut {
  readonly merchantId: MerchantId
  readonly now: Timestamp
  readonly eventIds: readonly EventId[]
  readonly eventKinds: readonly EventKind[]
}

const unnested = (p: FannedOut): RawBuilder<unknown> => sql`unnest(${p.eventIds}::text[], ${p.eventKinds}::text[])`

const fanOut = writing<FannedOut>()(
  'fan_out_events',
  (p) => sql<DueEndpoint>`with queued as (${deliveryInsert(p, unnested(p))}) ${dueEndpoints}`,
)

/** Returns the endpoints with due deliveries. */
export async function recordMutation(trx: WriteTrx, record: MutationRecord): Promise<readonly EndpointId[]> {
  const { entry, events, response } = record
  const [event, ...others] = events
  if (event === undefined || others.length > 0) {
    if (response === undefined) trx.queue(recordAudit, entry)
    else trx.queue(recordResponse, { ...entry, ...response })
    return recordEvents(trx, entry, events)
  }
  const row = { ...entry, ...eventRowOf(entry.merchantId, entry.now, event) }
  const due =
    response === undefined ? await trx.write(recordEvent, row) : await trx.write(recordAll, { ...row, ...response })
  return due.map(({ endpointId }) => endpointId)
}

async function recordEvents(
  trx: WriteTrx,
  { merchantId, now }: AuditEntry,
  events: readonly PendingEvent[],
): Promise<readonly EndpointId[]> {
  if (events.length === 0) return []
  for (const event of events) trx.queue(insertEvent, eventRowOf(merchantId, now, event))
  const eventIds = events.map(({ id }) => id)
  const eventKinds = events.map(({ kind }) => kind)
  const due = await trx.write(fanOut, { merchantId, now, eventIds, eventKinds })
  return due.map(({ endpointId }) => endpointId)
}
