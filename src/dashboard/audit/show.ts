import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, empty, facts, recordHeading, section, table, time } from '../../markup/parts.ts'
import { type AuditListRow, listAudit } from '../../store/audit/audit-list.ts'
import { listRecordNames } from '../../store/audit/record-names.ts'
import { PageError } from '../kit/page-error.ts'
import { backLink, link, mainLink, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { actionText } from './action-text.ts'
import { actorOf, recordOf, recordsOf } from './entry-parts.ts'
import { auditPath } from './filter.ts'

const idPattern = /^aud_[0-9a-z]{26}$/

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
    const ids = [entry.resourceId, ...(entry.resources ?? [])]
    const names = await listRecordNames(visit.context.database, merchantId, ids)
    const title = actionText(entry.action)
    const actions = {
      main: mainLink(withQuery(auditPath, { resource: entry.resourceId }), 'All changes of the record'),
      more: [],
    }
    const main = html`${backLink(auditPath, 'Audit log')}${recordHeading(title, nothing, actions)}
${facts([
  ['Action', code(entry.action)],
  ['Id', code(id)],
  ['Time', time(entry.occurredAt)],
  ['Actor', actorOf(entry)],
  ['Actor id', textOf(entry.actorId)],
  ['Record', recordOf(visit, entry, names)],
  ['Record id', code(entry.resourceId)],
  ['Other records', recordsOf(visit, entry, names)],
  ['Request', requestOf(entry)],
  ['Session', textOf(entry.sessionId)],
  ['Source address', textOf(entry.sourceIp)],
  ['User agent', entry.userAgent ?? 'none'],
])}
${section('Changes', changeTable(entry))}`
    return { title, main }
  },
})

function noEntry(): PageError {
  return new PageError(404, 'This entry of the audit log does not exist.')
}

/** The request log contains only requests with an API token. Members use the dashboard without such a token. */
function requestOf({ actorType, requestId }: AuditListRow): Markup | string {
  if (requestId === null || actorType !== 'token') return textOf(requestId)
  return link(`/requests/${requestId}`, code(requestId))
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
  if (typeof value === 'object') return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
  if (typeof value !== 'string') return code(JSON.stringify(value))
  return timestampPattern.test(value) ? time(value) : value
}

/** A time as the service stores it, such as `2026-11-21T07:30:00.000Z`. */
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/
