import type { AuditFilter, listAudit } from '../store/audit/audit-list.ts'
import type { Tenant } from '../store/core/mutation.ts'
import { idOption, merchantOptions, sinceOf, sinceOption, textOption } from './option.ts'

/** Options and records that the commands of the audit log share. */

export const auditFilterOptions = {
  ...merchantOptions,
  actor: textOption(
    'Only changes by this actor: the id or name of a token or member, or the name of an operator.',
  ).optional(),
  action: textOption('Only this action, such as refund.create, or a group of them, such as refund.').optional(),
  resource: idOption('Only changes to the record with this id.').optional(),
  since: sinceOption('Only changes since this time'),
  until: sinceOption('Only changes before this time'),
}

interface FilterValues {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly resource?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export function auditFilterOf(
  { merchantId }: Tenant,
  values: FilterValues,
  nowMs: number,
): Omit<AuditFilter, 'limit' | 'beforeId'> {
  const timeOf = (text: string | undefined) => (text === undefined ? null : sinceOf(text, nowMs))
  return {
    merchantId,
    actor: values.actor ?? null,
    action: values.action ?? null,
    resourceId: values.resource ?? null,
    since: timeOf(values.since),
    until: timeOf(values.until),
  }
}

type StoredEntry = Awaited<ReturnType<typeof listAudit>>[number]

/** Returns an audit row as the commands show it. */
export function auditEntryOf(entry: StoredEntry) {
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
    requestId: entry.request_id,
    sourceIp: entry.source_ip,
    userAgent: entry.user_agent,
    changes: entry.changes,
  }
}
