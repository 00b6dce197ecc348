import { z } from 'zod'
import { grantableScopes } from '../../../registry/values/roles.ts'
import { type Scope, scopes } from '../../../registry/values/scopes.ts'
import { createToken } from '../../access/create-token.ts'
import { toTimestamp } from '../../base/clock.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { choices, line } from '../kit/fields.ts'
import { checkBoxes, form, select, textArea, textField } from '../kit/form.ts'
import { backLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { notHeld } from './not-held.ts'
import { allScopes, presetLinks, scopesOf } from './presets.ts'
import { revealed } from './reveal.ts'

const path = '/tokens/new'
const permission = 'tokens:write'

/** Lifetimes of a token in days, from which the member chooses. */
const lifetimes = ['30', '90', '365'] as const

const [firstScope = 'orders:read', ...otherScopes] = allScopes
const scopeNames: readonly [Scope, ...Scope[]] = [firstScope, ...otherScopes]

/** Maximum length of a token's name. A name of this length fits on one line of the token list. */
const nameMaxLength = 80

/** Maximum number of characters in a token's IP allowlist, enough for more networks than any integration has. */
const allowlistMaxLength = 2000

export const newTokenPage = page({
  path,
  permission,
  show: async (visit) => {
    const { name, scopes: chosen } = visit.query
    return formPage(visit, newDraft({ name, scopes: scopesOf(chosen), days: '90' }))
  },
})

export const createTokenAction = action({
  path,
  permission,
  done: 'The token is created.',
  question: null,
  needsRecentSignIn: true,
  fields: z.strictObject({
    name: line(nameMaxLength),
    scopes: choices(scopeNames, 'Choose at least one scope.'),
    days: z.enum(lifetimes).optional(),
    networks: z.string().max(allowlistMaxLength).optional(),
  }),
  form: async (visit, _params, draft) => formPage(visit, draft),
  run: async (visit, _params, { name, scopes: chosen, days, networks }) => {
    const { context, actor, tenant, nowMs } = visit
    const expiresAt = days === undefined ? null : toTimestamp(nowMs + Number(days) * dayMs)
    const ipAllowlist = (networks ?? '').split(/[\s,]+/).filter((network) => network !== '')
    const outcome = await createToken(context, actor, tenant, { name, scopes: chosen, expiresAt, ipAllowlist })
    switch (outcome.is) {
      case 'created':
        return { is: 'revealed', content: revealed(visit, outcome) }
      case 'invalid_network':
        return {
          is: 'refused',
          field: 'networks',
          message: `${outcome.network} is not a network such as 203.0.113.0/24.`,
        }
      case 'scopes_not_held':
        return { is: 'refused', field: 'scopes', message: notHeld(visit, outcome) }
    }
  },
})

const dayMs = 24 * 60 * 60 * 1000

function formPage(visit: Visit, draft: Draft) {
  const main = html`${backLink('/tokens', 'All tokens')}${heading('Create an API token')}
${presetLinks(visit, path)}
${form(
  visit,
  path,
  html`${textField(draft, { name: 'name', label: 'Name', hint: 'The purpose of the token, such as the name of an integration.', isRequired: true })}
${checkBoxes(draft, {
  name: 'scopes',
  label: 'Scopes',
  hint: 'Choose only the scopes that the integration needs. The list has the scopes that your role can give.',
  choices: grantableScopes(visit.member.selected.role, visit.tenant.mode)
    .toSorted()
    .map((scope) => [scope, scope, scopes[scope]]),
})}
${select(draft, { name: 'days', label: 'Expires', choices: [...lifetimes.map((days) => [days, `in ${days} days`] as const), ['', 'never']] })}
${textArea(draft, { name: 'networks', label: 'Allowed networks', hint: 'IP addresses or networks that may use the token, one per line. If the field is empty, every address may use the token.' })}`,
  { submit: 'Create token' },
)}`
  return { title: 'Create an API token', main }
}
