import { toMs } from '../../base/clock.ts'
import type { SessionRecord } from '../../store/access/sessions.ts'

/** Ten minutes are long enough to copy a secret. A browser that was left open for longer must authenticate again. */
const recentMs = 10 * 60_000

/** Reports whether the user authenticated within ten minutes. Secrets and changes of the sign-in require it. */
export function isRecentlyAuthenticated(session: Pick<SessionRecord, 'authenticatedAt'>, nowMs: number): boolean {
  return nowMs - toMs(session.authenticatedAt) <= recentMs
}

/** Whether the session may change how its user signs in. */
export function mayChangeSignIn(session: SessionRecord, nowMs: number): boolean {
  return session.stage === 'complete' && isRecentlyAuthenticated(session, nowMs)
}
