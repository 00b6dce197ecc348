import type { Role } from '../../../registry/values/roles.ts'
import type { MemberId, MerchantId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newMemberId, newUserId } from '../../base/records.ts'
import { insertMember } from '../../store/access/members.ts'
import { insertSignInLink } from '../../store/access/sign-in-links.ts'
import { findUserByEmail, insertUser } from '../../store/access/users.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate } from '../../store/core/mutation.ts'
import { signInLinkMs } from './recover-member.ts'
import { newSecretToken } from './secret-token.ts'

export interface NewMemberRequest {
  /** Id of the live merchant, not of its test-mode merchant. */
  readonly merchantId: MerchantId
  readonly email: string
  readonly name: string
  readonly role: Role
}

export type CreateMemberOutcome =
  /** The token is for a sign-in link. The database stores only its hash. */
  { readonly is: 'created'; readonly memberId: MemberId; readonly token: string } | { readonly is: 'email_taken' }

/**
 * Creates a user without a password as a member of a merchant, for demo data. The user sets a password with a sign-in
 * link.
 */
export function createMember(context: Context, actor: Actor, request: NewMemberRequest): Promise<CreateMemberOutcome> {
  const { merchantId, name, role } = request
  const email = request.email.trim().toLowerCase()
  const { token, hash } = newSecretToken()
  const mutation = {
    tenant: { merchantId, mode: 'live' } as const,
    actor,
    action: 'member.create' as const,
    resourceType: 'member',
    resourceId: (outcome: CreateMemberOutcome) => (outcome.is === 'created' ? outcome.memberId : undefined),
  }
  return mutate<CreateMemberOutcome>(context, mutation, async ({ trx, nowMs, now, note, abort }) => {
    const existing = await findUserByEmail(trx, { email })
    // An interrupted first start may have left a user who has never signed in. The next start reuses this user.
    if (existing !== undefined && existing.passwordHash !== null) return abort({ is: 'email_taken' })
    const userId = existing?.id ?? newUserId(nowMs)
    const memberId = newMemberId(nowMs)
    if (existing === undefined) {
      const displayEmail = request.email.trim()
      insertUser(trx, { id: userId, email, displayEmail, name, createdAt: now, updatedAt: now })
    }
    insertMember(trx, { merchantId, id: memberId, userId, role, createdAt: now })
    const expiresAt = toTimestamp(nowMs + signInLinkMs)
    insertSignInLink(trx, { tokenHash: hash, userId, purpose: 'first_sign_in', createdAt: now, expiresAt })
    note({ role: [null, role] })
    return { is: 'created', memberId, token }
  })
}
