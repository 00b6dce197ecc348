import type { Granted } from '../../access/members/start-session.ts'
import { hashToken } from '../../access/token-format.ts'
import { toTimestamp } from '../../base/clock.ts'
import { findSession } from '../../store/access/sessions.ts'
import { visitOf } from '../kit/member-visit.ts'
import { redirect } from '../kit/respond.ts'
import { showDraft } from '../kit/show-draft.ts'
import type { Site } from '../kit/site.ts'
import { may } from '../kit/visit.ts'
import { storeTokens, type Visitor } from '../kit/visitor.ts'
import type { After } from './after.ts'
import type { CarriedForm } from './carried.ts'

/** Sets the cookies of a new session, then restores the form or opens the page that the member wanted. */
export async function finishSignIn(site: Site, visitor: Visitor, granted: Granted, after: After): Promise<Response> {
  storeTokens(visitor, granted)
  const { carried, next } = after
  const restored = carried && (await restore(site, visitor, granted.sessionToken, carried))
  return restored ?? redirect(next, visitor.requestId)
}

const restoredMessage = 'Your sign-in had expired. Check the form and submit it again.'

/** Shows a carried form again. Undefined if the member may not submit it, or if there is no such form. */
async function restore(
  { dashboard, operations, routes, assets }: Site,
  visitor: Visitor,
  cookie: string,
  { path, values }: CarriedForm,
): Promise<Response | undefined> {
  const { database, clock } = dashboard.service.context
  const key = { tokenHash: hashToken(cookie), now: toTimestamp(clock.nowMs()) }
  const session = await findSession(database, key)
  const matched = routes.findAction(path)
  if (session?.stage !== 'complete' || session.selected === null || matched === undefined) return undefined
  const { selected } = session
  const visit = {
    ...visitOf(dashboard, operations, visitor, { session: { ...session, selected }, cookie }),
    formId: '',
  }
  if (!may(visit, matched.route.permission)) return undefined
  const problems = [{ field: undefined, message: restoredMessage }]
  return showDraft({ dashboard, operations, routes, assets }, visit, matched, { values, problems })
}
