import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { type Clock, toMs } from '../../base/clock.ts'
import { findLink, lockLink, markLinkUsed } from '../../store/access/sign-in-links.ts'
import { changeUser, type Source } from '../../store/access/user-change.ts'
import type { Database } from '../../store/core/database.ts'
import { hashToken } from '../token-format.ts'
import type { MembersContext } from './context.ts'
import { startSession } from './start-session.ts'

export type SpentLink =
  | { readonly is: 'unknown' }
  | { readonly is: 'used'; readonly usedAt: Timestamp }
  | { readonly is: 'expired'; readonly expiresAt: Timestamp }

/**
 * Reports whether a sign-in link can be used. This check does not use up the link, because programs that preview links
 * open them too.
 */
export async function findSignInLink(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  token: string,
): Promise<{ readonly is: 'open' } | SpentLink> {
  return stateOf(await findLink(database, { tokenHash: hashToken(token) }), clock.nowMs())
}

export type UseSignInLinkOutcome =
  /** The new session is in the stage `setup_required`: it gives no access until setPassword() is called. */
  { readonly is: 'setup_required'; readonly sessionToken: string } | SpentLink

/** A sign-in link works only once. */
export async function useSignInLink(
  context: MembersContext,
  { token, source }: { readonly token: string; readonly source: Source },
): Promise<UseSignInLinkOutcome> {
  const tokenHash = hashToken(token)
  const found = await findLink(context.database, { tokenHash })
  if (found === undefined) return { is: 'unknown' }
  const change = { userId: found.userId, action: 'user.sign_in' as const, source, sessionId: null }
  return changeUser<UseSignInLinkOutcome>(context, change, async (work) => {
    const { trx, nowMs, now, note, abort } = work
    const link = await lockLink(trx, { tokenHash })
    const state = stateOf(link, nowMs)
    if (state.is !== 'open') return abort(state)
    markLinkUsed(trx, { tokenHash, now })
    note({ link: [null, found.purpose], stage: [null, 'setup_required'] })
    return { is: 'setup_required', sessionToken: startSession(work, { stage: 'setup_required', source }) }
  })
}

function stateOf(
  link: { readonly usedAt: Timestamp | null; readonly expiresAt: Timestamp } | undefined,
  nowMs: number,
): { readonly is: 'open' } | SpentLink {
  if (link === undefined) return { is: 'unknown' }
  if (link.usedAt !== null) return { is: 'used', usedAt: link.usedAt }
  return nowMs >= toMs(link.expiresAt) ? { is: 'expired', expiresAt: link.expiresAt } : { is: 'open' }
}
