import { requestLogDays } from '../../../registry/values/limits.ts'
import { type Timestamp, TokenId } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, empty, heading, section, table, time } from '../../markup/parts.ts'
import { findRecordingEnd } from '../../store/access/recorded-bodies.ts'
import { listRecordNames } from '../../store/audit/record-names.ts'
import { countRequestsByDay, type RequestsOfDay } from '../../store/requests/request-counts.ts'
import { listRequests, type RequestRow, type StatusFilter } from '../../store/requests/request-list.ts'
import type { Content } from '../kit/content.ts'
import type { FieldProblem } from '../kit/draft.ts'
import { newDraft } from '../kit/draft.ts'
import { button, filterForm, mainFilterForm, select, textField } from '../kit/form.ts'
import { address, command, cursorOf, docsLink, link, mainLink, pager, pick } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { sampleRequest } from '../kit/sample-request.ts'
import { timeRangeFields, timeRangeOf } from '../kit/time-range.ts'
import { may, type Visit } from '../kit/visit.ts'
import { responseStatus } from './status.ts'

const path = '/requests'

/** The path of the action that enables or disables the recording of request bodies. */
export const recordingPath = '/requests/recording'

/** Number of requests per page, the same as in the lists of the API. */
const pageSize = 25

const filterNames = ['id', 'operation', 'status', 'token', 'since', 'until', 'cursor'] as const

export const requestList = page({
  path,
  permission: 'requests:read',
  show: (visit) => listContent(visit),
})

/** The page of the request log also contains the form that starts or stops the recording of request bodies. */
export async function listContent(visit: Visit): Promise<Content> {
  const { context, tenant, now } = visit
  const query = pick(visit.query, filterNames)
  const { filter, problems } = filterOf(query)
  const { merchantId } = tenant
  const isFirst = Object.keys(query).length === 0
  const [found, days, recording] = await Promise.all([
    problems.length > 0
      ? { rows: [], continueBeforeId: null }
      : listRequests(context.database, { merchantId, ...filter }, { limit: pageSize, beforeId: cursorOf(query) }),
    isFirst ? countRequestsByDay(context.database, { merchantId, now }) : [],
    findRecordingEnd(context.database, { id: merchantId }),
  ])
  const { rows, continueBeforeId } = found
  const tokenIds = rows.map(({ tokenId }) => tokenId)
  const names = await listRecordNames(context.database, merchantId, tokenIds)
  const isEnd = rows.length === 0 && continueBeforeId === null && problems.length === 0
  const isEmpty = isFirst && isEnd
  const list = rows.length === 0 ? none(visit, { isFirst, isEnd }) : requestTable(visit, rows, names)
  const until = recording?.until ?? null
  const main = html`${heading('Request log')}
<p>The API requests of the last ${requestLogDays} days. The dashboard’s own reads and changes are not listed.</p>
${isEmpty ? nothing : filters(query, problems, isEnd ? filterForm : mainFilterForm)}${list}${pager(path, query, continueBeforeId)}
${isEmpty && until === null ? nothing : recordingSection(visit, until)}
${isEmpty || days.length === 0 ? nothing : section('Requests per day', dayTable(days))}`
  return { title: 'Request log', main, isLive: query.cursor === undefined }
}

/**
 * Shows until when the service records the redacted bodies of rejected requests, and a button that enables or disables
 * this recording.
 */
function recordingSection(visit: Visit, until: Timestamp | null): Markup {
  const mayChange = may(visit, 'settings:write')
  if (until === null && !mayChange) return nothing
  const state =
    until === null
      ? html`<p>To find the mistake in a rejected request, record the bodies of rejected requests for one day. The stored bodies are redacted: they contain the names of the fields, but no texts.</p>`
      : html`<p>The redacted bodies of rejected requests are recorded until ${time(until)}.</p>`
  const [label, records] = until === null ? ['Record bodies for one day', 'on'] : ['Stop recording bodies', 'off']
  const change = mayChange ? button(visit, recordingPath, label, { hidden: { records } }) : nothing
  return section('Bodies of rejected requests', html`${state}${change}`)
}

type Query = { readonly [Name in (typeof filterNames)[number]]?: string }

const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** Patterns of ids and operation names in the filters of the request log. Longer texts match no id and no name. */
const operationPattern = /^\w{1,60}$/
const requestIdPattern = /^req_[0-9a-z]{26}$/

/** A malformed value is reported as a problem of its form field. */
function filterOf({ id, operation, status, token, since, until }: Query) {
  const range = timeRangeOf({ since, until })
  const requestId = id?.trim()
  const isToken = token === undefined || TokenId.safeParse(token.trim()).success
  const problems: FieldProblem[] = [
    ...range.problems,
    ...(requestId === undefined || requestIdPattern.test(requestId)
      ? []
      : [{ field: 'id', message: 'A request id starts with req_, as in the header Request-Id.' }]),
    ...(operation === undefined || operationPattern.test(operation)
      ? []
      : [{ field: 'operation', message: 'Enter the id of an operation, such as createRefund.' }]),
    ...(isToken ? [] : [{ field: 'token', message: 'A token id starts with tok_.' }]),
  ]
  const filter = {
    ...{ id: requestId, operation, tokenId: token?.trim(), since: range.since, until: range.until },
    status: statusOf(status),
  }
  return { filter, problems }
}

/** Any text that is neither an HTTP status nor a status class, such as 4xx, selects all statuses. */
function statusOf(text: string | undefined): StatusFilter | undefined {
  if (text !== undefined && /^[2-5]\d\d$/.test(text)) return Number(text)
  return statusClasses.find((one) => one === text)
}

function filters(query: Query, problems: readonly FieldProblem[], formOf: typeof filterForm): Markup {
  const draft = { ...newDraft({ ...query }), problems }
  return formOf(
    path,
    draft,
    html`${textField(draft, { name: 'id', label: 'Request id', type: 'search' })}
${textField(draft, { name: 'operation', label: 'Operation' })}
${select(draft, { name: 'status', label: 'Status', choices: [['', 'All'], ...statusClasses.map((one) => [one, one] as const)] })}
${textField(draft, { name: 'token', label: 'Token id' })}
${timeRangeFields(draft)}`,
  )
}

function requestTable(visit: Visit, requests: readonly RequestRow[], names: Names): Markup {
  return table('Requests', requests, [
    {
      title: 'Request',
      phone: 'title',
      cell: ({ id, operation }) => html`${link(`${path}/${id}`, operation)}<small>${code(id)}</small>`,
    },
    { title: 'Time', phone: 'detail', cell: ({ occurredAt }) => time(occurredAt) },
    {
      title: 'Status',
      phone: 'state',
      cell: ({ status, errorCode }) =>
        html`${responseStatus(status)}${errorCode === null ? nothing : html`<small>${code(errorCode)}</small>`}`,
    },
    { title: 'Duration', phone: 'detail', cell: ({ durationMs }) => `${durationMs} ms`, isNumber: true },
    {
      title: 'Token',
      phone: 'labelled',
      cell: ({ tokenId, sourceIp }) =>
        html`${tokenLink(visit, tokenId, names)}<small>from ${address(sourceIp)}</small>`,
    },
  ])
}

type Names = ReadonlyMap<string, string>

export function tokenLink(visit: Visit, tokenId: string, names: Names): Markup {
  const name = names.get(tokenId)
  const shown = name === undefined ? code(tokenId) : html`<span title="${tokenId}">${name}</span>`
  return may(visit, 'tokens:read') ? link(`/tokens/${tokenId}`, shown) : shown
}

/** A day such as `30 Nov 2026`. */
const dayText = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' })

function dayTable(days: readonly RequestsOfDay[]): Markup {
  return table('Requests per day', days.toReversed(), [
    { title: 'Day', cell: ({ day }) => dayText.format(new Date(`${day}T00:00:00Z`)), phone: 'title' },
    { title: 'Requests', cell: ({ requests }) => count(requests), isNumber: true, phone: 'state' },
    { title: 'Status 4xx', cell: ({ clientErrors }) => count(clientErrors), isNumber: true, phone: 'labelled' },
    { title: 'Status 5xx', cell: ({ serverErrors }) => count(serverErrors), isNumber: true, phone: 'labelled' },
  ])
}

/** `isFirst`: the page is the first one and has no filter. `isEnd`: the log has no further requests to search. */
function none(visit: Visit, { isFirst, isEnd }: { readonly isFirst: boolean; readonly isEnd: boolean }): Markup {
  if (isFirst) return emptyLog(visit)
  if (isEnd) return empty('No request matches these filters.', html`<p>${mainLink(path, 'Show all requests')}</p>`)
  // If a filter matches few requests, several pages may be needed to find them, because each page reads only a part of
  // the request log.
  return empty('No request in this part of the log matches the filters. Open the next page to search further.')
}

function emptyLog(visit: Visit): Markup {
  const none = `There are no requests in the last ${requestLogDays} days.`
  const example = command(sampleRequest(visit.origin, 'listOrders', { query: '?limit=3' }))
  if (may(visit, 'tokens:write'))
    return empty(
      `${none} Create an API token, then send a request with it:`,
      html`${example}<p>${mainLink('/tokens/new', 'Create an API token')}</p>`,
    )
  return empty(
    `${none} Send a request with an API token, which an owner of the shop creates:`,
    html`${example}<p>${docsLink}</p>`,
  )
}
