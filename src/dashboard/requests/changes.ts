import { toMs, toTimestamp } from '../../base/clock.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { code, empty, table, time } from '../../markup/parts.ts'
import { listAudit } from '../../store/audit/audit-list.ts'
import type { RequestRow } from '../../store/requests/request-list.ts'
import { actionWithCode } from '../audit/action-text.ts'
import { link, withQuery } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'

/**
 * Number of milliseconds before and after a request in which its audit entries are searched. The margin is needed
 * because the clocks of two processes differ by milliseconds, and because a retried transaction may commit after the
 * recorded duration of the request.
 */
const marginMs = 2_000

/**
 * Maximum number of audit entries that are read to find the entries of one request. Request ids have no index, so all
 * audit entries of the request's token within a few seconds are read. With the default rate limits, a token makes fewer
 * changes in this time.
 */
const readMax = 500

type Change = Awaited<ReturnType<typeof listAudit>>[number]

/** Searches the audit entries by the token and the time of the request, because request ids have no index. */
export async function changesOf(
  { context, tenant }: Visit,
  { id, tokenId, occurredAt, durationMs }: RequestRow,
): Promise<readonly Change[]> {
  const startedMs = toMs(occurredAt)
  const entries = await listAudit(context.database, {
    ...{ merchantId: tenant.merchantId, actor: tokenId, limit: readMax },
    since: toTimestamp(startedMs - marginMs),
    until: toTimestamp(startedMs + durationMs + marginMs),
  })
  return entries.filter((entry) => entry.requestId === id)
}

export function changeTable(changes: readonly Change[]): Markup {
  if (changes.length === 0) return empty('The request changed nothing.')
  return table('Changes', changes, [
    { title: 'Action', cell: ({ action }) => actionWithCode(action) },
    { title: 'Record', cell: recordLink },
    { title: 'Time', cell: ({ occurredAt: at }) => time(at) },
  ])
}

function recordLink({ resourceType: type, resourceId: id }: Change): Markup {
  return html`${type.replaceAll('_', ' ')} ${link(withQuery('/audit', { resource: id }), code(id))}`
}
