import { hashToken } from '../../access/token-format.ts'
import { toTimestamp } from '../../base/clock.ts'
import { findSession, type SessionRecord } from '../../store/access/sessions.ts'
import type { OpenSession } from './member-visit.ts'
import type { Dashboard } from './visit.ts'
import type { Visitor } from './visitor.ts'

export type FoundSession =
  | ({ readonly is: 'open' } & OpenSession)
  /** Sign-in is not complete, or no merchant is left. */
  | { readonly is: 'incomplete'; readonly session: SessionRecord; readonly cookie: string }
  | { readonly is: 'none' }

/** Returns the session of the browser. */
export async function findOpenSession({ service }: Dashboard, visitor: Visitor): Promise<FoundSession> {
  const cookie = visitor.readCookie('session')
  if (cookie === undefined) return { is: 'none' }
  const { database, clock } = service.context
  const key = { tokenHash: hashToken(cookie), now: toTimestamp(clock.nowMs()) }
  const session = await findSession(database, key)
  if (session === undefined) return { is: 'none' }
  const { selected, stage } = session
  if (stage !== 'complete' || selected === null) return { is: 'incomplete', session, cookie }
  return { is: 'open', session: { ...session, selected }, cookie }
}
