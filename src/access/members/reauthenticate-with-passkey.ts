import { listPasskeys, markPasskeyUsed } from '../../store/access/passkeys.ts'
import { markSessionAuthenticated } from '../../store/access/sessions.ts'
import { changeUser } from '../../store/access/user-change.ts'
import type { MembersContext, SignedIn } from './context.ts'
import { openChallenge, relyingPartyOf, type Site, takeChallenge } from './passkey-challenge.ts'
import { webAuthn } from './passkey-responses.ts'
import type { BeginPasskeySignInOutcome, PasskeyAnswer } from './sign-in-with-passkey.ts'
import { verifyPasskey } from './verify-passkey.ts'

/** Authenticates the user of a session again with a passkey, for members who do not use their password. */

/** The browser offers only the passkeys of the session's user. */
export async function beginPasskeyReauthentication(
  context: MembersContext,
  { session }: SignedIn,
  site: Site,
): Promise<BeginPasskeySignInOutcome> {
  const passkeys = await listPasskeys(context.database, { userId: session.userId })
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(site),
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
  })
  const challengeId = await openChallenge(context, options.challenge, { sessionId: session.id })
  return challengeId === undefined ? { is: 'too_many_challenges' } : { is: 'started', challengeId, options }
}

export type PasskeyReauthenticationOutcome =
  | { readonly is: 'reauthenticated' }
  /**
   * The challenge has expired, was already answered, or belongs to another session, so the browser must request a new
   * one.
   */
  | { readonly is: 'expired' }
  /** The passkey does not belong to the user, or its response cannot be verified. */
  | { readonly is: 'invalid' }
  | { readonly is: 'session_ended' }

/**
 * Finishes the reauthentication with a passkey. For ten minutes, the session can then show secrets and change how the
 * user signs in.
 */
export async function reauthenticateWithPasskey(
  context: MembersContext,
  { session, source }: SignedIn,
  answer: Pick<PasskeyAnswer, 'challengeId' | 'response' | 'site'>,
): Promise<PasskeyReauthenticationOutcome> {
  if (session.stage !== 'complete') return { is: 'session_ended' }
  const challenge = await takeChallenge(context, answer.challengeId, session.id)
  if (challenge === undefined) return { is: 'expired' }
  const verified = await verifyPasskey(context, answer, challenge)
  if (verified === undefined || verified.userId !== session.userId) return { is: 'invalid' }
  const { credentialId, counter } = verified
  const change = { userId: session.userId, action: 'user.reauthenticate' as const, source, sessionId: session.id }
  return changeUser<PasskeyReauthenticationOutcome>(context, change, async ({ trx, now, note, abort }) => {
    if (!(await markPasskeyUsed(trx, { credentialId, counter, now }))) return abort({ is: 'invalid' })
    markSessionAuthenticated(trx, { id: session.id, now })
    note({ method: [null, 'passkey'], passkey: [null, credentialId] })
    return { is: 'reauthenticated' }
  })
}
