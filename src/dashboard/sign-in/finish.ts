import { MerchantId } from '../../../registry/values/vocabulary.ts'
import { selectMerchant } from '../../access/members/sessions.ts'
import type { Granted } from '../../access/members/start-session.ts'
import { hashToken } from '../../access/token-format.ts'
import { toTimestamp } from '../../base/clock.ts'
import { findSession, type SessionRecord } from '../../store/access/sessions.ts'
import { visitOf } from '../kit/member-visit.ts'
import { otherTenantProblem } from '../kit/other-tenant.ts'
import { redirect } from '../kit/respond.ts'
import { showDraft } from '../kit/show-draft.ts'
import type { Site } from '../kit/site.ts'
import { type Dashboard, may } from '../kit/visit.ts'
import { storeTokens, type Visitor } from '../kit/visitor.ts'
import type { After } from './after.ts'
import type { CarriedForm } from './carried.ts'

export async function finishSignIn(site: Site, visitor: Visitor, granted: Granted, after: After): Promise<Response> {
  storeTokens(visitor, granted)
  const { carried, next } = after
  const restored = carried && (await restore(site, visitor, granted.sessionToken, carried))
  return restored ?? redirect(next, visitor.requestId)
}

const restoredMessage = 'Your sign-in had expired. Check the form and submit it again.'

/**
 * Shows once more a form that a member submitted after the session had expired. The form has the entered values, and
 * belongs to the merchant for which it was rendered. Undefined if the member may not submit the form, or if the form
 * does not exist.
 */
async function restore(
  site: Site,
  visitor: Visitor,
  cookie: string,
  { path, tenant, values }: CarriedForm,
): Promise<Response | undefined> {
  const { dashboard, operations, routes } = site
  const session = await findNewSession(dashboard, cookie, tenant)
  const matched = routes.findAction(path)
  if (session?.stage !== 'complete' || session.selected === null || matched === undefined) return undefined
  const { selected } = session
  const visit = {
    ...visitOf(dashboard, operations, visitor, { session: { ...session, selected }, cookie }),
    formId: '',
  }
  if (!may(visit, matched.route.permission)) return undefined
  const problem = otherTenantProblem(visit, tenant)
  const draft = { values, problems: problem === undefined ? [] : [problem] }
  return showDraft(site, visit, matched, draft, restoredMessage)
}

/**
 * Returns the session that was just started. Selects the merchant `tenant` of the restored form, if the user is still a
 * member of this merchant.
 */
async function findNewSession(
  { service, vault }: Dashboard,
  cookie: string,
  tenant: string | null,
): Promise<SessionRecord | undefined> {
  const { context } = service
  const key = { tokenHash: hashToken(cookie), now: toTimestamp(context.clock.nowMs()) }
  const session = await findSession(context.database, key)
  const id = MerchantId.safeParse(tenant)
  if (session === undefined || !id.success || session.selected?.merchantId === id.data) return session
  const selection = await selectMerchant({ ...context, vault }, session, id.data)
  return selection.is === 'selected' ? findSession(context.database, key) : session
}
