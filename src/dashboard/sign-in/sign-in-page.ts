import { signInWithPassword } from '../../access/members/sign-in-with-password.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, textField } from '../kit/form.ts'
import { plainPage } from '../kit/layout.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { ownPath, pageResponse } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, requirePrivateConnection, type Visitor, visitorForms } from '../kit/visitor.ts'
import { type After, afterFields, afterOf } from './after.ts'
import { showCode } from './code-page.ts'
import { delayOf } from './delay.ts'
import { finishSignIn } from './finish.ts'

const path = '/sign-in'

export async function signInPage(site: Site, visitor: Visitor): Promise<Response> {
  requirePrivateConnection(visitor)
  return showSignIn(site, visitor, { next: ownPath(visitor.query.next), carried: undefined })
}

interface SignInView {
  readonly draft?: Draft
  readonly intro?: Markup
  readonly status?: number
}

/** The passkey button appears only with JavaScript, which passkeys need. */
export function showSignIn(site: Site, visitor: Visitor, after: After, view: SignInView = {}): Promise<Response> {
  const { draft = newDraft(), intro = nothing, status = 200 } = view
  const fields = html`${afterFields(after)}
${textField(draft, { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', isRequired: true })}
${textField(draft, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true })}`
  const owner = visitorForms(visitor)
  const main = html`<h1>Sign in</h1>${intro}${form(owner, path, fields, { submit: 'Sign in' })}
<form method="post" action="${root}/sign-in/passkey" class="form" data-passkey="sign-in" hidden>
<input type="hidden" name="csrf" value="${owner.hiddenFields().csrf}">${afterFields(after)}<input type="hidden" name="credential"><input type="hidden" name="challenge"><p class="problem" role="alert" data-problem hidden></p><button type="button">Sign in with a passkey</button></form>
<p class="hint">If you have lost your password, an owner of your shop can create a recovery link on the page Members.</p>`
  return pageResponse(
    plainPage(site.assets, { title: 'Sign in', main, problems: draft.problems }),
    visitor.requestId,
    status,
  )
}

export async function signIn(site: Site, visitor: Visitor): Promise<Response> {
  requirePrivateConnection(visitor)
  const sent = await readOwnForm(visitor, visitor.readCookie('visitor'))
  const after = afterOf(sent)
  const email = sent.get('email') ?? ''
  const outcome = await signInWithPassword(membersContextOf(site.dashboard), {
    email,
    password: sent.get('password') ?? '',
    deviceToken: visitor.readCookie('device') ?? null,
    source: visitor.source,
  })
  const refuse = (message: string, status = 422) => {
    const draft = { values: { email: [email] }, problems: [{ field: undefined, message }] }
    return showSignIn(site, visitor, after, { draft, status })
  }
  switch (outcome.is) {
    case 'signed_in':
      return finishSignIn(site, visitor, outcome, after)
    case 'totp_required':
      visitor.writeCookie('session', outcome.sessionToken)
      return showCode(site, visitor, after)
    case 'wrong_credentials':
      return refuse('The e-mail or the password is wrong.')
    case 'backed_off':
    case 'busy':
      return refuse(delayOf(outcome), 429)
  }
}
