import { sql } from 'kysely'
import type { AuditAction } from '../../../registry/values/audit-actions.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { WriteTrx } from './database.ts'
import { writing } from './statement.ts'

/** The actor of a change. Operators and the system act without an API request, so their source address is null. */
export interface Actor {
  readonly type: 'token' | 'member' | 'operator' | 'provider' | 'system'
  readonly id: string | null
  readonly label: string
  /** The dashboard session of a member. Null for all other actors. */
  readonly sessionId: string | null
  readonly sourceIp: string | null
  readonly requestId: string | null
  readonly userAgent: string | null
}

/** `label` is the name of the job. */
export function systemActor(label: string): Actor {
  return { type: 'system', id: null, label, sessionId: null, sourceIp: null, requestId: null, userAgent: null }
}

export interface AuditEntry {
  readonly merchantId: MerchantId
  readonly auditId: string
  readonly now: Timestamp
  readonly actorType: Actor['type']
  readonly actorId: string | null
  readonly actorLabel: string
  readonly sessionId: string | null
  readonly action: AuditAction
  readonly resourceType: string
  readonly resourceId: string
  /** The ids of all changed records, as a PostgreSQL array in the format of `resourcesText`. */
  readonly resources: string
  readonly requestId: string | null
  readonly sourceIp: string | null
  readonly userAgent: string | null
  /** JSON text of field name -> [before, after]. Never contains personal data. */
  readonly changes: string
}

export interface AuditedChange {
  readonly merchantId: MerchantId
  readonly action: AuditAction
  readonly resourceType: string
  readonly resourceId: string
  /** The ids of the changed records besides the main record. */
  readonly otherIds?: Iterable<string>
  readonly changes: object
}

/** Returns record ids as the text of a PostgreSQL array, sorted. */
export function resourcesText(ids: Iterable<string>): string {
  const quoted = [...new Set(ids)].toSorted().map((id) => `"${id.replaceAll(/["\\\\]/g, '\\\\$&')}"`)
  return `{${quoted.join(',')}}`
}

export function auditEntryOf(
  actor: Actor,
  { changes, otherIds = [], ...change }: AuditedChange,
  { nowMs, now }: { readonly nowMs: number; readonly now: Timestamp },
): AuditEntry {
  return {
    ...change,
    resources: resourcesText([change.resourceId, ...otherIds]),
    auditId: newId('aud', nowMs),
    now,
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    sessionId: actor.sessionId,
    requestId: actor.requestId,
    sourceIp: actor.sourceIp,
    userAgent: actor.userAgent,
    changes: JSON.stringify(changes),
  }
}

export const auditInsert = (p: AuditEntry) => sql`
    insert into audit_log (
      merchant_id, id, occurred_at, actor_type, actor_id, actor_label, action, resource_type, resource_id, request_id,
      source_ip, user_agent, changes, session_id, resources
    )
    values (
      ${p.merchantId}, ${p.auditId}, ${p.now}::timestamptz, ${p.actorType}, ${p.actorId}, ${p.actorLabel},
      ${p.action}, ${p.resourceType}, ${p.resourceId}, ${p.requestId}, ${p.sourceIp}::inet, ${p.userAgent},
      ${p.changes}::jsonb, ${p.sessionId}, ${p.resources}::text[]
    )`

/** Inserts the ids of all changed records except `resourceId`, so that the audit row can be found by each of them. */
export const resourcesInsert = (p: AuditEntry) => sql`
    insert into audit_resources (merchant_id, resource_id, audit_id)
    select ${p.merchantId}, other.id, ${p.auditId}
    from unnest(${p.resources}::text[]) as other (id)
    where other.id <> ${p.resourceId}`

export const recordAudit = writing<AuditEntry>()(
  'insert_audit',
  (p) => sql`with concerned as (${resourcesInsert(p)}) ${auditInsert(p)}`,
)

export function insertAudit(trx: WriteTrx, entry: AuditEntry): void {
  trx.queue(recordAudit, entry)
}
