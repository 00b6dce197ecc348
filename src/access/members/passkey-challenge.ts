import type { SessionId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { storeChallenge, takePasskeyChallenge } from '../../store/access/passkeys.ts'
import { hashToken } from '../token-format.ts'
import type { MembersContext } from './context.ts'
import { newSecretToken } from './secret-token.ts'

/** The website to which a passkey belongs. */
export interface Site {
  /** The origin of the dashboard, such as `https://shop.example.com`. */
  readonly origin: string
}

/** Name of the service, which the browser shows next to the domain. */
export const siteName = 'Commerce Service'

/** Returns the domain to which passkeys belong: the host name of the dashboard without the port. */
export function relyingPartyOf({ origin }: Site): string {
  return new URL(origin).hostname
}

/** Lifetime of a passkey challenge: enough time to unlock a phone or to insert a security key. */
const lifetimeMs = 5 * 60_000

/**
 * Maximum number of unanswered passkey challenges of a session or a network. The limit of a network is higher, because
 * many people share a mobile network, and each opened sign-in page needs a challenge.
 */
const openMax = { session: 10, network: 1_000 } as const

export type ChallengeUse = { readonly sessionId: SessionId } | { readonly network: string }

/**
 * Stores a passkey challenge, which can be answered once within five minutes. Returns the challenge's id; undefined if
 * the session or network has too many unanswered challenges.
 */
export async function openChallenge(
  { database, clock }: MembersContext,
  challenge: string,
  use: ChallengeUse,
): Promise<string | undefined> {
  const { token, hash } = newSecretToken()
  const nowMs = clock.nowMs()
  const isStored = await storeChallenge(database, {
    tokenHash: hash,
    challenge,
    sessionId: 'sessionId' in use ? use.sessionId : null,
    network: 'network' in use ? use.network : null,
    now: toTimestamp(nowMs),
    expiresAt: toTimestamp(nowMs + lifetimeMs),
    max: 'sessionId' in use ? openMax.session : openMax.network,
  })
  return isStored ? token : undefined
}

/**
 * Returns a stored passkey challenge, at most once. Undefined if the challenge was already returned, has expired, or
 * belongs to another session.
 */
export function takeChallenge(
  { database, clock }: MembersContext,
  challengeId: string,
  sessionId: SessionId | null,
): Promise<string | undefined> {
  const now = toTimestamp(clock.nowMs())
  return takePasskeyChallenge(database, { tokenHash: hashToken(challengeId), sessionId, now })
}
