import { MerchantId } from '../../../registry/values/vocabulary.ts'
import { selectMerchant, signOut } from '../../access/members/sessions.ts'
import { html, nothing } from '../../markup/markup.ts'
import { form } from '../kit/form.ts'
import { plainPage } from '../kit/layout.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { findOpenSession } from '../kit/open-session.ts'
import { PageError } from '../kit/page-error.ts'
import { ownPath, pageResponse, redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, requireOwnOrigin, type Visitor, visitorForms } from '../kit/visitor.ts'

/**
 * The forms in the page header: sign-out and the choice of a merchant. They belong to a session and not to a merchant.
 */

export async function submitSignOut(site: Site, visitor: Visitor): Promise<Response> {
  // The origin is checked first: a request from another site has no session cookie, but its response would still delete
  // the cookie.
  requireOwnOrigin(visitor)
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'none') {
    await readOwnForm(visitor, found.is === 'open' ? found.cookie : visitor.readCookie('visitor'))
    await signOut(membersContextOf(site.dashboard), { session: found.session, source: visitor.source })
  }
  visitor.writeCookie('session', '')
  const response = redirect(`${root}/sign-in`, visitor.requestId)
  // When a member signs out, the browser deletes the stored responses to forms, so that the Back button shows none of
  // them to the next person.
  response.headers.set('Clear-Site-Data', '"cache"')
  return response
}

export async function submitMerchant(site: Site, visitor: Visitor): Promise<Response> {
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'open') return redirect(`${root}/sign-in`, visitor.requestId)
  const sent = await readOwnForm(visitor, found.cookie)
  const id = MerchantId.safeParse(sent.get('merchant'))
  const outcome = id.success
    ? await selectMerchant(membersContextOf(site.dashboard), found.session, id.data)
    : { is: 'unknown' as const }
  if (outcome.is === 'unknown') throw new PageError(404, 'You are not a member of this shop.')
  const record = sent.get('record')
  return redirect(record === null ? listOf(ownPath(sent.get('next'))) : ownPath(record), visitor.requestId)
}

/**
 * Returns the path of the list to which a record's page belongs. After a member has switched to another merchant, this
 * list is opened instead of the page, because the other merchant does not have the record.
 */
function listOf(path: string): string {
  const [page = ''] = path.split('?')
  return page.split('/').slice(0, 3).join('/')
}

export function noMerchantPage(site: Site, visitor: Visitor): Promise<Response> {
  const owner = visitorForms(visitor)
  const main = html`<h1>No shop</h1><p>You are not a member of any shop. Ask the owner of a shop for an invitation.</p>
${form(owner, '/sign-out', nothing, { submit: 'Sign out' })}`
  return pageResponse(plainPage(site.assets, { title: 'No shop', main }), visitor.requestId)
}
