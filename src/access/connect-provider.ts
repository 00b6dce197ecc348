import { callbackSecretNameOf } from '../../registry/values/payment-providers.ts'
import type { Vault } from '../base/vault.ts'
import type { PaymentIdentity } from '../partners/payments/provider.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { listProviderKeys, putProviderKey } from '../store/payments/provider-keys.ts'

export type ConnectProviderOutcome =
  | { readonly is: 'connected'; readonly lastFour: string }
  | { readonly is: 'not_a_secret_key' }
  /**
   * The provider's callbacks are verified with a separate secret, and the given text is not a valid secret of this
   * kind.
   */
  | { readonly is: 'not_a_callback_secret' }
  /**
   * The key is a test key. Production accepts live keys only: test charges move no money but would mark orders as paid.
   */
  | { readonly is: 'test_key' }
  /** The merchant is in test mode, which uses the simulated payment provider and never calls a real one. */
  | { readonly is: 'test_mode' }

interface ProviderSecrets {
  readonly provider: PaymentIdentity
  readonly secretKey: string
  /** The secret with which the provider's callbacks are verified. Undefined if the secret key verifies them. */
  readonly callbackSecret?: string | undefined
}

/**
 * Pattern of a callback secret that the merchant chose: printable, because it is the value of a header, and long enough
 * that it cannot be guessed.
 */
const callbackSecretPattern = /^[\x21-\x7e]{16,200}$/

/** Stores the encrypted secrets of a merchant's account with a payment provider, replacing earlier ones. */
export async function connectProvider(
  context: Context & { readonly vault: Vault; readonly isProduction: boolean },
  actor: Actor,
  tenant: Tenant,
  { provider: { name, keyModeOf }, secretKey, callbackSecret = '' }: ProviderSecrets,
): Promise<ConnectProviderOutcome> {
  if (tenant.mode === 'test') return { is: 'test_mode' }
  const keyMode = keyModeOf(secretKey)
  if (keyMode === undefined) return { is: 'not_a_secret_key' }
  if (context.isProduction && keyMode === 'test') return { is: 'test_key' }
  const hasCallbackSecret = callbackSecretNameOf(name) !== undefined
  if (hasCallbackSecret && !callbackSecretPattern.test(callbackSecret)) return { is: 'not_a_callback_secret' }
  const { merchantId } = tenant
  // The secret key and the callback secret contain no line break, so a line break separates them in the stored text.
  const text = hasCallbackSecret ? `${secretKey}\n${callbackSecret}` : secretKey
  const sealedSecret = context.vault.seal(text, { merchantId, purpose: 'payment_provider_key', provider: name })
  const lastFour = secretKey.slice(-4)
  const mutation = {
    tenant,
    actor,
    action: 'payment_provider.connect' as const,
    resourceType: 'payment_provider',
    resourceId: () => name,
  }
  return mutate(context, mutation, async ({ trx, now, note }) => {
    const earlier = (await listProviderKeys(trx, { merchantId })).find(({ provider }) => provider === name)
    putProviderKey(trx, { merchantId, provider: name, sealedSecret, lastFour, now })
    note({ keyLastFour: [earlier?.lastFour ?? null, lastFour] })
    return { is: 'connected' as const, lastFour }
  })
}
