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
  codes: `${accountPath}/totp/backup-codes`,
} as const

export function totpSection(visit: Visit, backupCodes: number, isMain: boolean): Markup {
  if (visit.member.hasTotp) {
    return html`<p>${badge('on', 'good')} Sign-in with your password also requires a code of your authenticator app.</p>
<p>${codesText(backupCodes)}</p>
<p>${link(totpPaths.codes, 'Create new backup codes')} ${link(totpPaths.remove, 'Remove the authenticator app')}</p>`
  }
  return html`<p>${badge('off', 'waiting')} With an authenticator app, a stolen password is not enough to sign in.</p>
${button(visit, totpPaths.start, 'Set up an authenticator app', { isMain })}`
}

/** Number of remaining backup codes at which the member should create new ones. */
const fewCodes = 3

function codesText(left: number): Markup {
  const tone = left > fewCodes ? 'good' : 'waiting'
  const text = left === 0 ? 'no backup codes' : `${left} backup ${left === 1 ? 'code' : 'codes'} left`
  return html`${badge(text, tone)} Without your phone, a backup code replaces the code of the app, once.`
}
