import { memberPage } from './kit/layout.ts'
import { visitOf } from './kit/member-visit.ts'
import { findOpenSession } from './kit/open-session.ts'
import { PageError } from './kit/page-error.ts'
import { withQuery } from './kit/parts.ts'
import { fileResponse, pageResponse, redirect } from './kit/respond.ts'
import type { Route } from './kit/route.ts'
import type { Site } from './kit/site.ts'
import { may, type Visit } from './kit/visit.ts'
import type { Visitor } from './kit/visitor.ts'
import { nextStepOf } from './sign-in/next-step.ts'

/** Answers a GET request for a page or a file of the dashboard. */
export async function answerPage(site: Site, visitor: Visitor): Promise<Response> {
  const { requestId } = visitor
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is !== 'open') return redirect(withQuery(nextStepOf(found), { next: visitor.url }), requestId)
  const [path = ''] = visitor.url.split('?')
  const file = site.routes.findDownload(path)
  const matched = site.routes.findPage(path)
  const visit = { ...visitOf(site.dashboard, site.operations, visitor, found), formId: '' }
  if (file !== undefined) {
    requirePermission(visit, file.route)
    const opened = await file.route.open(visit)
    return fileResponse({ ...opened, parts: visitor.browser.superviseStream(opened.parts) }, requestId)
  }
  if (matched === undefined) throw new PageError(404, 'This page does not exist.')
  requirePermission(visit, matched.route)
  const content = await matched.route.show(visit, matched.params)
  const notice = site.routes.findDone(visit.query.done)
  return pageResponse(memberPage(site.assets, visit, content, notice), requestId)
}

export function requirePermission(visit: Pick<Visit, 'permissions' | 'member'>, { permission }: Route): void {
  if (may(visit, permission)) return
  const { role } = visit.member.selected
  throw new PageError(403, `Your role, ${role}, lacks the permission ${permission}. An owner can change your role.`)
}
