import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { markPasskeyUsed } from '../../store/access/passkeys.ts'
import { changeUser, type Source } from '../../store/access/user-change.ts'
import type { MembersContext } from './context.ts'
import { openChallenge, relyingPartyOf, type Site, takeChallenge } from './passkey-challenge.ts'
import { webAuthn } from './passkey-responses.ts'
import { sourceNetworkOf } from './source-network.ts'
import { type Granted, rememberDevice, startSession } from './start-session.ts'
import { type PasskeyResponse, verifyPasskey } from './verify-passkey.ts'

type RequestOptions = PublicKeyCredentialRequestOptionsJSON

export type BeginPasskeySignInOutcome =
  /** `options` is the argument of `navigator.credentials.get()`. */
  | { readonly is: 'started'; readonly challengeId: string; readonly options: RequestOptions }
  | { readonly is: 'too_many_challenges' }

/** The browser offers the passkeys of the site, so no e-mail address is needed. */
export async function beginPasskeySignIn(
  context: MembersContext,
  { site, source }: { readonly site: Site; readonly source: Source },
): Promise<BeginPasskeySignInOutcome> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({ rpID: relyingPartyOf(site), userVerification: 'required' })
  const challengeId = await openChallenge(context, options.challenge, { network: sourceNetworkOf(source.ip) })
  return challengeId === undefined ? { is: 'too_many_challenges' } : { is: 'started', challengeId, options }
}

export interface PasskeyAnswer extends PasskeyResponse {
  readonly challengeId: string
  readonly deviceToken: string | null
  readonly source: Source
}

export type FinishPasskeySignInOutcome =
  | ({ readonly is: 'signed_in' } & Granted)
  /** The challenge has expired or was answered: start again. */
  | { readonly is: 'expired' }
  /** The passkey is not registered, or its response cannot be verified. */
  | { readonly is: 'invalid' }

/** The device verified its user, so the passkey is treated as both factors. */
export async function finishPasskeySignIn(
  context: MembersContext,
  answer: PasskeyAnswer,
): Promise<FinishPasskeySignInOutcome> {
  const { challengeId, source, deviceToken } = answer
  const challenge = await takeChallenge(context, challengeId, null)
  if (challenge === undefined) return { is: 'expired' }
  const verified = await verifyPasskey(context, answer, challenge)
  if (verified === undefined) return { is: 'invalid' }
  const { userId, credentialId, counter } = verified
  const change = { userId, action: 'user.sign_in' as const, source, sessionId: null }
  return changeUser<FinishPasskeySignInOutcome>(context, change, async (work) => {
    const { trx, now, note, abort } = work
    if (!(await markPasskeyUsed(trx, { credentialId, counter, now }))) return abort({ is: 'invalid' })
    note({ passkey: [null, credentialId], stage: [null, 'complete'] })
    const newDevice = await rememberDevice(work, deviceToken)
    const sessionToken = startSession(work, { stage: 'complete', source })
    return { is: 'signed_in', sessionToken, deviceToken: newDevice }
  })
}
