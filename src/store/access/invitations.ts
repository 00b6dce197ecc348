import type { Role } from '../../../registry/values/roles.ts'
import type { InvitationId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
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

const find = reading<{ tokenHash: Buffer }>()('find_invitation', (p) =>
  build
    .selectFrom('invitations as invitation')
    .innerJoin('merchants as merchant', 'merchant.id', 'invitation.merchantId')
    .leftJoin('users as person', 'person.email', 'invitation.email')
    .where('invitation.tokenHash', '=', p.tokenHash)
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
    .where('merchantId', '=', p.merchantId)
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
    .set({ acceptedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export function markInvitationAccepted(trx: WriteTrx, ending: Ending): void {
  trx.queue(accept, ending)
}

const revoke = writing<Ending>()('revoke_invitation', (p) =>
  build
    .updateTable('invitations')
    .set({ revokedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export function markInvitationRevoked(trx: WriteTrx, ending: Ending): void {
  trx.queue(revoke, ending)
}

const listOpen = reading<{ merchantId: MerchantId; now: Timestamp }>()('list_open_invitations', (p) =>
  build
    .selectFrom('invitations')
    .where('merchantId', '=', p.merchantId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', p.now)
    .select(['id', 'email', 'name', 'role', 'createdBy', 'creatorMemberId', 'createdAt', 'expiresAt'])
    .orderBy('id', 'desc'),
)

/** Returns the invitations of a live merchant that can be accepted, newest first. */
export function listInvitations(db: ReadDb, key: { merchantId: MerchantId; now: Timestamp }) {
  return db.read(listOpen, key)
}
