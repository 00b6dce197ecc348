import { type Role, rolePermissions } from '../../../registry/values/roles.ts'
import type { InvitationId, MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { newInvitationId } from '../../base/records.ts'
import {
  insertInvitation,
  listInvitations as listStored,
  lockInvitation,
  markInvitationRevoked,
} from '../../store/access/invitations.ts'
import { listMembers, lockMemberRole } from '../../store/access/members.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { WriteTrx } from '../../store/core/database.ts'
import { type Context, mutate } from '../../store/core/mutation.ts'
import { newSecretToken } from './secret-token.ts'

export interface InvitationRequest {
  /** Id of the live merchant, not of its test-mode merchant. */
  readonly merchantId: MerchantId
  readonly email: string
  /** The name that the acceptance form suggests to the invited person. */
  readonly name: string | null
  readonly role: Role
}

export type InviteOutcome =
  /** The token is for the invitation link. The database stores only its hash. */
  | { readonly is: 'invited'; readonly id: InvitationId; readonly token: string; readonly expiresAt: Timestamp }
  | { readonly is: 'already_member' }
  | { readonly is: 'too_many_members' }
  /** The member who creates the invitation was removed in the meantime. */
  | { readonly is: 'inviter_removed' }
  /** The member who creates the invitation got a role without the permission to invite in the meantime. */
  | { readonly is: 'inviter_not_permitted' }

const dayMs = 24 * 60 * 60_000

/** Lifetime of an invitation: a week, so that a person on leave can accept it. */
const lifetimeMs = 7 * dayMs

/**
 * Maximum number of members and open invitations of a merchant. It is far above the size of any team, and limits the
 * length of the lists of members and invitations.
 */
const membersMax = 200

/** Reports whether members with a role can invite and remove members, and create recovery links. */
export function mayManageMembers(role: Role): boolean {
  return rolePermissions[role].has('members:write')
}

/** An earlier open invitation to the same e-mail address is revoked. */
export function inviteMember(context: Context, actor: Actor, request: InvitationRequest): Promise<InviteOutcome> {
  const { merchantId, name, role } = request
  const email = request.email.trim().toLowerCase()
  const { token, hash } = newSecretToken()
  const mutation = {
    tenant: { merchantId, mode: 'live' } as const,
    actor,
    action: 'member.invite' as const,
    resourceType: 'invitation',
    resourceId: (outcome: InviteOutcome) => (outcome.is === 'invited' ? outcome.id : undefined),
  }
  return mutate<InviteOutcome>(context, mutation, async ({ trx, nowMs, now, note, abort }) => {
    const creatorMemberId = actor.type === 'member' ? actor.id : null
    if (creatorMemberId !== null) {
      // Locks the member who creates the invitation. A concurrent removal of this member, or a concurrent change of the
      // role, then either revokes the invitation, or is visible to this function.
      const creatorRole = await lockMemberRole(trx, { merchantId, id: creatorMemberId })
      if (creatorRole === undefined) return abort({ is: 'inviter_removed' })
      if (!mayManageMembers(creatorRole)) return abort({ is: 'inviter_not_permitted' })
    }
    const members = await listMembers(trx, merchantId)
    if (members.some((member) => member.email.toLowerCase() === email)) return abort({ is: 'already_member' })
    const open = await listStored(trx, { merchantId, now })
    if (members.length + open.length >= membersMax) return abort({ is: 'too_many_members' })
    for (const { id } of open.filter((invitation) => invitation.email === email)) {
      await revoke(trx, { merchantId, id, now })
    }
    const id = newInvitationId(nowMs)
    const expiresAt = toTimestamp(nowMs + lifetimeMs)
    const createdBy = actor.label
    const created = { createdBy, creatorMemberId, createdAt: now, expiresAt }
    insertInvitation(trx, { merchantId, id, tokenHash: hash, email, name, role, ...created })
    note({ role: [null, role], expiresAt: [null, expiresAt] })
    return { is: 'invited', id, token, expiresAt }
  })
}

export type RevokeInvitationOutcome =
  | { readonly is: 'revoked' }
  | { readonly is: 'accepted' }
  | { readonly is: 'unknown' }

/** An expired or revoked invitation is treated as unknown. */
export function revokeInvitation(
  context: Context,
  actor: Actor,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: InvitationId },
): Promise<RevokeInvitationOutcome> {
  const mutation = {
    tenant: { merchantId, mode: 'live' } as const,
    actor,
    action: 'member.invitation_revoke' as const,
    resourceType: 'invitation',
    resourceId: () => id,
  }
  return mutate<RevokeInvitationOutcome>(context, mutation, async ({ trx, now, note, abort }) => {
    const outcome = await revoke(trx, { merchantId, id, now })
    if (outcome.is !== 'revoked') return abort(outcome)
    note({ revokedAt: [null, now] })
    return outcome
  })
}

async function revoke(
  trx: WriteTrx,
  key: { readonly merchantId: MerchantId; readonly id: InvitationId; readonly now: Timestamp },
): Promise<RevokeInvitationOutcome> {
  const invitation = await lockInvitation(trx, key)
  if (invitation === undefined || invitation.revokedAt !== null) return { is: 'unknown' }
  if (invitation.acceptedAt !== null) return { is: 'accepted' }
  if (toMs(invitation.expiresAt) <= toMs(key.now)) return { is: 'unknown' }
  markInvitationRevoked(trx, key)
  return { is: 'revoked' }
}

/** Revokes the open invitations that a member has created, and returns their ids. */
export async function revokeInvitationsOf(
  trx: WriteTrx,
  { memberId, ...key }: { readonly merchantId: MerchantId; readonly memberId: MemberId; readonly now: Timestamp },
): Promise<readonly InvitationId[]> {
  const revoked: InvitationId[] = []
  for (const { id, creatorMemberId } of await listStored(trx, key)) {
    if (creatorMemberId === memberId && (await revoke(trx, { ...key, id })).is === 'revoked') revoked.push(id)
  }
  return revoked
}

/** Returns the invitations to a merchant in live mode that can still be accepted, newest first. */
export function listInvitations({ database, clock }: Context, merchantId: MerchantId) {
  return listStored(database, { merchantId, now: toTimestamp(clock.nowMs()) })
}
