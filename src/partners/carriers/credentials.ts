import { z } from 'zod'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'

/** Format of a secret that is sent in a header: printable ASCII characters, without spaces. */
const HeaderSecret = z.string().regex(/^[\x21-\x7e]{8,500}$/)

const BodySecret = z.string().min(4).max(200)

/**
 * The merchant's e-mail address. It is sent to the carrier for a pickup or dropoff that has no e-mail address of its
 * own.
 */
const Mail = z.email().max(254)

interface CredentialRules {
  readonly schema: z.ZodObject
  /** The credential field whose last four characters identify the carrier account without disclosing a secret. */
  readonly hintField: string
  /** The prefix of sandbox credentials, if the carrier has one. A sandbox delivers nothing. */
  readonly sandboxPrefix: string | undefined
}

const rules: Readonly<Record<ConnectableCarrier, CredentialRules>> = {
  chowdeck: {
    // Without the webhook secret, callbacks cannot be authenticated, so they only trigger a poll.
    schema: z.strictObject({ apiKey: HeaderSecret, webhookSecret: BodySecret.optional() }),
    hintField: 'apiKey',
    sandboxPrefix: undefined,
  },
  fez: {
    // The secret key of a Fez account verifies signed callbacks. Requests need no stored key, because Fez returns a key
    // for them with each login.
    schema: z.strictObject({ userId: BodySecret, password: BodySecret, secretKey: BodySecret.optional() }),
    // The end of the user id is shown to identify the carrier account, because the last characters of a password would
    // disclose too much of it.
    hintField: 'userId',
    sandboxPrefix: undefined,
  },
  shipbubble: {
    // Shipbubble signs callbacks with the API key of the merchant's account.
    schema: z.strictObject({ apiKey: HeaderSecret, email: Mail }),
    hintField: 'apiKey',
    sandboxPrefix: 'sb_sandbox_',
  },
}

export interface CredentialField {
  readonly name: string
  readonly isRequired: boolean
}

/** Returns the credential fields of a carrier, in the order in which the command line prompts for them. */
export function credentialFieldsOf(carrier: ConnectableCarrier): readonly CredentialField[] {
  return Object.entries(rules[carrier].schema.shape).map(([name, schema]) => ({
    name,
    isRequired: !z.safeParse(schema, undefined).success,
  }))
}

export type CredentialReading =
  | { readonly is: 'read'; readonly hint: string; readonly isSandbox: boolean }
  /** Names of missing, unknown or invalid fields; never their values. */
  | { readonly is: 'wrong'; readonly fields: readonly string[] }

const unknownName = 'an unknown name'

export function checkCredentials(
  carrier: ConnectableCarrier,
  given: Readonly<Record<string, string>>,
): CredentialReading {
  const { schema, hintField, sandboxPrefix } = rules[carrier]
  const result = schema.safeParse(given)
  if (!result.success) {
    // The error message does not repeat an unknown credential name, because it may be the beginning of a secret that
    // was entered without a name.
    const named = result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? unknownName : issue.path.map(String),
    )
    return { is: 'wrong', fields: [...new Set(named)] }
  }
  const account = given[hintField] ?? ''
  return {
    is: 'read',
    hint: account.slice(-4),
    isSandbox: sandboxPrefix !== undefined && account.startsWith(sandboxPrefix),
  }
}
