import type { Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import type { SignInLinkPurpose } from '../tables/member.ts'

export interface NewSignInLink {
  readonly tokenHash: Buffer
  readonly userId: UserId
  readonly purpose: SignInLinkPurpose
  readonly now: Timestamp
  readonly expiresAt: Timestamp
}

const insert = writing<NewSignInLink>()('insert_sign_in_link', (p) =>
  build.insertInto('sign_in_links').values({
    tokenHash: p.tokenHash,
    userId: p.userId,
    purpose: p.purpose,
    createdAt: p.now,
    expiresAt: p.expiresAt,
  }),
)

export function insertSignInLink(trx: WriteTrx, link: NewSignInLink): void {
  trx.queue(insert, link)
}

const select = (p: { tokenHash: Buffer }) =>
  build
    .selectFrom('sign_in_links')
    .where('tokenHash', '=', p.tokenHash)
    .select(['userId', 'purpose', 'expiresAt', 'usedAt'])

const find = reading<{ tokenHash: Buffer }>()('find_sign_in_link', select)
const lock = locking<{ tokenHash: Buffer }>()('lock_sign_in_link', (p) => select(p).forUpdate())

export async function findLink(db: ReadDb, tokenHash: Buffer) {
  return (await db.read(find, { tokenHash }))[0]
}

export async function lockLink(trx: LockTrx, tokenHash: Buffer) {
  return (await trx.lock(lock, { tokenHash }))[0]
}

const use = writing<{ tokenHash: Buffer; now: Timestamp }>()('use_sign_in_link', (p) =>
  build.updateTable('sign_in_links').set({ usedAt: p.now }).where('tokenHash', '=', p.tokenHash),
)

export function markLinkUsed(trx: WriteTrx, link: { tokenHash: Buffer; now: Timestamp }): void {
  trx.queue(use, link)
}

const remove = writing<{ userId: UserId }>()('delete_sign_in_links', (p) =>
  build.deleteFrom('sign_in_links').where('userId', '=', p.userId).where('usedAt', 'is', null),
)

/** Deletes the unused sign-in links of a user. */
export function deleteUnusedLinks(trx: WriteTrx, userId: UserId): void {
  trx.queue(remove, { userId })
}
