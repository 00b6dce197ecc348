import type { Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'

export const insertSignInLink = inserting('sign_in_links')

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
