import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, empty, heading, table } from '../../markup/parts.ts'
import { listTokens } from '../../store/access/tokens.ts'
import { command, cursorOf, link, mainLink, pager, pick } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { sampleRequest } from '../kit/sample-request.ts'
import { may, type Visit } from '../kit/visit.ts'
import { lastUse, type Token, tokenState } from './state.ts'

const path = '/tokens'

/** Number of tokens per page, the same as in the lists of the API. */
const pageSize = 25

export const tokenList = page({
  path,
  permission: 'tokens:read',
  show: async (visit) => {
    const query = pick(visit.query, ['cursor'])
    const { merchantId } = visit.tenant
    const request = { merchantId, limit: pageSize + 1, beforeId: cursorOf(query) }
    const found = await listTokens(visit.context.database, request)
    const shown = found.slice(0, pageSize)
    const next = found.length > pageSize ? (shown.at(-1)?.id ?? null) : null
    const create = may(visit, 'tokens:write') ? mainLink('/tokens/new', 'Create a token') : nothing
    const list = shown.length === 0 ? none(visit) : html`${rows(visit, shown)}${pager(path, query, next)}`
    return { title: 'API tokens', main: html`${heading('API tokens', create)}${list}` }
  },
})

function rows({ nowMs }: Visit, tokens: readonly Token[]): Markup {
  return table('API tokens', tokens, [
    {
      title: 'Token',
      phone: 'title',
      cell: ({ id, name, prefix, lastFour }) => html`${link(`${path}/${id}`, name)} ${code(`${prefix}…${lastFour}`)}`,
    },
    { title: 'State', phone: 'state', cell: (token) => tokenState(token, nowMs) },
    { title: 'Scopes', phone: 'hidden', cell: ({ scopes }) => scopes.toSorted().join(', ') },
    { title: 'Last used', phone: 'labelled', cell: (token) => lastUse(token, nowMs) },
    { title: 'Created by', phone: 'labelled', cell: ({ createdBy }) => createdBy },
  ])
}

function none({ origin }: Visit): Markup {
  const example = sampleRequest(origin, 'listOrders', { query: '?limit=3' })
  return empty(
    'There are no API tokens yet. Create one for each integration, then call the API with it:',
    command(example),
  )
}
