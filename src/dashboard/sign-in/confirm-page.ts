import { reauthenticate } from '../../access/members/reauthenticate.ts'
import type { Draft } from '../kit/draft.ts'
import { form, textField } from '../kit/form.ts'
import { memberPage } from '../kit/layout.ts'
import { html } from '../kit/markup.ts'
import { visitOf } from '../kit/member-visit.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { findOpenSession } from '../kit/open-session.ts'
import { otherTenantProblem } from '../kit/other-tenant.ts'
import { root } from '../kit/parts.ts'
import { pageResponse, redirect } from '../kit/respond.ts'
import { showDraft } from '../kit/show-draft.ts'
import type { Site } from '../kit/site.ts'
import { may, type Visit } from '../kit/visit.ts'
import { readOwnForm, type Visitor } from '../kit/visitor.ts'
import { type CarriedForm, carriedField, carriedOf, withoutSecrets } from './carried.ts'
import { delayOf } from './delay.ts'

/** The page that asks for the password or a code before an action that shows or changes secrets. */

const path = '/sign-in/confirm'

export function confirmPage(site: Site, visit: Visit, carried: CarriedForm): Promise<Response> {
  return showConfirm(site, visit, { ...carried, values: withoutSecrets(carried.values) })
}

function showConfirm(
  site: Site,
  visit: Omit<Visit, 'formId'>,
  carried: CarriedForm | undefined,
  problem?: string,
): Promise<Response> {
  const draft: Draft = { values: {}, problems: problem === undefined ? [] : [{ field: 'password', message: problem }] }
  const { hasPassword, hasTotp } = visit.member
  const label = hasPassword ? 'Password' : 'Code'
  const hint = hasTotp && hasPassword ? 'Or the code that your authenticator app shows now.' : undefined
  const input = textField(draft, {
    ...{ name: 'password', label, type: 'password', autocomplete: 'current-password', isRequired: true },
    ...(hint === undefined ? {} : { hint }),
  })
  const main = html`<h1>Confirm that it is you</h1>
<p>This action shows or changes a secret. Your confirmation is valid for ten minutes.</p>
${form(visit, path, html`${carriedField(carried)}${input}`, { draft, submit: 'Continue' })}`
  const content = { title: 'Confirm that it is you', main }
  return pageResponse(
    memberPage(site.assets, { ...visit, formId: '' }, content),
    visit.requestId,
    problem === undefined ? 403 : 422,
  )
}

/** Six digits are a code; passwords are longer. */
const codeForm = /^\d{6}$/

export async function submitConfirm(site: Site, visitor: Visitor): Promise<Response> {
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'open') return redirect(`${root}/sign-in`, visitor.requestId)
  const sent = await readOwnForm(visitor, found.cookie)
  const carried = carriedOf(sent)
  const entered = sent.get('password') ?? ''
  const proof = codeForm.test(entered.trim()) ? { code: entered.trim() } : { password: entered }
  const signedIn = { session: found.session, source: visitor.source }
  const outcome = await reauthenticate(membersContextOf(site.dashboard), signedIn, proof)
  const visit = { ...visitOf(site.dashboard, site.operations, visitor, found), formId: '' }
  switch (outcome.is) {
    case 'reauthenticated':
      return resume(site, visit, carried)
    case 'wrong_password':
      return showConfirm(site, visit, carried, 'The password is wrong.')
    case 'wrong_code':
      return showConfirm(site, visit, carried, 'The code is wrong, or was used before. Wait for the next one.')
    case 'session_ended':
      return redirect(`${root}/sign-in`, visitor.requestId)
    case 'backed_off':
    case 'busy':
      return showConfirm(site, visit, carried, delayOf(outcome))
  }
}

/** Shows the form of the action again, filled in. The member submits it. */
function resume(site: Site, visit: Visit, carried: CarriedForm | undefined): Promise<Response> | Response {
  const matched = carried && site.routes.findAction(carried.path)
  if (carried === undefined || matched === undefined || !may(visit, matched.route.permission)) {
    return redirect(root, visit.requestId)
  }
  const confirmed = { field: undefined, message: 'You are confirmed. Submit the form again.' }
  const problem = otherTenantProblem(visit, carried.tenant) ?? confirmed
  return showDraft(site, visit, matched, { values: carried.values, problems: [problem] })
}
