import type { Role } from '../../../registry/values/roles.ts'
import type { InvitationId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing, lockingFirst, queueing } from '../core/calls.ts'
import { inserting } from '../core/rows.ts'
import { build } from '../core/statement.ts'

export interface InvitationRecord {
  readonly id: InvitationId
  /** The id of the merchant in live mode to whose account the user is invited. */
  readonly merchantId: MerchantId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly expiresAt: Timestamp
  readonly acceptedAt: Timestamp | null
  readonly revokedAt: Timestamp | null
}

export const insertInvitation = inserting('invitations')

const columns = [
  'invitation.id',
  'invitation.merchantId',
  'invitation.email',
  'invitation.name',
  'invitation.role',
  'invitation.expiresAt',
  'invitation.acceptedAt',
  'invitation.revokedAt',
] as const

/** If a user already has the e-mail address of the invitation, the result also contains this user. */
export const findInvitationByHash = finding<{ tokenHash: Buffer }>()('find_invitation', (p) =>
  build
    .selectFrom('invitations as invitation')
    .innerJoin('merchants as merchant', 'merchant.id', 'invitation.merchantId')
    .leftJoin('users as person', 'person.email', 'invitation.email')
    .where('invitation.tokenHash', '=', p.tokenHash)
    .select([...columns, 'merchant.name as merchantName', 'person.id as userId']),
)

export const lockInvitation = lockingFirst<{ merchantId: MerchantId; id: InvitationId }>()('lock_invitation', (p) =>
  build
    .selectFrom('invitations as invitation')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(columns)
    .forUpdate(),
)

interface Ending {
  readonly merchantId: MerchantId
  readonly id: InvitationId
  readonly now: Timestamp
}

export const markInvitationAccepted = queueing<Ending>()('accept_invitation', (p) =>
  build
    .updateTable('invitations')
    .set({ acceptedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export const markInvitationRevoked = queueing<Ending>()('revoke_invitation', (p) =>
  build
    .updateTable('invitations')
    .set({ revokedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** Returns the invitations of a live merchant that can still be accepted, newest first. */
export const listInvitations = listing<{ merchantId: MerchantId; now: Timestamp }>()('list_open_invitations', (p) =>
  build
    .selectFrom('invitations')
    .where('merchantId', '=', p.merchantId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', p.now)
    .select(['id', 'email', 'name', 'role', 'createdBy', 'creatorMemberId', 'createdAt', 'expiresAt'])
    .orderBy('id', 'desc'),
)
