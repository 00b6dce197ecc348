import type { Role } from '../../../registry/values/roles.ts'
import type { InvitationId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { build, locking, reading, writing } from '../core/statement.ts'

export interface InvitationRecord {
  readonly id: InvitationId
  /** The id of the live merchant whose account the user is invited to. */
  readonly merchantId: MerchantId
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly expiresAt: Timestamp
  readonly acceptedAt: Timestamp | null
  readonly revokedAt: Timestamp | null
}

export interface NewInvitation {
  readonly merchantId: MerchantId
  readonly id: InvitationId
  readonly tokenHash: Buffer
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdBy: string
  /** The member who created the invitation. Null when an operator created it. */
  readonly creatorMemberId: string | null
  readonly now: Timestamp
  readonly expiresAt: Timestamp
}

const insert = writing<NewInvitation>()('insert_invitation', (p) =>
  build.insertInto('invitations').values({
    merchant_id: p.merchantId,
    id: p.id,
    token_hash: p.tokenHash,
    email: p.email,
    name: p.name,
    role: p.role,
    created_by: p.createdBy,
    creator_member_id: p.creatorMemberId,
    created_at: p.now,
    expires_at: p.expiresAt,
  }),
)

export function insertInvitation(trx: WriteTrx, invitation: NewInvitation): void {
  trx.queue(insert, invitation)
}

const columns = [
  'invitation.id',
  'invitation.merchant_id as merchantId',
  'invitation.email',
  'invitation.name',
  'invitation.role',
  'invitation.expires_at as expiresAt',
  'invitation.accepted_at as acceptedAt',
  'invitation.revoked_at as revokedAt',
] as const

const find = reading<{ tokenHash: Buffer }>()('find_invitation', (p) =>
  build
    .selectFrom('invitations as invitation')
    .innerJoin('merchants as merchant', 'merchant.id', 'invitation.merchant_id')
    .leftJoin('users as person', 'person.email', 'invitation.email')
    .where('invitation.token_hash', '=', p.tokenHash)
    .select([...columns, 'merchant.name as merchantName', 'person.id as userId']),
)

/**
 * Returns the invitation to which a link belongs, with the merchant's name and the user who already has its e-mail
 * address.
 */
export async function findInvitationByHash(db: ReadDb, tokenHash: Buffer) {
  return (await db.read(find, { tokenHash }))[0]
}

const lock = locking<{ merchantId: MerchantId; id: InvitationId }>()('lock_invitation', (p) =>
  build
    .selectFrom('invitations as invitation')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(columns)
    .forUpdate(),
)

export async function lockInvitation(
  trx: LockTrx,
  key: { merchantId: MerchantId; id: InvitationId },
): Promise<InvitationRecord | undefined> {
  return (await trx.lock(lock, key))[0]
}

interface Ending {
  readonly merchantId: MerchantId
  readonly id: InvitationId
  readonly now: Timestamp
}

const accept = writing<Ending>()('accept_invitation', (p) =>
  build
    .updateTable('invitations')
    .set({ accepted_at: p.now })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

export function markInvitationAccepted(trx: WriteTrx, ending: Ending): void {
  trx.queue(accept, ending)
}

const revoke = writing<Ending>()('revoke_invitation', (p) =>
  build
    .updateTable('invitations')
    .set({ revoked_at: p.now })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

export function markInvitationRevoked(trx: WriteTrx, ending: Ending): void {
  trx.queue(revoke, ending)
}

const listOpen = reading<{ merchantId: MerchantId; now: Timestamp }>()('list_open_invitations', (p) =>
  build
    .selectFrom('invitations')
    .where('merchant_id', '=', p.merchantId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.now)
    .select([
      'id',
      'email',
      'name',
      'role',
      'created_by as createdBy',
      'creator_member_id as creatorMemberId',
      'created_at as createdAt',
      'expires_at as expiresAt',
    ])
    .orderBy('id', 'desc'),
)

/** Returns the invitations of a live merchant that can be accepted, newest first. */
export function listInvitations(db: ReadDb, key: { merchantId: MerchantId; now: Timestamp }) {
  return db.read(listOpen, key)
}
