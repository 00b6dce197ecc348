import { toTimestamp } from '../../src/base/clock.ts'
import type { AuditFilter } from '../../src/store/audit/audit-list.ts'
import { spanMs } from './list-rows.ts'

/** Each filter of the audit log, from the newest row and from the middle, with the index that it reads. */

/** Size of a page of the dashboard. */
export const pageLimit = 50

export interface ListCase<Filter> {
  readonly name: string
  readonly filter: Filter
  readonly index: string
}

type Filters = Omit<AuditFilter, 'merchantId' | 'limit'>

/** Returns the cases for rows that end at a time. The first is the page without a filter. */
export function auditCases(untilMs: number): readonly ListCase<Filters>[] {
  const until = toTimestamp(untilMs - spanMs / 2)
  const ofFirstPages: readonly ListCase<Filters>[] = [
    { name: 'no filter', filter: {}, index: 'audit_log_pkey' },
    { name: 'a frequent actor', filter: { actor: 'tok_usual' }, index: 'audit_log_by_actor' },
    { name: 'a rare actor', filter: { actor: 'tok_rare' }, index: 'audit_log_by_actor' },
    { name: 'an unknown actor', filter: { actor: 'tok_none' }, index: 'audit_log_by_actor' },
    { name: 'a frequent action', filter: { action: 'order.update' }, index: 'audit_log_by_action' },
    { name: 'a rare action', filter: { action: 'merchant.suspend' }, index: 'audit_log_by_action' },
    { name: 'a group of actions', filter: { action: 'merchant' }, index: 'audit_log_by_action' },
    { name: 'an unknown action', filter: { action: 'none' }, index: 'audit_log_by_action' },
    { name: 'a record', filter: { resourceId: 'ord_7' }, index: 'audit_log_by_record' },
    { name: 'a record with many rows', filter: { resourceId: 'ord_rare' }, index: 'audit_log_by_record' },
    { name: 'an unknown record', filter: { resourceId: 'ord_none' }, index: 'audit_log_by_record' },
  ]
  const old = toTimestamp(untilMs - spanMs / 2 - spanMs / 10)
  return [
    ...ofFirstPages,
    ...ofFirstPages.map(({ name, filter, index }) => ({ name: `${name}, until`, filter: { ...filter, until }, index })),
    { name: 'since and until', filter: { since: old, until }, index: 'audit_log_pkey' },
    { name: 'since, and nothing later', filter: { since: toTimestamp(untilMs + spanMs) }, index: 'audit_log_pkey' },
  ]
}
