import { findSignInLink, type SpentLink, useSignInLink } from '../../access/members/sign-in-link.ts'
import { html, nothing } from '../../markup/markup.ts'
import { time } from '../../markup/parts.ts'
import { form } from '../kit/form.ts'
import { plainPage } from '../kit/layout.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { pageResponse, redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, requirePrivateConnection, type Visitor, visitorForms } from '../kit/visitor.ts'

/**
 * The page of a one-time link for the first sign-in or account recovery. Opening the page does not use up the link:
 * programs that preview links open it too.
 */

export async function linkPage(site: Site, visitor: Visitor, token: string): Promise<Response> {
  requirePrivateConnection(visitor)
  const state = await findSignInLink(site.dashboard.service.context, token)
  if (state.is !== 'open') return showSpent(site, visitor, state)
  const main = html`<h1>Sign in</h1><p>The link signs you in once.</p>
${form(visitorForms(visitor), `/sign-in/link/${encodeURIComponent(token)}`, nothing, { submit: 'Sign in' })}`
  return pageResponse(plainPage(site.assets, { title: 'Sign in', main }), visitor.requestId)
}

export async function submitLink(site: Site, visitor: Visitor, token: string): Promise<Response> {
  requirePrivateConnection(visitor)
  await readOwnForm(visitor, visitor.readCookie('visitor'))
  const outcome = await useSignInLink(membersContextOf(site.dashboard), { token, source: visitor.source })
  if (outcome.is !== 'setup_required') return showSpent(site, visitor, outcome)
  visitor.writeCookie('session', outcome.sessionToken)
  return redirect(`${root}/sign-in/setup`, visitor.requestId)
}

function showSpent(site: Site, visitor: Visitor, link: SpentLink): Promise<Response> {
  const main = html`<h1>This link cannot be used</h1><p>${reasonOf(link)}</p>
<p>For a new link, ask an owner of your shop. <a href="${root}/sign-in">Sign in</a> if you know your password.</p>
<p class="hint">The only owner of a shop asks the operator of the service, who creates a link with this command and the id of the merchant:</p>
<pre class="command" tabindex="0"><code>npm run -s commerce -- member recover --merchant mer_… --member E-MAIL</code></pre>`
  return pageResponse(plainPage(site.assets, { title: 'This link cannot be used', main }), visitor.requestId, 410)
}

function reasonOf(link: SpentLink) {
  switch (link.is) {
    case 'unknown':
      return 'This sign-in link is unknown or incomplete. Copy the whole link from the message that you got, and open it again.'
    case 'used':
      return html`The link was used at ${time(link.usedAt)}. Each link can be used only once.`
    case 'expired':
      return html`The link expired at ${time(link.expiresAt)}.`
  }
}
