import type { Timestamp, UserId } from '../../../registry/values/vocabulary.ts'
import { finding, lockingFirst, queueing } from '../core/calls.ts'
import { inserting } from '../core/rows.ts'
import { build } from '../core/statement.ts'

export const insertSignInLink = inserting('sign_in_links')

const select = (p: { tokenHash: Buffer }) =>
  build
    .selectFrom('sign_in_links')
    .where('tokenHash', '=', p.tokenHash)
    .select(['userId', 'purpose', 'expiresAt', 'usedAt'])

export const findLink = finding<{ tokenHash: Buffer }>()('find_sign_in_link', select)

export const lockLink = lockingFirst<{ tokenHash: Buffer }>()('lock_sign_in_link', (p) => select(p).forUpdate())

export const markLinkUsed = queueing<{ tokenHash: Buffer; now: Timestamp }>()('use_sign_in_link', (p) =>
  build.updateTable('sign_in_links').set({ usedAt: p.now }).where('tokenHash', '=', p.tokenHash),
)

export const deleteUnusedLinks = queueing<{ userId: UserId }>()('delete_sign_in_links', (p) =>
  build.deleteFrom('sign_in_links').where('userId', '=', p.userId).where('usedAt', 'is', null),
)
