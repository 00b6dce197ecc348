import type { PaymentProviderName } from '../../registry/values/payment-providers.ts'
import type { MerchantId, Timestamp } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import { type Vault, VaultError } from '../base/vault.ts'
import type { PaymentProvider } from '../partners/payments/provider.ts'
import type { PaymentProviders } from '../partners/payments/providers.ts'
import type { Context } from '../store/core/mutation.ts'
import { findUsedKey } from '../store/payments/provider-keys.ts'

export interface TestPayments {
  readonly provider: PaymentProvider
  readonly keyOf: (merchantId: string) => string
  /** The duration of each step of a simulated refund, in milliseconds. */
  readonly stepMs: number
}

/** Dependencies of requests to payment providers, and of recording their outcomes. */
export interface PaymentContext extends Context {
  readonly log: Log
  readonly vault: Vault
  readonly providers: PaymentProviders
  /**
   * Undefined if this process has no simulated payment provider. Refunds in test mode then wait for a process that has
   * one.
   */
  readonly testPayments?: TestPayments | undefined
  /** When this signal is aborted, the worker claims no further callbacks, refunds or other work. */
  readonly stopping?: AbortSignal
}

export interface OpenedKey {
  readonly provider: PaymentProvider
  readonly secretKey: string
  /**
   * The secret that verifies the provider's callbacks. It is the secret key, unless the provider has another secret for
   * callbacks.
   */
  readonly callbackSecret: string
  readonly mode: 'live' | 'test'
  /** When the merchant stored the key of the provider. Null in test mode, which needs no key. */
  readonly updatedAt: Timestamp | null
}

/** A key that cannot be decrypted is logged and treated as missing, so that work that needs the key waits. */
export async function openProviderKey(
  { database, vault, log, providers, testPayments }: PaymentContext,
  merchantId: MerchantId,
  name: PaymentProviderName,
): Promise<OpenedKey | undefined> {
  const stored = await findUsedKey(database, { merchantId, provider: name })
  if (stored?.mode === 'test') {
    if (testPayments?.provider.name !== name) return undefined
    const secretKey = testPayments.keyOf(merchantId)
    return { mode: 'test', provider: testPayments.provider, secretKey, callbackSecret: secretKey, updatedAt: null }
  }
  const [provider, sealed] = [providers.get(name), stored?.sealedSecret ?? undefined]
  if (provider === undefined || sealed === undefined) return undefined
  try {
    const text = vault.open(sealed, { merchantId, purpose: 'payment_provider_key', provider: name })
    return { mode: 'live', provider, updatedAt: stored?.updatedAt ?? null, ...secretsIn(text) }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error, merchantId, provider: name }, 'A payment provider key cannot be decrypted.')
    return undefined
  }
}

interface Secrets {
  readonly secretKey: string
  readonly callbackSecret: string
}

/** Returns the secrets of a provider account from the stored text, whose format `connectProvider` defines. */
function secretsIn(text: string): Secrets {
  const [secretKey = '', callbackSecret = secretKey] = text.split('\n')
  return { secretKey, callbackSecret }
}
