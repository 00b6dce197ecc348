import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { listMemberships, lockMembers } from '../../store/access/members.ts'
import { deleteUnusedLinks, insertSignInLink } from '../../store/access/sign-in-links.ts'
import { lockUser } from '../../store/access/users.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate } from '../../store/core/mutation.ts'
import type { MemberKey } from './change-member.ts'
import { mayManageMembers } from './invite-member.ts'
import { newSecretToken } from './secret-token.ts'

/** Lifetime of a sign-in link: one hour. The user gets the link by phone or chat and opens it at once. */
export const signInLinkMs = 60 * 60_000

export type RecoverOutcome =
  /** The token is for the sign-in link. The database stores only its hash. */
  | { readonly is: 'link'; readonly token: string; readonly expiresAt: Timestamp }
  | { readonly is: 'unknown' }
  /** The member who creates the link was removed, or got a role without the permission, in the meantime. */
  | { readonly is: 'not_permitted' }
  /**
   * The member also belongs to other merchants. A sign-in link would give access to these merchants too, so only an
   * operator may create one.
   */
  | { readonly is: 'belongs_to_other_merchants' }

/**
 * Creates a sign-in link with which a member who cannot sign in sets a new password. Earlier unused sign-in links of
 * the member are deleted.
 */
export function recoverMember(context: Context, actor: Actor, key: MemberKey): Promise<RecoverOutcome> {
  const { merchantId, memberId } = key
  const mutation = {
    tenant: { merchantId, mode: 'live' } as const,
    actor,
    action: 'member.recover' as const,
    resourceType: 'member',
    resourceId: () => memberId,
  }
  return mutate<RecoverOutcome>(context, mutation, async ({ trx, nowMs, now, note, abort }) => {
    const members = await lockMembers(trx, { merchantId })
    const creator = members.find(({ id }) => id === actor.id)
    if (actor.type === 'member' && (creator === undefined || !mayManageMembers(creator.role)))
      return abort({ is: 'not_permitted' })
    const member = members.find(({ id }) => id === memberId)
    if (member === undefined) return abort({ is: 'unknown' })
    const user = await lockUser(trx, member.userId)
    const memberships = await listMemberships(trx, { userId: user.id })
    if (memberships.length > 1 && actor.type !== 'operator') return abort({ is: 'belongs_to_other_merchants' })
    const { token, hash } = newSecretToken()
    const expiresAt = toTimestamp(nowMs + signInLinkMs)
    const purpose = user.passwordHash === null ? 'first_sign_in' : 'recovery'
    deleteUnusedLinks(trx, { userId: user.id })
    insertSignInLink(trx, { tokenHash: hash, userId: user.id, purpose, createdAt: now, expiresAt })
    note({ link: [null, purpose], expiresAt: [null, expiresAt] })
    return { is: 'link', token, expiresAt }
  })
}
