import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import { type Vault, VaultError } from '../base/vault.ts'
import type { PaymentProvider } from '../partners/payments/provider.ts'
import type { Database } from '../store/core/database.ts'
import { findUsedKey } from '../store/payments/provider-keys.ts'

/** The simulated payment provider of test mode, with its keys and its timing. */
export interface TestPayments {
  readonly provider: PaymentProvider
  readonly keyOf: (merchantId: MerchantId) => string
  /** The duration of each step of a simulated refund, in milliseconds. */
  readonly stepMs: number
}

interface KeyContext {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
  /** The simulated payment provider. Undefined if this process has none. */
  readonly testPayments?: TestPayments | undefined
}

export interface OpenedKey {
  readonly secretKey: string
  readonly mode: 'live' | 'test'
}

/**
 * Decrypts the merchant's payment provider key. A key that cannot be decrypted is logged and treated as missing, so
 * that work that needs the key waits.
 */
export async function openProviderKey(
  { database, vault, log, testPayments }: KeyContext,
  merchantId: MerchantId,
): Promise<OpenedKey | undefined> {
  const stored = await findUsedKey(database, merchantId)
  if (stored?.mode === 'test') {
    return testPayments && { mode: 'test', secretKey: testPayments.keyOf(merchantId) }
  }
  try {
    const sealed = stored?.sealedSecret ?? undefined
    return sealed && { mode: 'live', secretKey: vault.open(sealed, { merchantId, purpose: 'paystack_secret_key' }) }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error, merchantId }, 'A payment provider key cannot be decrypted.')
    return undefined
  }
}

/** Returns the payment provider that a key belongs to. */
export function providerOf(
  { provider, testPayments }: { readonly provider: PaymentProvider; readonly testPayments?: TestPayments | undefined },
  { mode }: OpenedKey,
): PaymentProvider {
  return mode === 'test' ? (testPayments?.provider ?? provider) : provider
}
