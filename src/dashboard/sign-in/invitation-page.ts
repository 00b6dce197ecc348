import { roles } from '../../../registry/values/roles.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  type ClosedInvitation,
  findInvitation,
  type OpenInvitation,
} from '../../access/members/accept-invitation.ts'
import { selectMerchant } from '../../access/members/sessions.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { time } from '../../markup/parts.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { line } from '../kit/fields.ts'
import { form, textField } from '../kit/form.ts'
import { plainPage } from '../kit/layout.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { type FoundSession, findOpenSession } from '../kit/open-session.ts'
import { withQuery } from '../kit/parts.ts'
import { pageResponse, redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, requirePrivateConnection, type Visitor, visitorForms } from '../kit/visitor.ts'
import { delayOf } from './delay.ts'
import { finishSignIn } from './finish.ts'
import { newPasswordField, weaknessOf } from './new-password.ts'

/** The page of an invitation. A new person creates an account; a person who is signed in accepts with one click. */

const nameMaxLength = 80

export async function invitationPage(site: Site, visitor: Visitor, token: string): Promise<Response> {
  requirePrivateConnection(visitor)
  const invitation = await findInvitation(site.dashboard.service.context, token)
  if (invitation.is !== 'open') return showClosed(site, visitor, invitation)
  const found = await findOpenSession(site.dashboard, visitor)
  return showInvitation(site, visitor, { invitation, token, found, draft: newDraft({ name: invitation.name ?? '' }) })
}

interface Shown {
  readonly invitation: OpenInvitation
  readonly token: string
  readonly found: FoundSession
  readonly draft: Draft
}

function showInvitation(site: Site, visitor: Visitor, shown: Shown, status = 200): Promise<Response> {
  const { invitation, found } = shown
  const main = html`<h1>Join ${invitation.merchantName}</h1>
<p>${invitation.merchantName} invites you to its dashboard with the role <strong>${invitation.role}</strong>: ${roles[invitation.role]}</p>
<p>The invitation is valid until ${time(invitation.expiresAt)}.</p>
${isSignedIn(found) ? acceptForm(visitor, shown, found.session.email) : accountForm(visitor, shown)}`
  return pageResponse(
    plainPage(site.assets, { title: 'Invitation', main, problems: shown.draft.problems }),
    visitor.requestId,
    status,
  )
}

/** A signed-in user without a merchant can accept an invitation too. */
function isSignedIn(found: FoundSession): found is Exclude<FoundSession, { is: 'none' }> {
  return found.is !== 'none' && found.session.stage === 'complete'
}

function pathOf(token: string): string {
  return `/invitations/${encodeURIComponent(token)}`
}

function acceptForm(visitor: Visitor, { token }: Shown, email: string): Markup {
  return html`<p>You are signed in as ${email}.</p>
${form(visitorForms(visitor), pathOf(token), nothing, { submit: 'Accept the invitation' })}`
}

function accountForm(visitor: Visitor, { invitation, token, draft }: Shown): Markup {
  const signIn = html`<a href="${withQuery(`${root}/sign-in`, { next: `${root}${pathOf(token)}` })}">Sign in</a>`
  if (invitation.hasUser) return html`<p>${invitation.email} has an account. ${signIn} to accept the invitation.</p>`
  const fields = html`${textField(draft, { name: 'name', label: 'Your name', autocomplete: 'name', isRequired: true })}
${newPasswordField(draft)}`
  return html`<p>Create an account for ${invitation.email}, or ${signIn} with another account.</p>
${form(visitorForms(visitor), pathOf(token), fields, { submit: 'Create account and accept' })}`
}

export async function submitInvitation(site: Site, visitor: Visitor, token: string): Promise<Response> {
  requirePrivateConnection(visitor)
  const sent = await readOwnForm(visitor, visitor.readCookie('visitor'))
  const found = await findOpenSession(site.dashboard, visitor)
  return isSignedIn(found) ? accept(site, visitor, found, token) : createAccount(site, visitor, sent, token)
}

async function accept(
  site: Site,
  visitor: Visitor,
  { session }: Exclude<FoundSession, { is: 'none' }>,
  token: string,
): Promise<Response> {
  const context = membersContextOf(site.dashboard)
  const outcome = await acceptInvitation(context, { session, source: visitor.source }, token)
  switch (outcome.is) {
    case 'accepted':
      await selectAccepted(site, visitor, outcome.merchantId)
      return redirect(root, visitor.requestId)
    case 'already_member':
      return redirect(root, visitor.requestId)
    case 'session_ended':
      return redirect(`${root}/sign-in`, visitor.requestId)
    default:
      return showClosed(site, visitor, outcome)
  }
}

/** The session is read again, because the user's merchants have changed. */
async function selectAccepted(site: Site, visitor: Visitor, merchantId: MerchantId): Promise<void> {
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'none') await selectMerchant(membersContextOf(site.dashboard), found.session, merchantId)
}

async function createAccount(site: Site, visitor: Visitor, sent: URLSearchParams, token: string): Promise<Response> {
  const context = membersContextOf(site.dashboard)
  const name = line(nameMaxLength).safeParse(sent.get('name') ?? '')
  const refuse = async (field: string, message: string, status = 422): Promise<Response> => {
    const invitation = await findInvitation(context, token)
    if (invitation.is !== 'open') return showClosed(site, visitor, invitation)
    const draft = { values: { name: [sent.get('name') ?? ''] }, problems: [{ field, message }] }
    return showInvitation(site, visitor, { invitation, token, found: { is: 'none' }, draft }, status)
  }
  if (!name.success) return refuse('name', `Enter your name, with at most ${nameMaxLength} characters.`)
  const account = { token, name: name.data, password: sent.get('newPassword') ?? '', source: visitor.source }
  const outcome = await acceptInvitationAsNewUser(context, account)
  switch (outcome.is) {
    case 'accepted':
      return finishSignIn(site, visitor, outcome, { next: root, carried: undefined })
    case 'sign_in_required':
      return redirect(withQuery(`${root}/sign-in`, { next: `${root}${pathOf(token)}` }), visitor.requestId)
    case 'weak_password':
      return refuse('newPassword', weaknessOf(outcome.problem))
    case 'busy':
      return refuse('newPassword', delayOf(outcome), 429)
    default:
      return showClosed(site, visitor, outcome)
  }
}

function showClosed(site: Site, visitor: Visitor, invitation: ClosedInvitation): Promise<Response> {
  const main = html`<h1>This invitation cannot be accepted</h1><p>${reasonOf(invitation)}</p>
<p>Ask an owner of the shop for a new invitation.</p><p><a href="${root}">Go to the start page</a></p>`
  const content = { title: 'This invitation cannot be accepted', main }
  return pageResponse(plainPage(site.assets, content), visitor.requestId, 410)
}

function reasonOf(invitation: ClosedInvitation): Markup | string {
  switch (invitation.is) {
    case 'unknown':
      return 'The link is unknown or incomplete. Copy the whole link.'
    case 'accepted_before':
      return html`The invitation was accepted at ${time(invitation.acceptedAt)}. Each invitation can be accepted only once.`
    case 'revoked':
      return 'The invitation was revoked.'
    case 'expired':
      return html`The invitation expired at ${time(invitation.expiresAt)}.`
  }
}
