import { backupCodeHash, isBackupCode } from '../../access/members/backup-codes.ts'
import type { SignedIn } from '../../access/members/context.ts'
import { type ReauthenticateOutcome, reauthenticate } from '../../access/members/reauthenticate.ts'
import {
  beginPasskeyReauthentication,
  reauthenticateWithPasskey,
} from '../../access/members/reauthenticate-with-passkey.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { Draft, FieldProblem } from '../kit/draft.ts'
import { form, ownFields, textField } from '../kit/form.ts'
import { memberPage } from '../kit/layout.ts'
import { visitOf } from '../kit/member-visit.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { findOpenSession } from '../kit/open-session.ts'
import { otherTenantProblem } from '../kit/other-tenant.ts'
import { jsonResponse, pageResponse, redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import { showDraft } from '../kit/show-draft.ts'
import type { Site } from '../kit/site.ts'
import { may, type Visit } from '../kit/visit.ts'
import { readOwnForm, type Visitor } from '../kit/visitor.ts'
import { type CarriedForm, carriedField, carriedOf, withoutSecrets } from './carried.ts'
import { delayOf } from './delay.ts'
import { parsed } from './passkey.ts'
import { hasDomain } from './passkey-domain.ts'

/** The page that asks for the password, a code or a passkey before an action that shows or changes secrets. */

const path = '/sign-in/confirm'
const passkeyPath = `${path}/passkey`

export function confirmPage(site: Site, visit: Visit, carried: CarriedForm): Promise<Response> {
  return showConfirm(site, visit, { ...carried, values: withoutSecrets(carried.values) })
}

function showConfirm(
  site: Site,
  visit: Omit<Visit, 'formId'>,
  carried: CarriedForm | undefined,
  problem?: FieldProblem,
): Promise<Response> {
  const draft: Draft = { values: {}, problems: problem === undefined ? [] : [problem] }
  const { hasPassword, hasTotp } = visit.member
  const label = hasPassword ? 'Password' : 'Code'
  const hint =
    hasTotp && hasPassword
      ? 'Your password, the code that your authenticator app shows now, or a backup code.'
      : undefined
  const input = textField(draft, {
    ...{ name: 'password', label, type: 'password', autocomplete: 'current-password', isRequired: true },
    ...(hint === undefined ? {} : { hint }),
  })
  const main = html`<h1>Confirm that it is you</h1>
<p>This action shows or changes a secret. Your confirmation is valid for ten minutes.</p>
${form(visit, path, html`${carriedField(carried)}${input}`, { submit: 'Continue' })}
${visit.member.hasPasskeys && hasDomain(visit) ? passkeyForm(visit, carried) : nothing}`
  const content = { title: 'Confirm that it is you', main, problems: draft.problems }
  return pageResponse(
    memberPage(site.assets, { ...visit, formId: '' }, content),
    visit.requestId,
    problem === undefined ? 403 : 422,
  )
}

const atPassword = (message: string): FieldProblem => ({ field: 'password', message })

const ofForm = (message: string): FieldProblem => ({ field: undefined, message })

/** The script shows this form in browsers that support passkeys. */
function passkeyForm(visit: Omit<Visit, 'formId'>, carried: CarriedForm | undefined): Markup {
  return html`<form method="post" action="${root}${passkeyPath}" class="form" data-passkey="confirm" hidden>
${ownFields(visit)}${carriedField(carried)}<input type="hidden" name="credential"><input type="hidden" name="challenge"><p class="problem" role="alert" data-problem hidden></p><button type="button">Use a passkey instead</button></form>`
}

/** A text of six digits is a TOTP code, because passwords are longer. */
const codeForm = /^\d{6}$/

/**
 * Authenticates the member with a text, which is a password, a TOTP code or a backup code. If the member uses TOTP
 * codes, a text with the hyphens of a backup code is checked as a backup code. A backup code without hyphens may also
 * be a password, so it is checked as a password first.
 */
async function prove(site: Site, signedIn: SignedIn, entered: string): Promise<ReauthenticateOutcome> {
  const context = membersContextOf(site.dashboard)
  const { hasTotp } = signedIn.session
  const text = entered.replaceAll(/\s/g, '')
  const withCode = () => reauthenticate(context, signedIn, { code: text })
  if (codeForm.test(text) || (hasTotp && isBackupCode(text))) return withCode()
  const byPassword = await reauthenticate(context, signedIn, { password: entered })
  if (byPassword.is !== 'wrong_password' || !hasTotp || backupCodeHash(text) === undefined) return byPassword
  const byCode = await withCode()
  return byCode.is === 'wrong_code' ? byPassword : byCode
}

export async function submitConfirm(site: Site, visitor: Visitor): Promise<Response> {
  const opened = await openConfirm(site, visitor)
  if (opened === undefined) return redirect(`${root}/sign-in`, visitor.requestId)
  const { sent, signedIn, visit, carried } = opened
  const outcome = await prove(site, signedIn, sent.get('password') ?? '')
  switch (outcome.is) {
    case 'reauthenticated':
      return resume(site, visit, carried)
    case 'wrong_password':
      return showConfirm(site, visit, carried, atPassword('The password is wrong.'))
    case 'wrong_code':
      return showConfirm(
        site,
        visit,
        carried,
        atPassword('The code is wrong, or was used before. Wait for the next code.'),
      )
    case 'session_ended':
      return redirect(`${root}/sign-in`, visitor.requestId)
    case 'backed_off':
    case 'busy':
      return showConfirm(site, visit, carried, atPassword(delayOf(outcome)))
  }
}

export async function confirmPasskeyOptions(site: Site, visitor: Visitor): Promise<Response> {
  const { requestId } = visitor
  const opened = await openConfirm(site, visitor)
  if (opened === undefined) return jsonResponse({ message: 'The session has ended. Sign in again.' }, requestId, 409)
  const started = await beginPasskeyReauthentication(membersContextOf(site.dashboard), opened.signedIn, visitor)
  if (started.is === 'started')
    return jsonResponse({ options: started.options, challenge: started.challengeId }, requestId)
  return jsonResponse({ message: 'Too many confirmations were started. Try again in five minutes.' }, requestId, 409)
}

export async function submitConfirmPasskey(site: Site, visitor: Visitor): Promise<Response> {
  const opened = await openConfirm(site, visitor)
  if (opened === undefined) return redirect(`${root}/sign-in`, visitor.requestId)
  const { sent, signedIn, visit, carried } = opened
  const outcome = await reauthenticateWithPasskey(membersContextOf(site.dashboard), signedIn, {
    challengeId: sent.get('challenge') ?? '',
    response: parsed(sent.get('credential')),
    site: visitor,
  })
  switch (outcome.is) {
    case 'reauthenticated':
      return resume(site, visit, carried)
    case 'expired':
      return showConfirm(site, visit, carried, ofForm('The request for the passkey has expired. Try again.'))
    case 'invalid':
      return showConfirm(site, visit, carried, ofForm('The passkey is not registered for you. Use another passkey.'))
    case 'session_ended':
      return redirect(`${root}/sign-in`, visitor.requestId)
  }
}

/**
 * Returns the session, the submitted form and the member for the page that asks for a password, code or passkey again.
 * Undefined if the session has ended.
 */
async function openConfirm(site: Site, visitor: Visitor) {
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'open') return undefined
  const sent = await readOwnForm(visitor, found.cookie)
  return {
    sent,
    carried: carriedOf(sent),
    signedIn: { session: found.session, source: visitor.source },
    visit: { ...visitOf(site.dashboard, site.operations, visitor, found), formId: '' },
  }
}

/**
 * After the member has confirmed their identity, shows the form of the interrupted action with the values that the
 * member entered. The member must submit this form again.
 */
function resume(site: Site, visit: Visit, carried: CarriedForm | undefined): Promise<Response> | Response {
  const matched = carried && site.routes.findAction(carried.path)
  if (carried === undefined || matched === undefined || !may(visit, matched.route.permission)) {
    return redirect(root, visit.requestId)
  }
  const problem = otherTenantProblem(visit, carried.tenant)
  const draft = { values: carried.values, problems: problem === undefined ? [] : [problem] }
  return showDraft(site, visit, matched, draft, 'Your identity is confirmed. Submit the form again.')
}
