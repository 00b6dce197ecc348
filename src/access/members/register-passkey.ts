import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { UserId } from '../../../registry/values/vocabulary.ts'
import { deletePasskey, insertPasskey, listPasskeys as listStored } from '../../store/access/passkeys.ts'
import { changeUser } from '../../store/access/user-change.ts'
import type { MembersContext, ReauthenticationRequired, SignedIn } from './context.ts'
import { openChallenge, relyingPartyOf, type Site, siteName, takeChallenge } from './passkey-challenge.ts'
import { RegistrationResponse, webAuthn } from './passkey-responses.ts'
import { mayChangeSignIn } from './recent-authentication.ts'

export type PasskeyOptions = PublicKeyCredentialCreationOptionsJSON

export type BeginRegistrationOutcome =
  /** `options` is the argument of `navigator.credentials.create()`. */
  | { readonly is: 'started'; readonly challengeId: string; readonly options: PasskeyOptions }
  | { readonly is: 'too_many_passkeys' }
  | { readonly is: 'too_many_challenges' }
  | ReauthenticationRequired

/** Maximum number of passkeys of a user. A person has a few devices and security keys. */
const passkeysMax = 20

/**
 * COSE numbers of EdDSA, ES256 and RS256, which cover all authenticators. By default, the passkey library also accepts
 * algorithms that are experimental in Node.js.
 */
const algorithms = [-8, -7, -257]

export async function beginPasskeyRegistration(
  context: MembersContext,
  { session }: SignedIn,
  site: Site,
): Promise<BeginRegistrationOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const passkeys = await listStored(context.database, { userId: session.userId })
  if (passkeys.length >= passkeysMax) return { is: 'too_many_passkeys' }
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: relyingPartyOf(site),
    userName: session.email,
    userID: new Uint8Array(Buffer.from(session.userId)),
    userDisplayName: session.userName,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
    // The passkey is a discoverable credential, so the sign-in needs no e-mail address. User verification makes the
    // passkey the second factor as well.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const challengeId = await openChallenge(context, options.challenge, { sessionId: session.id })
  return challengeId === undefined ? { is: 'too_many_challenges' } : { is: 'started', challengeId, options }
}

export interface RegistrationAnswer {
  readonly challengeId: string
  /** The result of `navigator.credentials.create()`, parsed from JSON. */
  readonly response: unknown
  /** The name the user gives the passkey, 1 to 100 characters. */
  readonly name: string
  readonly site: Site
}

export type FinishRegistrationOutcome =
  | { readonly is: 'registered'; readonly credentialId: string }
  | { readonly is: 'already_registered' }
  | { readonly is: 'too_many_passkeys' }
  /** The challenge has expired or was answered: start again. */
  | { readonly is: 'expired' }
  | { readonly is: 'invalid' }
  | ReauthenticationRequired

const nameMaxLength = 100

export async function finishPasskeyRegistration(
  context: MembersContext,
  { session, source }: SignedIn,
  { challengeId, response, name, site }: RegistrationAnswer,
): Promise<FinishRegistrationOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const challenge = await takeChallenge(context, challengeId, session.id)
  if (challenge === undefined) return { is: 'expired' }
  const credential = await verifiedCredential(response, challenge, site)
  if (credential === undefined) return { is: 'invalid' }
  const { userId } = session
  const change = { userId, action: 'user.passkey_add' as const, source, sessionId: session.id }
  return changeUser<FinishRegistrationOutcome>(context, change, async ({ trx, now, note, abort }) => {
    if ((await listStored(trx, { userId })).length >= passkeysMax) return abort({ is: 'too_many_passkeys' })
    const passkey = {
      credentialId: credential.id,
      userId,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name: name.trim().slice(0, nameMaxLength) || 'Passkey',
      now,
    }
    if (!(await insertPasskey(trx, passkey))) return abort({ is: 'already_registered' })
    note({ passkey: [null, credential.id] })
    return { is: 'registered', credentialId: credential.id }
  })
}

async function verifiedCredential(response: unknown, expectedChallenge: string, site: Site) {
  const parsed = RegistrationResponse.safeParse(response)
  if (!parsed.success) return undefined
  const { verifyRegistrationResponse } = await webAuthn()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: parsed.data,
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: relyingPartyOf(site),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    return verified ? registrationInfo?.credential : undefined
  } catch {
    // The passkey library throws for every response that it cannot verify.
    return undefined
  }
}

/** Returns the passkeys of the session's user, oldest first. */
export function listPasskeys({ database }: MembersContext, { userId }: { readonly userId: UserId }) {
  return listStored(database, { userId })
}

export type RemovePasskeyOutcome = { readonly is: 'removed' } | { readonly is: 'unknown' } | ReauthenticationRequired

export async function removePasskey(
  context: MembersContext,
  { session, source }: SignedIn,
  credentialId: string,
): Promise<RemovePasskeyOutcome> {
  if (!mayChangeSignIn(session, context.clock.nowMs())) return { is: 'reauthentication_required' }
  const { userId } = session
  const change = { userId, action: 'user.passkey_remove' as const, source, sessionId: session.id }
  return changeUser<RemovePasskeyOutcome>(context, change, async ({ trx, note, abort }) => {
    if (!(await deletePasskey(trx, { userId, credentialId }))) return abort({ is: 'unknown' })
    note({ passkey: [credentialId, null] })
    return { is: 'removed' }
  })
}
