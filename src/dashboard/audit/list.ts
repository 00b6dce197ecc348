import { html, type Markup } from '../../markup/markup.ts'
import { empty, heading, section, table, time } from '../../markup/parts.ts'
import { type AuditListRow, listAudit } from '../../store/audit/audit-list.ts'
import { findHead } from '../../store/audit/chain.ts'
import { listRecordNames } from '../../store/audit/record-names.ts'
import { address, link, pager, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { actionWithCode } from './action-text.ts'
import { chainSection } from './chain-section.ts'
import { actorOf, recordOf } from './entry-parts.ts'
import { auditFilterForm, auditPath, readFilter, tooManyIn } from './filter.ts'

/** Number of audit entries per page, the same as in the lists of the API. */
const pageSize = 25

const idPattern = /^aud_[0-9a-z]{26}$/

export const auditList = page({
  path: auditPath,
  permission: 'audit:read',
  show: async (visit) => {
    const { query, filter, draft: given } = readFilter(visit)
    const { cursor } = visit.query
    const beforeId = cursor !== undefined && idPattern.test(cursor) ? cursor : null
    const { database } = visit.context
    const [found, head] = await Promise.all([
      // Reads one audit entry more than the page shows, to find out whether there is a next page.
      given.problems.length > 0
        ? []
        : listAudit(database, { ...filter, beforeId, limit: pageSize + 1 }).catch(tooManyIn),
      findHead(database, visit.tenant.merchantId),
    ])
    const rows = 'field' in found ? [] : found
    const draft = 'field' in found ? { ...given, problems: [...given.problems, found] } : given
    const shown = rows.slice(0, pageSize)
    const next = rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null
    const ids = shown.map(({ resourceId }) => resourceId)
    const names = await listRecordNames(database, visit.tenant.merchantId, ids)
    const list = shown.length === 0 ? empty('No change matches these filters.') : entryTable(visit, shown, names)
    const exported = link(withQuery(`${auditPath}/export`, query), 'Export as NDJSON')
    const main = html`${heading('Audit log', exported)}${auditFilterForm(draft)}${list}
${pager(auditPath, { ...query, cursor: beforeId ?? undefined }, next)}
${section('Hash chain', chainSection(visit, head))}`
    return { title: 'Audit log', main }
  },
})

function entryTable(visit: Visit, rows: readonly AuditListRow[], names: ReadonlyMap<string, string>): Markup {
  return table('Audit log', rows, [
    { title: 'Time', phone: 'detail', cell: ({ id, occurredAt: at }) => link(`${auditPath}/${id}`, time(at)) },
    { title: 'Actor', phone: 'detail', cell: actorOf },
    {
      title: 'Action',
      phone: 'title',
      cell: ({ action }) => link(withQuery(auditPath, { action }), actionWithCode(action)),
    },
    { title: 'Record', phone: 'detail', cell: (row) => recordOf(visit, row, names) },
    { title: 'Source', phone: 'hidden', cell: ({ sourceIp: ip }) => (ip === null ? 'none' : address(ip)) },
  ])
}
