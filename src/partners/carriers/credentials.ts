import { z } from 'zod'
import type { CarrierCode, simulatedCarrierCodes } from './carrier.ts'

/** The credentials of a merchant's account with each carrier. */

export type ConnectableCarrier = Exclude<CarrierCode, (typeof simulatedCarrierCodes)[number]>

/** Sent in a header, which allows printable characters without spaces only. */
const HeaderSecret = z.string().regex(/^[\x21-\x7e]{8,500}$/)

/** Sent in a body. */
const BodySecret = z.string().min(4).max(200)

/** The merchant's address, used where a place has no e-mail address. */
const Mail = z.email().max(254)

interface CredentialRules {
  readonly schema: z.ZodObject
  /** The field whose last four characters identify the account without disclosing a secret. */
  readonly hintField: string
  /** The prefix of sandbox credentials, if the carrier has one. A sandbox delivers nothing. */
  readonly sandboxPrefix: string | undefined
}

const rules: Readonly<Record<ConnectableCarrier, CredentialRules>> = {
  chowdeck: {
    // Without the webhook secret, callbacks are only hints.
    schema: z.strictObject({ apiKey: HeaderSecret, webhookSecret: BodySecret.optional() }),
    hintField: 'apiKey',
    sandboxPrefix: undefined,
  },
  fez: {
    // The secret key verifies signed callbacks; each login returns the key for requests.
    schema: z.strictObject({ userId: BodySecret, password: BodySecret, secretKey: BodySecret.optional() }),
    // The last characters of a password would disclose too much of it.
    hintField: 'userId',
    sandboxPrefix: undefined,
  },
  shipbubble: {
    // Callbacks are signed with the API key.
    schema: z.strictObject({ apiKey: HeaderSecret, email: Mail }),
    hintField: 'apiKey',
    sandboxPrefix: 'sb_sandbox_',
  },
}

export const connectableCarriers = ['chowdeck', 'fez', 'shipbubble'] as const satisfies readonly ConnectableCarrier[]

export interface CredentialField {
  readonly name: string
  readonly isRequired: boolean
}

/** Returns the credential fields in the order of the prompts. */
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
    // An unknown name is not repeated: it may be the beginning of a secret that was entered without a name.
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
