import { rolePermissions } from '../../../registry/values/roles.ts'
import { isScope } from '../../../registry/values/scopes.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Operation } from '../../operations/execute/operation.ts'
import type { SessionRecord } from '../../store/access/sessions.ts'
import { createCall } from './call.ts'
import { csrfTokenOf } from './csrf.ts'
import type { Dashboard, Visit } from './visit.ts'
import type { Visitor } from './visitor.ts'

/** A session that may use the pages: sign-in is complete, and a merchant is selected. */
export interface OpenSession {
  readonly session: SessionRecord & { readonly selected: NonNullable<SessionRecord['selected']> }
  readonly cookie: string
}

/**
 * Returns the context in which a page handles a member's request: the merchant, the actor and functions such as those
 * that call the API.
 */
export function visitOf(
  dashboard: Dashboard,
  operations: ReadonlyMap<string, Operation>,
  visitor: Visitor,
  { session, cookie }: OpenSession,
): Omit<Visit, 'formId'> {
  const { service } = dashboard
  const { selected } = session
  const { requestId, sourceIp, userAgent, browser } = visitor
  const permissions = rolePermissions[selected.role]
  const { merchantId, mode } = selected
  const by = { type: 'member' as const, id: selected.memberId, label: session.userName, sessionId: session.id }
  const scopes = [...permissions].filter(isScope)
  const caller = { merchantId, mode, by, scopes, sourceIp, rateLimits: null, recordsBodies: false }
  const nowMs = service.context.clock.nowMs()
  return {
    ...dashboard,
    context: service.context,
    member: session,
    permissions,
    tenant: { merchantId, mode },
    actor: { ...by, sourceIp, requestId, userAgent },
    now: toTimestamp(nowMs),
    nowMs,
    query: visitor.query,
    chosenIds: visitor.chosenIds,
    deviceToken: visitor.readCookie('device') ?? null,
    url: visitor.url,
    origin: visitor.origin,
    requestId,
    isHead: browser.isHead,
    onDisconnect: browser.onDisconnect,
    hiddenFields: () => ({ csrf: csrfTokenOf(cookie), formId: newId('frm', nowMs), tenantId: merchantId }),
    call: createCall(service, operations, { caller, requestId, browser }),
  }
}
