import type { MerchantId } from '../../registry/vocabulary.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { findPaystackKey } from '../store/provider-keys.ts'
import { type Vault, VaultError } from '../vault.ts'

interface KeyContext {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
}

/** A key that does not open is no key: what needs it waits, and the operator has to know. */
export async function openPaystackKey(
  { database, vault, log }: KeyContext,
  merchantId: MerchantId,
): Promise<string | undefined> {
  const key = await findPaystackKey(database, merchantId)
  try {
    return key && vault.open(key.sealedSecret, { merchantId, purpose: 'paystack_secret_key' })
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error, merchantId }, 'A payment provider’s key does not open.')
    return undefined
  }
}
