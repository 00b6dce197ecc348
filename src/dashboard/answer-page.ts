import { Refusal } from '../operations/execute/refusal.ts'
import type { Content } from './kit/content.ts'
import { memberPage } from './kit/layout.ts'
import { visitOf } from './kit/member-visit.ts'
import { inOtherMode, otherModePage } from './kit/mode-switch.ts'
import { findOpenSession } from './kit/open-session.ts'
import { PageError } from './kit/page-error.ts'
import { withQuery } from './kit/parts.ts'
import { fileResponse, pageResponse, redirect } from './kit/respond.ts'
import { root } from './kit/root.ts'
import type { Page, Route } from './kit/route.ts'
import type { Match } from './kit/routing.ts'
import type { Site } from './kit/site.ts'
import { may, type Visit } from './kit/visit.ts'
import type { Visitor } from './kit/visitor.ts'
import { nextStepOf } from './sign-in/next-step.ts'

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
  const action = site.routes.findAction(path)?.route
  if (action !== undefined && (matched === undefined || isNarrower(action, matched.route)))
    return redirect(pageAbove(site, path, action), requestId)
  if (matched === undefined) throw new PageError(404, 'This page does not exist.')
  requirePermission(visit, matched.route)
  let content: Content
  try {
    content = await matched.route.show(visit, matched.params)
  } catch (error) {
    const other = { ...visitOf(site.dashboard, site.operations, visitor, inOtherMode(found)), formId: '' }
    if (!isNotFound(error) || !(await isShown(matched, other))) throw error
    return pageResponse(memberPage(site.assets, visit, otherModePage(visit)), requestId, notFound)
  }
  const notice = site.routes.findDone(visit.query.done)
  return pageResponse(memberPage(site.assets, visit, content, notice), requestId)
}

/**
 * Reports whether the path of a route has fewer placeholders than the path of another route: `/orders/export` is
 * narrower than `/orders/{id}`.
 */
function isNarrower(route: Route, than: Route): boolean {
  return route.path.split('{').length < than.path.split('{').length
}

/**
 * Returns the path of the nearest page above an action that has no page of its own: for adding a comment to an order,
 * the page of the order. If a member returns to the response of the action with Back or Forward, the script makes the
 * browser request the action's path with GET. This request is redirected to the returned path.
 */
function pageAbove({ routes }: Site, path: string, action: Route): string {
  const [declared, given] = [action.path.split('/'), path.slice(root.length).split('/')]
  for (let length = declared.length - 1; length > 1; length--) {
    const above = `${root}${given.slice(0, length).join('/')}`
    if (routes.findPage(above)?.route.path === declared.slice(0, length).join('/')) return above
  }
  return root
}

const notFound = 404

function isNotFound(error: unknown): boolean {
  return (error instanceof PageError || error instanceof Refusal) && error.status === notFound
}

/**
 * Reports whether the requested page exists for the member in the current mode (live or test). Only a path with an id
 * can belong to a record of the other mode.
 */
async function isShown({ route, params }: Match<Page>, visit: Visit): Promise<boolean> {
  if (Object.keys(params).length === 0) return false
  try {
    await route.show(visit, params)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

export function requirePermission(visit: Pick<Visit, 'permissions' | 'member'>, { permission }: Route): void {
  if (may(visit, permission)) return
  const { role } = visit.member.selected
  throw new PageError(403, `Your role, ${role}, lacks the permission ${permission}. An owner can change your role.`)
}
