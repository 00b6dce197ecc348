import { z } from 'zod'

/**
 * Schemas of a browser's responses to passkey challenges. The passkey library verifies the contents; these schemas only
 * bound the size of requests.
 */

const encoded = z.string().max(16_384)
/** Credential ids have at most 1023 bytes (WebAuthn 4), which are 1364 characters in base64url. */
const credentialId = z
  .string()
  .max(1_364)
  .regex(/^[\w-]+$/)

const envelope = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
}

export const RegistrationResponse = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})

export const AuthenticationResponse = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.exactOptional(),
  }),
})

/** Loads the passkey library when the first passkey is used, because the library has 300 modules. */
export const webAuthn = () => import('@simplewebauthn/server')
