import type { SessionId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { storeChallenge, takePasskeyChallenge } from '../../store/access/passkeys.ts'
import { hashToken } from '../token-format.ts'
import type { MembersContext } from './context.ts'
import { newSecretToken } from './secret-token.ts'

/** The website that a passkey belongs to. */
export interface Site {
  /** The origin of the dashboard, such as `https://shop.example.com`. */
  readonly origin: string
}

/** Shown by the browser next to the domain. */
export const siteName = 'Commerce Service'

/** Passkeys belong to a domain, without the port. */
export function relyingPartyOf({ origin }: Site): string {
  return new URL(origin).hostname
}

/** Time to unlock a phone or to insert a security key. */
const lifetimeMs = 5 * 60_000

/** Open challenges of a session, or of a network: a mobile network shares one, and each opened sign-in page needs one. */
const openMax = { session: 10, network: 1_000 } as const

export type ChallengeUse = { readonly sessionId: SessionId } | { readonly network: string }

/** Stores a challenge for one answer within five minutes. Returns its id; undefined when too many are open. */
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

/** Returns the challenge of an id, once. Undefined when it was answered, has expired, or is of another session. */
export function takeChallenge(
  { database, clock }: MembersContext,
  challengeId: string,
  sessionId: SessionId | null,
): Promise<string | undefined> {
  const now = toTimestamp(clock.nowMs())
  return takePasskeyChallenge(database, { tokenHash: hashToken(challengeId), sessionId, now })
}
