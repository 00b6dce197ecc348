import type { Role } from '../../../registry/values/roles.ts'
import type { MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import {
  type ListedMember,
  type LockedMember,
  listMemberships,
  listMembers as listStored,
  lockMembers,
  markMemberRemoved,
  setMemberRole,
} from '../../store/access/members.ts'
import { clearSelection, revokeSessions, revokeSetupSessions } from '../../store/access/sessions.ts'
import { deleteUnusedLinks } from '../../store/access/sign-in-links.ts'
import { lockUser } from '../../store/access/users.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { WriteTrx } from '../../store/core/database.ts'
import { type Context, mutate } from '../../store/core/mutation.ts'
import { mayManageMembers, revokeInvitationsOf } from './invite-member.ts'

export interface MemberKey {
  /** Id of the live merchant, not of its test-mode merchant. */
  readonly merchantId: MerchantId
  readonly memberId: MemberId
}

/** Returns the active members of a merchant, given its id in live mode. The oldest member comes first. */
export function listMembers({ database }: Context, merchantId: MerchantId): Promise<readonly ListedMember[]> {
  return listStored(database, merchantId)
}

export type RoleOutcome =
  | { readonly is: 'changed' }
  | { readonly is: 'unchanged' }
  | { readonly is: 'unknown' }
  /** The member is the only owner, and a merchant must keep an owner. */
  | { readonly is: 'last_owner' }
  /** The member no longer has the role `from`, which the request expects. */
  | { readonly is: 'stale' }

export interface RoleChange extends MemberKey {
  readonly role: Role
  /** The role that the member must still have when the change is made. Any role if left out. */
  readonly from?: Role
}

/**
 * Changes the role of a member. The next request of the member has the new permissions. If the new role cannot manage
 * members, the open invitations that the member has created are revoked, and the recoveries of members end. Otherwise,
 * the member could get the former role back with the link of an invitation or a recovery.
 */
export function changeMemberRole(
  context: Context,
  actor: Actor,
  { merchantId, memberId, role, from }: RoleChange,
): Promise<RoleOutcome> {
  const mutation = { ...mutationOf({ merchantId, memberId }), actor, action: 'member.role' as const }
  return mutate<RoleOutcome>(context, mutation, async ({ trx, now, note, abort }) => {
    const members = await lockMembers(trx, { merchantId })
    const member = members.find(({ id }) => id === memberId)
    if (member === undefined) return abort({ is: 'unknown' })
    if (member.role === role) return abort({ is: 'unchanged' })
    if (from !== undefined && member.role !== from) return abort({ is: 'stale' })
    if (isLastOwner(members, member)) return abort({ is: 'last_owner' })
    const invitations = mayManageMembers(role) ? [] : await revokeInvitationsOf(trx, { merchantId, memberId, now })
    if (losesMembers(member, role)) endRecoveries(trx, members, now)
    setMemberRole(trx, { merchantId, id: memberId, role })
    note({ role: [member.role, role] })
    if (invitations.length > 0) note({ openInvitations: [invitations, []] })
    return { is: 'changed' }
  })
}

export type RemovalOutcome =
  | { readonly is: 'removed' }
  | { readonly is: 'unknown' }
  /** The member is the only owner, and a merchant must keep an owner. */
  | { readonly is: 'last_owner' }

/**
 * Removes a member. At its next request, each session of the user switches to another merchant of the user, or ends if
 * there is none. Open invitations that the member has created are revoked, because the member knows their links and
 * could accept one. The recoveries of other members end for the same reason.
 */
export function removeMember(context: Context, actor: Actor, key: MemberKey): Promise<RemovalOutcome> {
  const { merchantId, memberId } = key
  const mutation = { ...mutationOf(key), actor, action: 'member.remove' as const }
  return mutate<RemovalOutcome>(context, mutation, async ({ trx, now, note, abort }) => {
    const members = await lockMembers(trx, { merchantId })
    const member = members.find(({ id }) => id === memberId)
    if (member === undefined) return abort({ is: 'unknown' })
    if (isLastOwner(members, member)) return abort({ is: 'last_owner' })
    const { userId } = member
    // The invitations are locked before the user. The acceptance of an invitation takes its locks in the same order, so
    // that the two transactions cannot deadlock.
    const invitations = await revokeInvitationsOf(trx, { merchantId, memberId, now })
    await lockUser(trx, userId)
    if (losesMembers(member, undefined)) endRecoveries(trx, members, now)
    const memberships = await listMemberships(trx, { userId })
    markMemberRemoved(trx, { merchantId, id: memberId, now })
    deleteUnusedLinks(trx, { userId })
    if (memberships.length > 1) clearSelection(trx, { userId, merchantId })
    else await revokeSessions(trx, { userId, now })
    note({ role: [member.role, null] })
    if (invitations.length > 0) note({ openInvitations: [invitations, []] })
    return { is: 'removed' }
  })
}

/** Reports whether a member can manage members now, but not with another role, or after the removal. */
function losesMembers(member: LockedMember, next: Role | undefined): boolean {
  return mayManageMembers(member.role) && (next === undefined || !mayManageMembers(next))
}

/**
 * Makes the unused recovery links of members unusable, and ends the sessions that such a link has started and in which
 * no new password is set yet. Which member created a link is not stored, so the links of all members are deleted.
 */
function endRecoveries(trx: WriteTrx, members: readonly LockedMember[], now: Timestamp): void {
  for (const { userId } of members) {
    deleteUnusedLinks(trx, { userId })
    revokeSetupSessions(trx, { userId, now })
  }
}

function isLastOwner(members: readonly LockedMember[], { role }: LockedMember): boolean {
  return role === 'owner' && members.filter((member) => member.role === 'owner').length === 1
}

function mutationOf({ merchantId, memberId }: MemberKey) {
  return {
    tenant: { merchantId, mode: 'live' },
    resourceType: 'member',
    resourceId: () => memberId,
  } as const
}
