import { sql } from 'kysely'
import type { Role } from '../../../registry/values/roles.ts'
import type { MemberId, MerchantId, Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { listing, lockingAll, queueing } from '../core/calls.ts'
import type { LockTrx, ReadDb } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, reading } from '../core/statement.ts'

/** An active member whose row is locked until the transaction ends. */
export interface LockedMember {
  readonly id: MemberId
  readonly userId: UserId
  readonly role: Role
}

/** Fails with a unique violation when the user is already an active member. */
export const insertMember = inserting('members')

/**
 * Locks the active members of a merchant, so that concurrent changes cannot remove the last owner. The members are
 * always locked in the same order, so that two concurrent changes do not deadlock.
 */
export const lockMembers = lockingAll<{ merchantId: MerchantId }>()('lock_members', (p) =>
  build
    .selectFrom('members')
    .where('merchantId', '=', p.merchantId)
    .where('removedAt', 'is', null)
    .select(['id', 'userId', 'role'])
    .orderBy('id')
    .forUpdate(),
)

const lockRole = locking<{ merchantId: MerchantId; id: string }>()(
  'lock_member_role',
  (p) => sql<{ role: Role }>`
    select member.role
    from merchants as merchant
    join members as member on member.merchant_id = coalesce(merchant.live_merchant_id, merchant.id)
    where merchant.id = ${p.merchantId} and member.id = ${p.id} and member.removed_at is null
    for share of member`,
)

/**
 * Returns the role of an active member of a live or test-mode merchant. The row is locked, so that no concurrent
 * transaction can change the role.
 */
export async function lockMemberRole(
  trx: LockTrx,
  member: { merchantId: MerchantId; id: string },
): Promise<Role | undefined> {
  return (await trx.lock(lockRole, member))[0]?.role
}

interface MemberKey {
  readonly merchantId: MerchantId
  readonly id: MemberId
}

export const setMemberRole = queueing<MemberKey & { role: Role }>()('set_member_role', (p) =>
  build
    .updateTable('members')
    .set({ role: p.role })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('removedAt', 'is', null),
)

export const markMemberRemoved = queueing<MemberKey & { now: Timestamp }>()('remove_member', (p) =>
  build
    .updateTable('members')
    .set({ removedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('removedAt', 'is', null),
)

export interface Membership {
  readonly merchantId: MerchantId
  readonly memberId: MemberId
}

/** Returns the active memberships of a user. */
export const listMemberships = listing<{ userId: UserId }>()('list_memberships', (p) =>
  build
    .selectFrom('members')
    .where('userId', '=', p.userId)
    .where('removedAt', 'is', null)
    .select(['merchantId', 'id as memberId'])
    .orderBy('merchantId'),
)

export interface ListedMember {
  readonly id: MemberId
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: Timestamp
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  readonly hasPasskeys: boolean
  /** Time of the last request in any session of the user. Null before the first sign-in. */
  readonly lastSeenAt: Timestamp | null
}

const list = reading<{ merchantId: MerchantId }>()('list_members', (p) =>
  build
    .selectFrom('members as member')
    .innerJoin('users as person', 'person.id', 'member.userId')
    .where('member.merchantId', '=', p.merchantId)
    .where('member.removedAt', 'is', null)
    .select([
      'member.id',
      'member.userId',
      'person.displayEmail as email',
      'person.name',
      'member.role',
      'member.createdAt',
      sql<boolean>`person.password_hash is not null`.as('hasPassword'),
      sql<boolean>`person.totp_sealed is not null`.as('hasTotp'),
      sql<boolean>`exists (select from passkeys where user_id = person.id)`.as('hasPasskeys'),
      sql<Timestamp | null>`(select max(last_seen_at) from sessions where user_id = person.id)`.as('lastSeenAt'),
    ])
    .orderBy('member.id'),
)

/** Returns the active members of a merchant, given its id in live mode. The oldest membership comes first. */
export async function listMembers(db: ReadDb, merchantId: MerchantId): Promise<readonly ListedMember[]> {
  return await db.read(list, { merchantId })
}
