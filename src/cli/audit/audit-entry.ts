import type { AuditFilter } from '../../store/audit/audit-list.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { merchantOptions, sinceOf, sinceOption, textOption } from '../kit/option.ts'

/** Command-line options and output records that the commands of the audit log share. */

export const auditFilterOptions = {
  ...merchantOptions,
  actor: textOption(
    'Lists only changes by this actor: the id or name of a token or member, or the name of an operator.',
  ).optional(),
  action: textOption(
    'Lists only this action, such as refund.create, or a group of actions, such as refund.',
  ).optional(),
  resource: textOption(
    'Lists only changes that concern the record with this id, or the order with this number.',
  ).optional(),
  since: sinceOption('Lists only changes since this time'),
  until: sinceOption('Lists only changes before this time'),
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
