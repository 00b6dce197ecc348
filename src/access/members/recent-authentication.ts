import { toMs } from '../../base/clock.ts'
import type { SessionRecord } from '../../store/access/sessions.ts'

/**
 * Time for which an authentication is treated as recent. Ten minutes are long enough to copy a secret. A browser that
 * was left open for longer must authenticate again.
 */
const recentMs = 10 * 60_000

/**
 * Reports whether the user of the session authenticated within the last ten minutes, which is required to show secrets
 * and to change how the user signs in.
 */
export function isRecentlyAuthenticated(session: Pick<SessionRecord, 'authenticatedAt'>, nowMs: number): boolean {
  return nowMs - toMs(session.authenticatedAt) <= recentMs
}

export function mayChangeSignIn(session: SessionRecord, nowMs: number): boolean {
  return session.stage === 'complete' && isRecentlyAuthenticated(session, nowMs)
}
