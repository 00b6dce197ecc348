import { requirePermission } from './answer-page.ts'
import { visitOf } from './kit/member-visit.ts'
import type { FoundSession } from './kit/open-session.ts'
import { jsonResponse } from './kit/respond.ts'
import type { ScriptQuery } from './kit/route.ts'
import type { Site } from './kit/site.ts'
import { readOwnForm, type Visitor } from './kit/visitor.ts'

interface Asked {
  readonly found: FoundSession
  readonly route: ScriptQuery
}

/**
 * Answers a request from the script of a dashboard page. If the request fails, the script shows the message in the
 * response.
 */
export async function answerQuery(site: Site, visitor: Visitor, { found, route }: Asked): Promise<Response> {
  const { requestId } = visitor
  if (found.is !== 'open')
    return jsonResponse({ message: 'Your sign-in has expired. Reload the page.' }, requestId, 401)
  await readOwnForm(visitor, found.cookie)
  const visit = { ...visitOf(site.dashboard, site.operations, visitor, found), formId: '' }
  requirePermission(visit, route)
  const answered = await route.answer(visit)
  return answered.is === 'data'
    ? jsonResponse(answered.data, requestId)
    : jsonResponse({ message: answered.message }, requestId, 409)
}
