import { z } from 'zod'
import type { CarrierCode, simulatedCarrierCodes } from './carrier.ts'

/** What a merchant’s account with each carrier is spoken to with. */

export type ConnectableCarrier = Exclude<CarrierCode, (typeof simulatedCarrierCodes)[number]>

/** It travels in a header, which takes printable characters without spaces only. */
const HeaderSecret = z.string().regex(/^[\x21-\x7e]{8,500}$/)

/** It travels in a body. */
const BodySecret = z.string().min(4).max(200)

/** The address of no person: it names the merchant where a place has no e-mail address. */
const Mail = z.email().max(254)

interface CredentialRules {
  readonly schema: z.ZodObject
  /** Whose last four characters tell one account from another, and give nothing away. */
  readonly hintField: string
  /** What the credentials of a sandbox begin with, where they can be told: with them nothing is carried. */
  readonly sandboxPrefix: string | undefined
}

const rules: Readonly<Record<ConnectableCarrier, CredentialRules>> = {
  chowdeck: {
    // Without the webhook secret its callbacks are hints only.
    schema: z.strictObject({ apiKey: HeaderSecret, webhookSecret: BodySecret.optional() }),
    hintField: 'apiKey',
    sandboxPrefix: undefined,
  },
  fez: {
    // The secret key is for signed callbacks; that of the calls comes with each login.
    schema: z.strictObject({ userId: BodySecret, password: BodySecret, secretKey: BodySecret.optional() }),
    // The end of a password is a good part of it.
    hintField: 'userId',
    sandboxPrefix: undefined,
  },
  shipbubble: {
    // It signs its callbacks with the key of its API.
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

/** In the order they are asked for. */
export function credentialFieldsOf(carrier: ConnectableCarrier): readonly CredentialField[] {
  return Object.entries(rules[carrier].schema.shape).map(([name, schema]) => ({
    name,
    isRequired: !z.safeParse(schema, undefined).success,
  }))
}

export type CredentialReading =
  | { readonly is: 'read'; readonly hint: string; readonly isSandbox: boolean }
  /** What is missing, unknown or of the wrong form, in words for a person; never what was given. */
  | { readonly is: 'wrong'; readonly fields: readonly string[] }

const unknownName = 'a name it does not know'

export function checkCredentials(
  carrier: ConnectableCarrier,
  given: Readonly<Record<string, string>>,
): CredentialReading {
  const { schema, hintField, sandboxPrefix } = rules[carrier]
  const result = schema.safeParse(given)
  if (!result.success) {
    // A name nobody knows is not repeated: it may be the beginning of a secret that was not named.
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
