import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import { type Vault, VaultError } from '../base/vault.ts'
import type { PaymentProvider } from '../partners/payments/provider.ts'
import type { Database } from '../store/core/database.ts'
import { findUsedKey } from '../store/payments/provider-keys.ts'

/** The simulated payment provider, which test mode speaks to. */
export interface TestPayments {
  readonly provider: PaymentProvider
  readonly keyOf: (merchantId: MerchantId) => string
  /** How long a refund stays in one state. */
  readonly stepMs: number
}

interface KeyContext {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
  /** Undefined where nobody simulates one. */
  readonly testPayments?: TestPayments | undefined
}

export interface OpenedKey {
  readonly secretKey: string
  readonly mode: 'live' | 'test'
}

/** A key that does not open is no key: what needs it waits, and the operator has to know. */
export async function openProviderKey(
  { database, vault, log, testPayments }: KeyContext,
  merchantId: MerchantId,
): Promise<OpenedKey | undefined> {
  const used = await findUsedKey(database, merchantId)
  if (used?.mode === 'test') {
    return testPayments && { mode: 'test', secretKey: testPayments.keyOf(merchantId) }
  }
  try {
    const sealed = used?.sealedSecret ?? undefined
    return sealed && { mode: 'live', secretKey: vault.open(sealed, { merchantId, purpose: 'paystack_secret_key' }) }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error, merchantId }, 'A payment provider’s key does not open.')
    return undefined
  }
}

/** Whom a key is for. */
export function providerOf(
  { provider, testPayments }: { readonly provider: PaymentProvider; readonly testPayments?: TestPayments | undefined },
  { mode }: OpenedKey,
): PaymentProvider {
  return mode === 'test' ? (testPayments?.provider ?? provider) : provider
}
