import type { UserId } from '../../../registry/values/vocabulary.ts'
import { findPasskey } from '../../store/access/passkeys.ts'
import type { MembersContext } from './context.ts'
import { relyingPartyOf, type Site } from './passkey-challenge.ts'
import { AuthenticationResponse, webAuthn } from './passkey-responses.ts'

export interface VerifiedPasskey {
  readonly userId: UserId
  /** The id of the passkey, in base64url. */
  readonly credentialId: string
  /**
   * The number of times that the passkey was used, as its authenticator reports it. Most authenticators always report
   * 0.
   */
  readonly counter: number
}

export interface PasskeyResponse {
  /** The result of `navigator.credentials.get()`, parsed from JSON. */
  readonly response: unknown
  readonly site: Site
}

/** Undefined for an unknown passkey or an invalid response. */
export async function verifyPasskey(
  { database }: MembersContext,
  { response, site }: PasskeyResponse,
  challenge: string,
): Promise<VerifiedPasskey | undefined> {
  const parsed = AuthenticationResponse.safeParse(response)
  if (!parsed.success) return undefined
  const { id } = parsed.data
  const passkey = await findPasskey(database, { credentialId: id })
  if (passkey === undefined) return undefined
  const { userId, publicKey, counter, transports } = passkey
  const { verifyAuthenticationResponse } = await webAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: parsed.data,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: relyingPartyOf(site),
      credential: { id, publicKey: new Uint8Array(publicKey), counter, transports },
      requireUserVerification: true,
    })
    return verified ? { userId, credentialId: id, counter: authenticationInfo.newCounter } : undefined
  } catch {
    // The passkey library throws for every response that it cannot verify.
    return undefined
  }
}
