import { listTokens } from '../../store/access/tokens.ts'
import { html, type Markup, nothing } from '../kit/markup.ts'
import { ago, code, empty, heading, link, table } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { type Token, tokenState } from './state.ts'

export const tokenList = page({
  path: '/tokens',
  permission: 'tokens:read',
  show: async (visit) => {
    const tokens = await listTokens(visit.context.database, visit.tenant.merchantId)
    const create = may(visit, 'tokens:write') ? link('/tokens/new', 'Create a token') : nothing
    const list =
      tokens.length === 0 ? empty('There are no API tokens yet. Create one for each integration.') : rows(visit, tokens)
    return { title: 'API tokens', main: html`${heading('API tokens', create)}${list}` }
  },
})

function rows({ nowMs }: Visit, tokens: readonly Token[]): Markup {
  return table('API tokens', tokens, [
    {
      title: 'Token',
      cell: ({ id, name, prefix, lastFour }) => html`${link(`/tokens/${id}`, name)} ${code(`${prefix}…${lastFour}`)}`,
    },
    { title: 'State', cell: (token) => tokenState(token, nowMs) },
    { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
    {
      title: 'Last used',
      cell: ({ lastUsedAt, lastUsedIp }) =>
        lastUsedAt === null ? 'never' : html`${ago(lastUsedAt, nowMs)} from ${lastUsedIp}`,
    },
    { title: 'Created by', cell: ({ createdBy }) => createdBy },
  ])
}
