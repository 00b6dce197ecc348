import type { Role } from '../../../registry/values/roles.ts'
import type { InvitationId, MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { newMemberId, newSessionId, newUserId } from '../../base/records.ts'
import {
  findInvitationByHash,
  type InvitationRecord,
  lockInvitation,
  markInvitationAccepted,
} from '../../store/access/invitations.ts'
import { insertMember, listMemberships } from '../../store/access/members.ts'
import { revokeSetupSessions } from '../../store/access/sessions.ts'
import { deleteUnusedLinks } from '../../store/access/sign-in-links.ts'
import { memberActor, type Source } from '../../store/access/user-change.ts'
import { findUserByEmail, insertUser, lockUser } from '../../store/access/users.ts'
import { type Context, mutate, type Work } from '../../store/core/mutation.ts'
import { hashToken } from '../token-format.ts'
import type { Busy, MembersContext, SignedIn } from './context.ts'
import { hashPassword, passwordProblemOf } from './password.ts'
import type { WeakPassword } from './set-password.ts'
import { busyRetryMs } from './sign-in-with-password.ts'
import { type Granted, rememberDevice, startSession } from './start-session.ts'

export type ClosedInvitation =
  | { readonly is: 'unknown' }
  | { readonly is: 'accepted_before'; readonly acceptedAt: Timestamp }
  | { readonly is: 'revoked' }
  | { readonly is: 'expired'; readonly expiresAt: Timestamp }

/** The fields of an invitation that the page behind its link shows. */
export interface OpenInvitation {
  readonly is: 'open'
  readonly id: InvitationId
  readonly merchantId: MerchantId
  readonly merchantName: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly expiresAt: Timestamp
  /** Whether a user already has the invited e-mail address. Only a signed-in user can accept such an invitation. */
  readonly hasUser: boolean
}

export async function findInvitation(context: Context, token: string): Promise<OpenInvitation | ClosedInvitation> {
  const found = await findInvitationByHash(context.database, { tokenHash: hashToken(token) })
  const closed = closedOf(found, context.clock.nowMs())
  if (found === undefined || closed !== undefined) return closed ?? { is: 'unknown' }
  const { id, merchantId, merchantName, email, name, role, expiresAt, userId } = found
  return { is: 'open', id, merchantId, merchantName, email, name, role, expiresAt, hasUser: userId !== null }
}

function closedOf(
  invitation: Pick<InvitationRecord, 'acceptedAt' | 'revokedAt' | 'expiresAt'> | undefined,
  nowMs: number,
): ClosedInvitation | undefined {
  if (invitation === undefined) return { is: 'unknown' }
  const { acceptedAt, revokedAt, expiresAt } = invitation
  if (acceptedAt !== null) return { is: 'accepted_before', acceptedAt }
  if (revokedAt !== null) return { is: 'revoked' }
  return nowMs >= toMs(expiresAt) ? { is: 'expired', expiresAt } : undefined
}

export type AcceptOutcome =
  | { readonly is: 'accepted'; readonly merchantId: MerchantId; readonly memberId: MemberId }
  | { readonly is: 'already_member' }
  | ClosedInvitation

/** Accepts an invitation as a signed-in user with any e-mail address: the link is the permission. */
export async function acceptInvitation(
  context: MembersContext,
  { session, source }: SignedIn,
  token: string,
): Promise<AcceptOutcome | { readonly is: 'session_ended' }> {
  if (session.stage !== 'complete') return { is: 'session_ended' }
  const found = await findInvitation(context, token)
  if (found.is !== 'open') return found
  const memberId = newMemberId(context.clock.nowMs())
  const actor = memberActor({ memberId, label: session.userName, sessionId: session.id }, source)
  const mutation = { ...mutationOf(found), actor }
  return mutate<AcceptOutcome>(context, mutation, async (work) => {
    const { trx, now, abort } = work
    const closed = await lockOpen(work, found)
    if (closed !== undefined) return abort(closed)
    const user = await lockUser(trx, session.userId)
    const memberships = await listMemberships(trx, { userId: user.id })
    if (memberships.some(({ merchantId }) => merchantId === found.merchantId)) return abort({ is: 'already_member' })
    // Another merchant may have issued a sign-in link for this user, and the link must not give access to the merchant
    // that the user joins. The user's unused links are therefore deleted, and sessions that started with a link are
    // revoked unless the user has since set a new password.
    deleteUnusedLinks(trx, { userId: user.id })
    revokeSetupSessions(trx, { userId: user.id, now })
    return accept(work, found, { memberId, userId: user.id })
  })
}

export interface NewAccount {
  readonly token: string
  readonly name: string
  readonly password: string
  readonly source: Source
}

export type CreateAccountOutcome =
  | ({ readonly is: 'accepted'; readonly merchantId: MerchantId; readonly memberId: MemberId } & Granted)
  /** A user already has the e-mail address and must sign in to accept the invitation. The account is not changed. */
  | { readonly is: 'sign_in_required' }
  | WeakPassword
  | ClosedInvitation
  | Busy

/** Accepts an invitation: creates an account for the e-mail address of the invitation, and signs the new user in. */
export async function acceptInvitationAsNewUser(
  context: MembersContext,
  { token, name, password, source }: NewAccount,
): Promise<CreateAccountOutcome> {
  const found = await findInvitation(context, token)
  if (found.is !== 'open') return found
  if (found.hasUser) return { is: 'sign_in_required' }
  const problem = passwordProblemOf(password, found.email)
  if (problem !== undefined) return { is: 'weak_password', problem }
  const passwordHash = await hashPassword(password)
  if (passwordHash === undefined) return { is: 'busy', retryAfterMs: busyRetryMs }
  const nowMs = context.clock.nowMs()
  const [memberId, userId, sessionId] = [newMemberId(nowMs), newUserId(nowMs), newSessionId(nowMs)]
  const actor = memberActor({ memberId, label: name, sessionId }, source)
  return mutate<CreateAccountOutcome>(context, { ...mutationOf(found), actor }, async (work) => {
    const { trx, now, abort } = work
    const closed = await lockOpen(work, found)
    if (closed !== undefined) return abort(closed)
    // If two invitations of one e-mail address are accepted at once, the second insert fails. The transaction then runs
    // again, and finds the user here.
    if ((await findUserByEmail(trx, { email: found.email })) !== undefined) return abort({ is: 'sign_in_required' })
    const { email } = found
    insertUser(trx, { id: userId, email, displayEmail: email, name, passwordHash, createdAt: now, updatedAt: now })
    const started = { ...work, user: { id: userId }, startedSession: () => undefined }
    const deviceToken = await rememberDevice(started, null)
    const sessionToken = startSession(started, { stage: 'complete', source, id: sessionId })
    return { ...accept(work, found, { memberId, userId }), sessionToken, deviceToken }
  })
}

function mutationOf({ merchantId }: OpenInvitation) {
  return {
    tenant: { merchantId, mode: 'live' },
    action: 'member.accept',
    resourceType: 'member',
    resourceId: (outcome: { readonly is: string; readonly memberId?: MemberId }) => outcome.memberId,
  } as const
}

/**
 * Locks an invitation. If several requests accept it at once, all except the first get the reason why the invitation is
 * closed.
 */
async function lockOpen({ trx, nowMs }: Work, invitation: OpenInvitation): Promise<ClosedInvitation | undefined> {
  return closedOf(await lockInvitation(trx, invitation), nowMs)
}

function accept(
  { trx, now, note }: Work,
  { id, merchantId, role }: OpenInvitation,
  { memberId, userId }: { readonly memberId: MemberId; readonly userId: Parameters<typeof insertMember>[1]['userId'] },
) {
  markInvitationAccepted(trx, { merchantId, id, now })
  insertMember(trx, { merchantId, id: memberId, userId, role, createdAt: now })
  note({ role: [null, role], invitation: [null, id] })
  return { is: 'accepted', merchantId, memberId } as const
}
