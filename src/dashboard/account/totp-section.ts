import { html, type Markup } from '../../markup/markup.ts'
import { badge } from '../../markup/parts.ts'
import { button } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { accountPath } from './paths.ts'

export const totpPaths = {
  start: `${accountPath}/totp/start`,
  confirm: `${accountPath}/totp/confirm`,
  remove: `${accountPath}/totp/remove`,
} as const

export function totpSection(visit: Visit): Markup {
  if (visit.member.hasTotp) {
    return html`<p>${badge('on', 'good')} Sign-in with your password also requires a code of your authenticator app.</p>
<p>${link(totpPaths.remove, 'Remove the authenticator app')}</p>`
  }
  return html`<p>${badge('off', 'waiting')} With an authenticator app, a stolen password is not enough to sign in.</p>
${button(visit, totpPaths.start, 'Set up an authenticator app')}`
}
