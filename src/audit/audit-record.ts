import type { AuditListRow } from '../store/audit/audit-list.ts'

/** Returns an audit row in the form that commands and exported files show. */
export function auditRecordOf(entry: AuditListRow) {
  return {
    id: entry.id,
    occurredAt: entry.occurred_at,
    actor: {
      type: entry.actor_type,
      id: entry.actor_id,
      label: entry.actor_name ?? entry.actor_label,
      sessionId: entry.session_id,
    },
    action: entry.action,
    resource: { type: entry.resource_type, id: entry.resource_id },
    resources: entry.resources ?? [entry.resource_id],
    requestId: entry.request_id,
    sourceIp: entry.source_ip,
    userAgent: entry.user_agent,
    changes: entry.changes,
  }
}
