import { hashToken } from '../../access/token-format.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { withinBounds } from '../../base/deadline.ts'
import { detachedBounds } from '../../operations/execute/request-limits.ts'
import { findSession, type SessionRecord, touchEverySeconds, touchSession } from '../../store/access/sessions.ts'
import type { OpenSession } from './member-visit.ts'
import type { Dashboard } from './visit.ts'
import type { Visitor } from './visitor.ts'

export type FoundSession =
  | ({ readonly is: 'open' } & OpenSession)
  /** The sign-in is not complete, or the user no longer belongs to any merchant. */
  | { readonly is: 'incomplete'; readonly session: SessionRecord; readonly cookie: string }
  | { readonly is: 'none' }

export async function findOpenSession({ service, readers }: Dashboard, visitor: Visitor): Promise<FoundSession> {
  const cookie = visitor.readCookie('session')
  if (cookie === undefined) return { is: 'none' }
  const { database, clock } = service.context
  const now = toTimestamp(clock.nowMs())
  const key = { tokenHash: hashToken(cookie), now }
  const session = await withinBounds(detachedBounds(service.requestLimits), () =>
    findSession(database, key, readers.get(cookie)),
  )
  if (session === undefined) return { is: 'none' }
  if (isDueForTouch(session, clock.nowMs())) touch(service, { id: session.id, now, ip: visitor.sourceIp })
  const { selected, stage } = session
  if (stage !== 'complete' || selected === null) return { is: 'incomplete', session, cookie }
  readers.set(cookie, { merchantId: selected.merchantId, memberId: selected.memberId })
  return { is: 'open', session: { ...session, selected }, cookie }
}

const secondMs = 1000

function isDueForTouch({ lastSeenAt }: SessionRecord, nowMs: number): boolean {
  return nowMs - toMs(lastSeenAt) >= touchEverySeconds * secondMs
}

/**
 * Stores the time and source of a session's latest request. The page does not wait for this write, and is shown even if
 * the write fails.
 */
function touch({ context, log }: Dashboard['service'], use: Parameters<typeof touchSession>[1]): void {
  touchSession(context.database, use).catch((error: unknown) => {
    log.warn({ err: error }, 'The time of the last use of a session could not be stored.')
  })
}
