import { countBackupCodes } from '../../access/members/backup-codes.ts'
import { listPasskeys } from '../../access/members/register-passkey.ts'
import { listSessions } from '../../access/members/sessions.ts'
import { html } from '../../markup/markup.ts'
import { facts, heading, section } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { passkeySection } from './passkey-section.ts'
import { passwordForm } from './password-form.ts'
import { accountPath, permission } from './paths.ts'
import { sessionSection } from './session-section.ts'
import { totpSection } from './totp-section.ts'

export const accountPage = page({
  path: accountPath,
  permission,
  show: async (visit) => accountContent(visit, newDraft()),
})

/** `draft` is the state of the form for a new password. */
export async function accountContent(visit: Visit, draft: Draft): Promise<Content> {
  const context = membersContextOf(visit)
  const [passkeys, sessions, backupCodes] = await Promise.all([
    listPasskeys(context, visit.member),
    listSessions(context, visit.member),
    countBackupCodes(context, visit.member),
  ])
  const { userName, email, selected } = visit.member
  // Without a second factor, a stolen password is enough to sign in, so setting up a second factor is the main action
  // of the page.
  const isUnprotected = !visit.member.hasTotp && passkeys.length === 0
  const main = html`${heading('Your account')}
${facts([
  ['Name', userName],
  ['E-mail', email],
  ['Role', `${selected.role} of ${selected.name}`],
])}
${section('Password', passwordForm(visit, draft, isUnprotected))}
${section('Authenticator app', totpSection(visit, backupCodes, isUnprotected))}
${section('Passkeys', passkeySection(visit, passkeys))}
${section('Signed-in browsers', sessionSection(visit, sessions))}`
  return { title: 'Your account', main }
}
