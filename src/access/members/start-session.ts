import type { SessionId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { newSessionId } from '../../base/records.ts'
import { insertKnownDevice, touchKnownDevice } from '../../store/access/known-devices.ts'
import { insertSession, markSessionComplete, type SessionRecord } from '../../store/access/sessions.ts'
import type { Source, UserWork } from '../../store/access/user-change.ts'
import type { SessionStage } from '../../store/tables/values.ts'
import { hashToken } from '../token-format.ts'
import { newSecretToken } from './secret-token.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Lifetimes of the stages of a session. A session with access ends after 30 days, even when it is in use. A session
 * whose sign-in is incomplete ends sooner.
 */
const lifetimeMs: Readonly<Record<SessionStage, number>> = {
  totp_required: 10 * minuteMs,
  setup_required: 60 * minuteMs,
  complete: 30 * dayMs,
}

/** A session with access to the dashboard. Its tokens are for cookies; the database stores only their hashes. */
export interface Granted {
  readonly sessionToken: string
  /** The token of a new device. Null when the browser already has a device token. */
  readonly deviceToken: string | null
}

interface SessionStart {
  readonly stage: SessionStage
  readonly source: Source
  /**
   * The id of the new session, if the caller has already written this id to the audit log. Otherwise, an id is
   * generated.
   */
  readonly id?: SessionId
}

/** The transaction in which a session starts. The user exists already, or the same transaction creates the user. */
type SessionWork = Pick<UserWork, 'trx' | 'nowMs' | 'now' | 'startedSession'> & {
  readonly user: Pick<UserWork['user'], 'id'>
}

/** Returns the session token. */
export function startSession(
  { trx, user, nowMs, now, startedSession }: SessionWork,
  { stage, source, id = newSessionId(nowMs) }: SessionStart,
): string {
  const { token, hash } = newSecretToken()
  insertSession(trx, {
    id,
    tokenHash: hash,
    userId: user.id,
    selectedMerchantId: null,
    stage,
    createdAt: now,
    lastSeenAt: now,
    authenticatedAt: now,
    expiresAt: toTimestamp(nowMs + lifetimeMs[stage]),
    sourceIp: source.ip,
    userAgent: source.userAgent?.slice(0, userAgentMaxLength) ?? null,
  })
  startedSession(id)
  return token
}

/** Maximum length of a stored user agent, the limit of the column. Real user agents are shorter. */
const userAgentMaxLength = 200

/**
 * Gives a session access after the last step of the sign-in. The session gets a new token, and its earlier token gives
 * no access. Undefined when the session has ended, or a concurrent request completed it.
 */
export async function completeSession(
  { trx, nowMs, now }: Pick<UserWork, 'trx' | 'nowMs' | 'now'>,
  session: SessionRecord,
): Promise<string | undefined> {
  const { token, hash } = newSecretToken()
  const expiresAt = toTimestamp(nowMs + lifetimeMs.complete)
  const change = { id: session.id, from: session.stage, tokenHash: hash, now, expiresAt }
  return (await markSessionComplete(trx, change)) ? token : undefined
}

/**
 * Stores the browser as a known device, so that failed sign-in attempts from other devices do not delay it. Returns the
 * token of a new device; null if the device was already known.
 */
export async function rememberDevice(
  { trx, user, now }: Pick<SessionWork, 'trx' | 'user' | 'now'>,
  deviceToken: string | null,
): Promise<string | null> {
  if (deviceToken !== null) {
    const device = { tokenHash: hashToken(deviceToken), userId: user.id, now }
    if (await touchKnownDevice(trx, device)) return null
  }
  const { token, hash } = newSecretToken()
  insertKnownDevice(trx, { tokenHash: hash, userId: user.id, createdAt: now, lastUsedAt: now })
  return token
}
