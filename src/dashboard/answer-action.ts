import { isRecentlyAuthenticated } from '../access/members/recent-authentication.ts'
import { claimForm, releaseForm } from '../access/members/submitted-forms.ts'
import { html } from '../markup/markup.ts'
import { Refusal } from '../operations/execute/refusal.ts'
import { requirePermission } from './answer-page.ts'
import { answerQuery } from './answer-query.ts'
import type { UploadedFile } from './kit/browser.ts'
import { type FormValues, formValuesOf, newDraft } from './kit/draft.ts'
import { memberPage } from './kit/layout.ts'
import { visitOf } from './kit/member-visit.ts'
import { findOpenSession } from './kit/open-session.ts'
import { otherTenantProblem } from './kit/other-tenant.ts'
import { PageError } from './kit/page-error.ts'
import { link, withQuery } from './kit/parts.ts'
import { showQuestion } from './kit/question.ts'
import { pageResponse, redirect, secretResponse } from './kit/respond.ts'
import { root } from './kit/root.ts'
import type { Acted, Action } from './kit/route.ts'
import { type Match, nameOf } from './kit/routing.ts'
import { showDraft } from './kit/show-draft.ts'
import type { Site } from './kit/site.ts'
import type { Visit } from './kit/visit.ts'
import { readOwnForm, readOwnUpload, requireOwnOrigin, storeTokens, type Visitor } from './kit/visitor.ts'
import { confirmPage } from './sign-in/confirm-page.ts'
import { expiredLargePage, expiredPage } from './sign-in/expired-page.ts'

/**
 * Answers a POST request of a dashboard form. Each rendered form has an id, which the request claims before the form's
 * action runs, so a form that is submitted twice has one effect. If the action changed nothing, the claim is released.
 */
export async function answerAction(site: Site, visitor: Visitor): Promise<Response> {
  const found = await findOpenSession(site.dashboard, visitor)
  const [path = ''] = visitor.url.split('?')
  const query = site.routes.findQuery(path)
  if (query !== undefined) return answerQuery(site, visitor, { found, route: query.route })
  const matched = site.routes.findAction(path)
  if (matched === undefined) throw new PageError(404, 'This page does not exist.')
  const { fileMaxBytes, formMaxBytes } = matched.route
  if (found.is !== 'open') {
    // The session in which the form was shown has ended, so the CSRF token of the form cannot be checked. Only the
    // origin of the request is checked. After the next sign-in, the form is shown again with the member's input, unless
    // its route accepts a file or has a size limit of its own.
    requireOwnOrigin(visitor)
    if (fileMaxBytes !== undefined) return expiredLargePage(site, visitor, { path, lost: 'choose the file' })
    if (formMaxBytes !== undefined) return expiredLargePage(site, visitor, { path, lost: 'fill in the form' })
    return expiredPage(site, visitor, path)
  }
  const own = visitOf(site.dashboard, site.operations, visitor, found)
  if (fileMaxBytes === undefined) {
    const form = await readOwnForm(visitor, found.cookie, formMaxBytes)
    return answerForm(site, visitor, { matched, own, path, form })
  }
  // The permission is checked before the upload is read, so that a member without it cannot make the process read a
  // file.
  requirePermission(own, matched.route)
  const response = await site.uploadSlots.run(own.tenant.merchantId, async () => {
    const upload = await readOwnUpload(visitor, found.cookie, fileMaxBytes)
    return answerForm(site, visitor, { matched, own, path, ...upload })
  })
  return response ?? uploadRefused(site, own, matched)
}

/** Shows the upload form again, because the process is already reading its maximum number of uploads. */
function uploadRefused(site: Site, own: Omit<Visit, 'formId'>, matched: Match<Action>): Promise<Response> {
  const message = 'Another file is being uploaded, so your file was not stored. Choose it again in a moment.'
  const draft = { ...newDraft(), problems: [{ field: undefined, message }] }
  return showDraft(site, { ...own, formId: '' }, matched, { ...draft, status: 503 })
}

interface PostedForm {
  readonly matched: Match<Action>
  readonly own: ReturnType<typeof visitOf>
  readonly path: string
  readonly form: URLSearchParams
  readonly file?: UploadedFile | undefined
}

async function answerForm(
  site: Site,
  visitor: Visitor,
  { matched, own, path, form, file }: PostedForm,
): Promise<Response> {
  const { isOfUser } = matched.route
  const visit: Visit = { ...own, formId: form.get('form') ?? '', file }
  requirePermission(visit, matched.route)
  if (visit.member.selected.suspendedAt !== null && !isOfUser)
    throw new Refusal('merchant_suspended', 'The account of the shop is suspended.')
  const values = formValuesOf(form)
  const otherTenant = isOfUser ? undefined : otherTenantProblem(visit, form.get('tenant'))
  if (otherTenant !== undefined) return showDraft(site, visit, matched, { values, problems: [otherTenant] })
  if (matched.route.needsRecentSignIn && !isRecentlyAuthenticated(visit.member, visit.nowMs))
    return confirmPage(site, visit, { path, tenant: visit.tenant.merchantId, values })
  const asked = form.get('confirmed') === 'yes' ? undefined : await matched.route.ask(visit, matched.params, values)
  if (asked !== undefined) {
    return 'is' in asked
      ? responseOf(site, visit, { matched, values, submitted: asked })
      : showQuestion(site, visit, matched, { path, values, question: asked })
  }
  const submitted = await submit(visit, matched, values)
  if (submitted.is === 'already_submitted') return alreadySubmitted(site, visit, matched.route)
  if (submitted.is === 'done' && submitted.granted !== undefined) storeTokens(visitor, submitted.granted)
  return responseOf(site, visit, { matched, values, submitted })
}

const formIdForm = /^frm_[0-9a-z]{26}$/

async function submit(
  visit: Visit,
  matched: Match<Action>,
  values: FormValues,
): Promise<Acted | { readonly is: 'already_submitted' }> {
  const { context, formId, member } = visit
  if (!formIdForm.test(formId)) throw new PageError(403, 'The form is incomplete. Open the page again.')
  const claim = { sessionId: member.id, formId }
  if ((await claimForm(context, claim)) === 'already_submitted') return { is: 'already_submitted' }
  let submitted: Acted
  try {
    submitted = await matched.route.submit(visit, matched.params, values)
  } catch (error) {
    // A `PageError` is thrown before the action changes anything, so the form can be submitted again.
    if (error instanceof PageError) await releaseForm(context, claim)
    // If the outcome of an action is unknown, a second submission of its form could repeat the effect, so the same form
    // cannot be submitted again.
    if (!(error instanceof Refusal) || error.more.isOutcomeUnknown === true) throw error
    submitted = { is: 'refused', message: error.message }
  }
  if (!hasChanged(submitted)) await releaseForm(context, claim)
  return submitted
}

function hasChanged(submitted: Acted): boolean {
  return ['done', 'revealed', 'reported'].includes(submitted.is) || (submitted.is === 'shown' && submitted.hasChanged)
}

interface Outcome {
  readonly matched: Match<Action>
  readonly values: FormValues
  readonly submitted: Acted
}

async function responseOf(site: Site, visit: Visit, { matched, values, submitted }: Outcome): Promise<Response> {
  const { requestId } = visit
  switch (submitted.is) {
    case 'done':
      return redirect(withQuery(`${root}${submitted.to}`, { done: nameOf(matched.route) }), requestId)
    case 'shown':
      return redirect(`${root}${submitted.to}`, requestId)
    case 'revealed':
      // The browser script stores only pages with a form id. This page shows a secret, so it is rendered without a form
      // id.
      return secretResponse(memberPage(site.assets, { ...visit, formId: '' }, submitted.content), requestId)
    case 'reported':
      return pageResponse(memberPage(site.assets, visit, submitted.content), requestId)
    case 'previewed': {
      const { content } = submitted
      const hasProblems = content.problems !== undefined && content.problems.length > 0
      return pageResponse(memberPage(site.assets, visit, content), requestId, hasProblems ? 422 : 200)
    }
    case 'refused': {
      const { field, message, isStale } = submitted
      const problem = { field, message, ...(isStale === true ? { current: currentPath(site, visit) } : {}) }
      return showDraft(site, visit, matched, { values, problems: [problem] })
    }
    case 'invalid':
      return showDraft(site, visit, matched, { values, problems: submitted.problems })
  }
}

/**
 * Returns the path of the page that shows the current state of the record that a form changes. This is the path of the
 * submitted form if a page has that path. Otherwise, it is the path of the form without its last segment.
 */
function currentPath({ routes }: Site, { url }: Visit): string {
  const [path = ''] = url.split('?')
  const shown = routes.findPage(path) === undefined ? path.slice(0, path.lastIndexOf('/')) : path
  return shown.slice(root.length)
}

function alreadySubmitted(site: Site, visit: Visit, { path }: Action): Promise<Response> {
  const [, list = ''] = path.split('/')
  const main = html`<h1>Already submitted</h1><p>This form was already submitted. The second submission changed nothing.</p>
<p>${link(`/${list}`, 'Open the list to see its result')}</p>`
  return pageResponse(memberPage(site.assets, visit, { title: 'Already submitted', main }), visit.requestId, 409)
}
