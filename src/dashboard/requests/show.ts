import { errors, isErrorCode } from '../../../registry/errors/index.ts'
import { endpoints } from '../../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, facts, recordHeading, section, table, time } from '../../markup/parts.ts'
import { listRecordNames } from '../../store/audit/record-names.ts'
import { findRequest, type RequestRow, requestBody } from '../../store/requests/request-list.ts'
import type { LoggedProblem } from '../../store/requests/request-log.ts'
import { nextNote } from '../kit/next-note.ts'
import { PageError } from '../kit/page-error.ts'
import { backLink, link, withQuery } from '../kit/parts.ts'
import { registryText } from '../kit/registry-text.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { changesOf, changeTable } from './changes.ts'
import { tokenLink } from './list.ts'
import { responseStatus } from './status.ts'

export const requestPage = page({
  path: '/requests/{id}',
  permission: 'requests:read',
  show: async (visit, { id }) => {
    const { context, tenant } = visit
    const request = await findRequest(context.database, { merchantId: tenant.merchantId, id })
    if (request === undefined)
      throw new PageError(404, 'The request log of the last 7 days does not have this request.')
    const { operation, status, errorCode, durationMs, tokenId, sourceIp, occurredAt, problems } = request
    const body = await bodyOf(visit, request)
    const names = await listRecordNames(context.database, tenant.merchantId, [tokenId])
    const changes = may(visit, 'audit:read') ? await changesOf(visit, request) : undefined
    const title = titleOf(request)
    const state = html`${responseStatus(status)}${errorCode === null ? nothing : html` ${code(errorCode)}`}`
    const main = html`${backLink('/requests', 'All requests')}${recordHeading(title, state, { main: fixLink(errorCode), more: [] })}
${explanation(request)}
${facts([
  ['Id', code(request.id)],
  ['Operation', code(operation)],
  ...target(operation),
  ['Status', String(status)],
  [
    'Error',
    errorCode === null
      ? 'none'
      : html`${code(errorCode)} ${link(withQuery('/requests', { status: String(status) }), `All requests with status ${status}`)}`,
  ],
  ['Duration', `${durationMs} ms`],
  ['Token', tokenLink(visit, tokenId, names)],
  ['Source address', code(sourceIp)],
  ['Time', time(occurredAt)],
])}
${problems === null ? nothing : section('Invalid values', problemTable(problems))}
${body === null ? nothing : bodySection(body)}
${changes === undefined ? nothing : section('Changes', changeTable(changes))}`
    return { title, main }
  },
})

const declared: ReadonlyMap<string, Pick<Endpoint, 'method' | 'path' | 'summary'>> = new Map(Object.entries(endpoints))

/**
 * Returns a sentence with the purpose and the outcome of a request, such as `The request to create a refund was
 * rejected`.
 */
function titleOf({ operation, status }: RequestRow): string {
  const summary = declared.get(operation)?.summary
  const purpose = summary === undefined ? operation : `to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
  return `The request ${purpose} ${outcomeOf(status)}`
}

function outcomeOf(status: number): string {
  if (status >= serverError) return 'failed'
  return status >= clientError ? 'was rejected' : 'succeeded'
}

/**
 * `clientError` is the lowest HTTP status of a rejected request (4xx). `serverError` is the lowest HTTP status of a
 * fault of the service (5xx).
 */
const clientError = 400
const serverError = 500

function fixLink(errorCode: string | null): Markup {
  if (errorCode === null || !isErrorCode(errorCode)) return nothing
  return html`<a class="main" href="/docs/errors/${errorCode}">Read how to fix ${errorCode}</a>`
}

function explanation({ errorCode }: RequestRow): Markup {
  if (errorCode === null || !isErrorCode(errorCode)) return nothing
  const { meaning, fix } = errors[errorCode]
  return html`<p>${registryText(meaning)}</p>
${nextNote(registryText(fix))}`
}

/** Empty for an operation id that only an earlier release had. */
function target(operation: string): readonly (readonly [string, Markup])[] {
  const endpoint = declared.get(operation)
  return endpoint === undefined ? [] : [['Method and path', code(`${endpoint.method} ${apiRoot}${endpoint.path}`)]]
}

/** Shows which fields of a rejected request were invalid, without their values. */
function problemTable(problems: readonly LoggedProblem[]): Markup {
  const rows = table('Invalid values', problems, [
    { title: 'Field', cell: ({ path }) => code(path) },
    { title: 'Violated rule', cell: ({ code: rule }) => rule.replaceAll('_', ' ') },
  ])
  return html`<p class="hint">The list ${code('errors')} of the response. The rejected values are not stored.</p>${rows}`
}

/** Null if no body was recorded. */
async function bodyOf({ context, tenant }: Visit, { id, status }: RequestRow): Promise<string | null> {
  if (status < clientError) return null
  const [found] = await context.database.read(requestBody, { merchantId: tenant.merchantId, id })
  return found?.body ?? null
}

function bodySection(body: string): Markup {
  return section(
    'Body',
    html`<p class="hint">Texts are replaced by their length, except ids, timestamps, currencies and the values of enums. Numbers in fields of phones, accounts, cards and coordinates are replaced too. Nesting levels below the 16th and values after the 200th are omitted.</p><pre tabindex="0">${JSON.stringify(JSON.parse(body), null, 2)}</pre>`,
  )
}
