import type { AuditListRow } from '../store/audit/audit-list.ts'

/** Returns an audit row in the form that commands and exported files show. */
export function auditRecordOf(entry: AuditListRow) {
  return {
    id: entry.id,
    occurredAt: entry.occurredAt,
    actor: {
      type: entry.actorType,
      id: entry.actorId,
      label: entry.actorName ?? entry.actorLabel,
      sessionId: entry.sessionId,
    },
    action: entry.action,
    resource: { type: entry.resourceType, id: entry.resourceId },
    resources: entry.resources ?? [entry.resourceId],
    requestId: entry.requestId,
    sourceIp: entry.sourceIp,
    userAgent: entry.userAgent,
    changes: entry.changes,
  }
}
