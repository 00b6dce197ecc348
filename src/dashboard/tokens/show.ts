import { grantableScopes } from '../../../registry/values/roles.ts'
import { scopes as scopeTexts } from '../../../registry/values/scopes.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, facts, heading, section, table, time } from '../../markup/parts.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, select } from '../kit/form.ts'
import { nextNote, restNote } from '../kit/next-note.ts'
import { backLink, link, mainLink, otherLink, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { requireToken } from './find.ts'
import { notHeld } from './not-held.ts'
import { formPath } from './presets.ts'
import { isExpiring, isValid, lastUse, type Token, tokenState, unusedWarning } from './state.ts'

export const tokenPage = page({
  path: '/tokens/{id}',
  permission: 'tokens:read',
  show: async (visit, { id }) => tokenContent(visit, await requireToken(visit, id), newDraft({ hours: '24' })),
})

/**
 * Choices for how long the old token stays valid after a rotation, in hours, with their labels. The longest time is a
 * week, in which any deployment can switch to the new token.
 */
const overlaps = [
  ['0', 'at once'],
  ['1', 'in 1 hour'],
  ['24', 'in 24 hours'],
  ['168', 'in 7 days'],
] as const

/** `draft` is the state of the rotation form. */
export function tokenContent(visit: Visit, token: Token, draft: Draft) {
  const { name } = token
  const main = html`${backLink('/tokens', 'All tokens')}${heading(name, requestsLink(visit, token))}
${nextStep(visit, token)}
${about(visit, token)}
${section('Scopes', html`${scopeTable(token)}${fixed(visit, token)}`)}
${isValid(token, visit.nowMs) && may(visit, 'tokens:write') ? changes(visit, token, draft) : nothing}`
  return { title: name, main }
}

function about({ nowMs }: Visit, token: Token): Markup {
  const { id, prefix, lastFour, ipAllowlist, createdBy, createdAt, expiresAt, revokedAt } = token
  return facts([
    ['Id', code(id)],
    ['Token', code(`${prefix}…${lastFour}`)],
    ['State', tokenState(token, nowMs)],
    ['Last used', lastUse(token, nowMs)],
    ['Created by', createdBy],
    ['Created', time(createdAt)],
    ['Expires', time(expiresAt)],
    ...(revokedAt === null ? [] : [['Revoked', time(revokedAt)] as const]),
    [
      'Allowed networks',
      ipAllowlist.length === 0 ? 'all' : html`${ipAllowlist.map((network) => html`${code(network)} `)}`,
    ],
  ])
}

function scopeTable({ scopes }: Token): Markup {
  return table('Scopes', scopes.toSorted(), [
    { title: 'Scope', cell: (scope) => code(scope) },
    { title: 'Allows', cell: (scope) => scopeTexts[scope] },
  ])
}

/** Explains that a token cannot be edited, and describes how to replace the token. */
function fixed(visit: Visit, { name, scopes }: Token): Markup {
  const copy = may(visit, 'tokens:write')
    ? html` ${link(formPath('/tokens/new', scopes, name), 'Create a token with other scopes')}, use it in the integration, then revoke this token.`
    : nothing
  return html`<p>The scopes, networks and expiry of a token cannot be changed.${copy}</p>`
}

function nextStep({ nowMs }: Visit, token: Token): Markup {
  if (!isValid(token, nowMs)) return restNote('Nothing to do: the service does not accept this token any more.')
  const unused = unusedWarning(token, nowMs)
  if (unused !== undefined) return nextNote(`The token is ${unused}. If no integration needs the token, revoke it.`)
  if (isExpiring(token, nowMs))
    return nextNote('Rotate the token before it expires, and give the new token to the integration.')
  return restNote('Nothing to do: the token is valid.')
}

function requestsLink(visit: Visit, { id }: Token): Markup {
  return may(visit, 'requests:read') ? link(withQuery('/requests', { token: id }), 'Requests of this token') : nothing
}

function changes(visit: Visit, token: Token, draft: Draft): Markup {
  const grantable = grantableScopes(visit.member.selected.role, visit.tenant.mode)
  const scopes = token.scopes.filter((scope) => !grantable.includes(scope))
  const revokeLink = unusedWarning(token, visit.nowMs) === undefined ? otherLink : mainLink
  const rotate = scopes.length === 0 ? rotation(visit, token, draft) : html`<p>${notHeld(visit, { scopes })}</p>`
  return html`${section('Rotate', rotate)}
${section('Revoke', html`<p>${revokeLink(`/tokens/${token.id}/revoke`, 'Revoke this token')}</p>`)}`
}

function rotation(visit: Visit, token: Token, draft: Draft): Markup {
  const unused = unusedWarning(token, visit.nowMs) !== undefined
  return form(
    visit,
    `/tokens/${token.id}/rotate`,
    html`<p>Rotation creates a token with the same name, scopes and networks, and lets this token expire.</p>
${select(draft, { name: 'hours', label: 'Expire this token', choices: overlaps })}`,
    { submit: 'Rotate token', isSecondary: unused || !isExpiring(token, visit.nowMs) },
  )
}
