import { setPassword } from '../../access/members/set-password.ts'
import { html } from '../../markup/markup.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form } from '../kit/form.ts'
import { plainPage } from '../kit/layout.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { findOpenSession } from '../kit/open-session.ts'
import { pageResponse, redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, type Visitor, visitorForms } from '../kit/visitor.ts'
import { delayOf } from './delay.ts'
import { finishSignIn } from './finish.ts'
import { newPasswordField, weaknessOf } from './new-password.ts'

/** The page on which a user who signed in with a link sets a password. */

const path = '/sign-in/setup'

export function setupPage(site: Site, visitor: Visitor): Promise<Response> {
  return showSetup(site, visitor, newDraft())
}

function showSetup(site: Site, visitor: Visitor, draft: Draft, status = 200): Promise<Response> {
  const main = html`<h1>Set your password</h1>
<p>You signed in with a link. Set a password to continue. An authenticator app and passkeys that were set up before no longer sign you in.</p>
${form(visitorForms(visitor), path, newPasswordField(draft), { submit: 'Set password' })}`
  return pageResponse(
    plainPage(site.assets, { title: 'Set your password', main, problems: draft.problems }),
    visitor.requestId,
    status,
  )
}

export async function submitSetup(site: Site, visitor: Visitor): Promise<Response> {
  const sent = await readOwnForm(visitor, visitor.readCookie('visitor'))
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'incomplete' || found.session.stage !== 'setup_required') return redirect(root, visitor.requestId)
  const outcome = await setPassword(
    membersContextOf(site.dashboard),
    { session: found.session, source: visitor.source },
    {
      password: sent.get('newPassword') ?? '',
      currentPassword: null,
      deviceToken: visitor.readCookie('device') ?? null,
    },
  )
  const refuse = (message: string, status = 422) =>
    showSetup(site, visitor, { values: {}, problems: [{ field: 'newPassword', message }] }, status)
  switch (outcome.is) {
    case 'set':
      return finishSignIn(site, visitor, outcome, { next: `${root}/settings/account`, carried: undefined })
    case 'weak_password':
      return refuse(weaknessOf(outcome.problem))
    case 'session_ended':
    case 'wrong_password':
      return redirect(`${root}/sign-in`, visitor.requestId)
    case 'backed_off':
    case 'busy':
      return refuse(delayOf(outcome), 429)
  }
}
