import { sql } from 'kysely'
import type { EventKind } from '../../registry/event.ts'
import type { EventId, MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import type { WriteTrx } from './database.ts'
import { build, reading, writing } from './statement.ts'

/** Who made a change. Only an operator's and the system's work has no request, and so no source address. */
export interface Actor {
  readonly type: 'token' | 'member' | 'operator' | 'provider' | 'system'
  readonly id: string | null
  readonly label: string
  readonly sourceIp: string | null
  readonly requestId: string | null
  readonly userAgent: string | null
}

export interface AuditEntry {
  readonly merchantId: MerchantId
  readonly auditId: string
  readonly now: Timestamp
  readonly actorType: Actor['type']
  readonly actorId: string | null
  readonly actorLabel: string
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string
  readonly requestId: string | null
  readonly sourceIp: string | null
  readonly userAgent: string | null
  /** JSON text of field name -> [before, after]; personal data never gets here. */
  readonly changes: string
}

const row = (p: AuditEntry) => sql`
    insert into audit_log (
      merchant_id, id, occurred_at, actor_type, actor_id, actor_label, action, resource_type, resource_id, request_id,
      source_ip, user_agent, changes
    )
    values (
      ${p.merchantId}, ${p.auditId}, ${p.now}::timestamptz, ${p.actorType}, ${p.actorId}, ${p.actorLabel},
      ${p.action}, ${p.resourceType}, ${p.resourceId}, ${p.requestId}, ${p.sourceIp}::inet, ${p.userAgent},
      ${p.changes}::jsonb
    )`

const insert = writing<AuditEntry>()('insert_audit', row)

export function insertAudit(trx: WriteTrx, entry: AuditEntry): void {
  trx.queue(insert, entry)
}

/** An event as its row has it; the moment and the merchant are the entry's. */
export interface AuditedEvent {
  readonly eventId: EventId
  readonly eventKind: EventKind
  readonly eventResourceId: string
  readonly eventBody: string
}

const insertWithEvent = writing<AuditEntry & AuditedEvent>()(
  'insert_audit_and_event',
  (p) => sql`
    with audited as (${row(p)})
    insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
    values (
      ${p.merchantId}, ${p.eventId}, ${p.eventKind}, ${p.eventResourceId}, ${p.eventBody}, ${p.now}::timestamptz
    )`,
)

/** Most changes tell of one event: with the audit row in one statement, each of them costs a statement less. */
export function insertAuditAndEvent(trx: WriteTrx, entry: AuditEntry, event: AuditedEvent): void {
  trx.queue(insertWithEvent, { ...entry, ...event })
}

export const listAudit = reading<{ merchantId: MerchantId; limit: number }>()('list_audit', (p) =>
  build
    .selectFrom('audit_log')
    .where('merchant_id', '=', p.merchantId)
    .select([
      'id',
      'occurred_at',
      'actor_type',
      'actor_id',
      'actor_label',
      'action',
      'resource_type',
      'resource_id',
      'request_id',
      'source_ip',
      'changes',
    ])
    .orderBy('id', 'desc')
    .limit(p.limit),
)
