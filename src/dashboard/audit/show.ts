import { type AuditListRow, listAudit } from '../../store/audit/audit-list.ts'
import { html, type Markup } from '../kit/markup.ts'
import { PageError } from '../kit/page-error.ts'
import { code, empty, facts, heading, link, section, table, time, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { actorOf, recordOf, recordsOf } from './entry-parts.ts'
import { auditPath } from './filter.ts'

const idPattern = /^aud_[0-9a-z]{26}$/

/** An audit row with the value of each field before and after the change. */
export const auditEntryPage = page({
  path: `${auditPath}/{id}`,
  permission: 'audit:read',
  show: async (visit, { id }) => {
    if (!idPattern.test(id)) throw noEntry()
    const { merchantId } = visit.tenant
    // All ids are equally long, so `${id}0` comes directly after `id`. The newest audit row before `${id}0` is
    // therefore the requested row, if that row exists.
    const [entry] = await listAudit(visit.context.database, { merchantId, limit: 1, beforeId: `${id}0` })
    if (entry?.id !== id) throw noEntry()
    const main = html`${heading(entry.action)}
${facts([
  ['Id', code(id)],
  ['Time', time(entry.occurred_at)],
  ['Actor', actorOf(entry)],
  ['Actor id', textOf(entry.actor_id)],
  ['Record', recordOf(visit, entry)],
  ['Other records', recordsOf(visit, entry)],
  ['Request', requestOf(entry)],
  ['Session', textOf(entry.session_id)],
  ['Source address', textOf(entry.source_ip)],
  ['User agent', entry.user_agent ?? 'none'],
])}
${section('Changes', changeTable(entry))}
<p>${link(withQuery(auditPath, { resource: entry.resource_id }), 'All changes of the record')}</p>`
    return { title: entry.action, main }
  },
})

function noEntry(): PageError {
  return new PageError(404, 'This entry of the audit log does not exist.')
}

/** The request log contains only requests with an API token. Members use the dashboard without such a token. */
function requestOf({ actor_type, request_id }: AuditListRow): Markup | string {
  if (request_id === null || actor_type !== 'token') return textOf(request_id)
  return link(`/requests/${request_id}`, code(request_id))
}

function textOf(value: string | null): Markup | string {
  return value === null ? 'none' : code(value)
}

function changeTable({ changes }: AuditListRow): Markup {
  const rows = Object.entries(changes).map(([field, change]) => {
    const [before, after] = Array.isArray(change) ? change : [null, change]
    return { field, before: shown(before), after: shown(after) }
  })
  if (rows.length === 0) return empty('The audit entry names no changed fields.')
  return table('Changes', rows, [
    { title: 'Field', cell: ({ field }) => code(field) },
    { title: 'Before', cell: ({ before }) => before },
    { title: 'After', cell: ({ after }) => after },
  ])
}

function shown(value: unknown): Markup | string {
  if (value === null || value === undefined) return html`<span class="none">none</span>`
  return typeof value === 'string' ? value : code(JSON.stringify(value))
}
