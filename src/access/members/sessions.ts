import type { MerchantId, SessionId, UserId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import {
  type ListedSession,
  listSessions as listStored,
  revokeSessions,
  type SessionRecord,
  storeSelection,
} from '../../store/access/sessions.ts'
import { changeUser } from '../../store/access/user-change.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { Context } from '../../store/core/mutation.ts'
import type { MembersContext, SignedIn } from './context.ts'

/**
 * Sets the merchant whose data the dashboard shows in a session. Returns `unknown` if it is neither the live nor the
 * test-mode merchant of one of the user's memberships.
 */
export async function selectMerchant(
  context: MembersContext,
  session: SessionRecord,
  merchantId: MerchantId,
): Promise<{ readonly is: 'selected' } | { readonly is: 'unknown' }> {
  const isOwn = session.merchants.some(({ liveMerchantId, testMerchantId }) =>
    [liveMerchantId, testMerchantId].includes(merchantId),
  )
  if (!isOwn) return { is: 'unknown' }
  await storeSelection(context.database, { id: session.id, merchantId })
  return { is: 'selected' }
}

export function listSessions(context: Context, { userId }: SessionRecord): Promise<readonly ListedSession[]> {
  return listUserSessions(context, userId)
}

/** Returns the active sessions of a user, the last used one first. */
export function listUserSessions({ database, clock }: Context, userId: UserId): Promise<readonly ListedSession[]> {
  return listStored(database, { userId, now: toTimestamp(clock.nowMs()) })
}

export async function signOut(context: MembersContext, { session, source }: SignedIn): Promise<void> {
  const change = { userId: session.userId, action: 'user.sign_out' as const, source, sessionId: session.id }
  await changeUser(context, change, async ({ trx, now, abort }) => {
    const revoked = await revokeSessions(trx, { userId: session.userId, id: session.id, now })
    return revoked === 0 ? abort(revoked) : revoked
  })
}

export type RevokeSessionOutcome = { readonly is: 'revoked' } | { readonly is: 'unknown' }

export function revokeSession(
  context: MembersContext,
  { session, source }: SignedIn,
  id: SessionId,
): Promise<RevokeSessionOutcome> {
  const change = { userId: session.userId, action: 'user.session_revoke' as const, source, sessionId: session.id }
  return changeUser<RevokeSessionOutcome>(context, change, async ({ trx, now, note, abort }) => {
    if ((await revokeSessions(trx, { userId: session.userId, id, now })) === 0) return abort({ is: 'unknown' })
    note({ revokedSession: [null, id] })
    return { is: 'revoked' }
  })
}

export function revokeOtherSessions(
  context: MembersContext,
  { session, source }: SignedIn,
): Promise<{ readonly is: 'revoked'; readonly sessions: number }> {
  const { userId, id: except } = session
  const change = { userId, action: 'user.session_revoke' as const, source, sessionId: session.id }
  return changeUser(context, change, async ({ trx, now, note, abort }) => {
    const sessions = await revokeSessions(trx, { userId, except, now })
    note({ revokedSessions: [null, sessions] })
    const outcome = { is: 'revoked', sessions } as const
    return sessions === 0 ? abort(outcome) : outcome
  })
}

/** Revokes one session or all sessions of a user, for an operator. Returns the number of revoked sessions. */
export function revokeUserSessions(
  context: Context,
  actor: Actor,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: SessionId | undefined },
): Promise<number> {
  const source = { ip: null, requestId: null, userAgent: null }
  const change = { userId, action: 'user.session_revoke' as const, source, sessionId: null, actor }
  return changeUser(context, change, async ({ trx, now, note, abort }) => {
    const sessions = await revokeSessions(trx, { userId, ...(sessionId && { id: sessionId }), now })
    note({ revokedSessions: [null, sessions] })
    return sessions === 0 ? abort(sessions) : sessions
  })
}
