import { toMs } from '../../base/clock.ts'
import type { SessionRecord } from '../../store/access/sessions.ts'

/** Long enough to copy a secret; a browser that was left open for longer must authenticate again. */
const recentMs = 10 * 60_000

/** Whether the session proved who its user is within ten minutes. Required before secrets and before changes of the sign-in. */
export function isRecentlyAuthenticated(session: Pick<SessionRecord, 'authenticatedAt'>, nowMs: number): boolean {
  return nowMs - toMs(session.authenticatedAt) <= recentMs
}

/** Whether the session may change how its user signs in. */
export function mayChangeSignIn(session: SessionRecord, nowMs: number): boolean {
  return session.stage === 'complete' && isRecentlyAuthenticated(session, nowMs)
}
