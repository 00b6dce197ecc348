import { EndpointId, type EventId } from '../../registry/values/vocabulary.ts'
import { spanMs } from '../../scripts/bench/list-rows.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import type { AuditFilter } from '../../src/store/audit/audit-list.ts'
import type { DeliveryFilter } from '../../src/store/webhooks/delivery-list.ts'

/**
 * The filters of the audit log and of the delivery list whose queries are measured. Each filter is measured from the
 * newest row and from the middle of the list, and must use the named index.
 */

/** Number of rows that the dashboard shows on a page. */
export const pageLimit = 50

export interface ListCase<Filter> {
  readonly name: string
  readonly filter: Filter
  readonly index: string
}

type AuditFilters = Omit<AuditFilter, 'merchantId' | 'limit'>
type DeliveryFilters = Omit<DeliveryFilter, 'merchantId' | 'limit'>

/** Returns the measured filters for audit rows up to a given time. The first case is the page without a filter. */
export function auditCases(untilMs: number): readonly ListCase<AuditFilters>[] {
  const until = toTimestamp(untilMs - spanMs / 2)
  const ofFirstPages: readonly ListCase<AuditFilters>[] = [
    { name: 'no filter', filter: {}, index: 'audit_log_pkey' },
    { name: 'a frequent actor', filter: { actor: 'tok_usual' }, index: 'audit_log_by_actor' },
    { name: 'a rare actor', filter: { actor: 'tok_rare' }, index: 'audit_log_by_actor' },
    { name: 'an unknown actor', filter: { actor: 'tok_none' }, index: 'audit_log_by_actor' },
    { name: 'a frequent action', filter: { action: 'order.update' }, index: 'audit_log_by_action' },
    { name: 'a rare action', filter: { action: 'merchant.suspend' }, index: 'audit_log_by_action' },
    { name: 'a group of actions', filter: { action: 'merchant' }, index: 'audit_log_by_action' },
    { name: 'an unknown action', filter: { action: 'none' }, index: 'audit_log_by_action' },
    { name: 'a record', filter: { resourceId: 'ord_7' }, index: 'audit_log_by_record' },
    { name: 'a record beside another', filter: { resourceId: 'pay_7' }, index: 'audit_resources_pkey' },
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

/** A webhook endpoint to which some of the inserted deliveries belong. */
const endpointId = EndpointId.parse(`whe_${'1'.padStart(26, '0')}`)

/**
 * Returns the filters to test for the list of deliveries up to a given time. `index` is a text in the names of the
 * partition indexes that the query must use.
 */
export function deliveryCases(untilMs: number, eventId: EventId): readonly ListCase<DeliveryFilters>[] {
  const until = toTimestamp(untilMs - spanMs / 2)
  const byStatus = 'endpoint_id_status'
  const ofFirstPages: readonly ListCase<DeliveryFilters>[] = [
    { name: 'no filter', filter: {}, index: 'pkey' },
    { name: 'a frequent status', filter: { status: 'succeeded' }, index: byStatus },
    { name: 'a rare status', filter: { status: 'failed' }, index: byStatus },
    { name: 'a status of no delivery', filter: { status: 'held' }, index: byStatus },
    { name: 'an endpoint', filter: { endpointId }, index: byStatus },
    { name: 'an endpoint and a status', filter: { endpointId, status: 'skipped' }, index: byStatus },
    { name: 'an event', filter: { eventId }, index: 'pkey' },
    { name: 'a frequent kind', filter: { kind: 'order.created' }, index: 'pkey' },
  ]
  return [
    ...ofFirstPages,
    ...ofFirstPages.map(({ name, filter, index }) => ({ name: `${name}, until`, filter: { ...filter, until }, index })),
    { name: 'since, and nothing later', filter: { since: toTimestamp(untilMs + spanMs) }, index: 'pkey' },
  ]
}
