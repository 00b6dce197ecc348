import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Actor } from './audit.ts'
import type { Database, WriteTrx } from './database.ts'
import { inserting } from './rows.ts'
import { reading } from './statement.ts'

/** The audit log of data that belongs to no merchant, such as delivery zones. */

export interface SharedAuditEntry {
  readonly id: string
  readonly occurredAt: Timestamp
  readonly actorType: Actor['type']
  readonly actorLabel: string
  /** The IP address from which the change was requested. Null for a change by the system. */
  readonly sourceIp: string | null
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string
  /** The changed fields by name, each with its value before and after the change. Never contains personal data. */
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}

const insert = inserting('shared_audit_log')

export function insertSharedAudit(trx: WriteTrx, entry: SharedAuditEntry): void {
  insert(trx, { ...entry, changes: JSON.stringify(entry.changes) })
}

const list = reading<{ limit: number }>()(
  'list_shared_audit',
  (p) => sql<SharedAuditEntry>`
    select
      id, occurred_at, actor_type, actor_label, host(source_ip) as source_ip, action,
      resource_type, resource_id, changes
    from shared_audit_log order by id desc limit ${p.limit}`,
)

/** Returns audit entries of data that belongs to no merchant, newest first. */
export function listSharedAudit(database: Database, limit: number): Promise<readonly SharedAuditEntry[]> {
  return database.run(list, { limit })
}
