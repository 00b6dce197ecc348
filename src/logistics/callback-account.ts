import { MerchantId } from '../../registry/vocabulary.ts'
import { type CarrierAccount, type CarrierCode, simulatedCarrierCodes } from '../partners/carriers/carrier.ts'
import type { ReadDb } from '../store/database.ts'
import { findMerchant } from '../store/merchants.ts'
import type { Tenant } from '../store/mutation.ts'

/** Whose account with a carrier a callback came in at. */
export interface CallbackAccount {
  readonly tenant: Tenant
  readonly account: CarrierAccount
}

const simulated: readonly CarrierCode[] = simulatedCarrierCodes

/** The simulator signs with one secret, which its adapter knows. */
const noCredentials: CarrierAccount = { credentials: {} }

/** By the key in the address that was given to the carrier. A wrong one is nobody’s, whatever is wrong with it. */
export async function findAccountByCallbackKey(
  db: ReadDb,
  carrier: CarrierCode,
  key: string,
): Promise<CallbackAccount | undefined> {
  if (simulated.includes(carrier)) return findSimulated(db, key)
  // Here the accounts of real carriers are looked up, by carrier and carrier_accounts.callback_key.
  return undefined
}

/** The simulator calls test twins and nobody else; its key is the twin itself, because there is nothing to guard. */
async function findSimulated(db: ReadDb, key: string): Promise<CallbackAccount | undefined> {
  const id = MerchantId.safeParse(key)
  const merchant = id.success ? await findMerchant(db, id.data) : undefined
  if (merchant?.mode !== 'test') return undefined
  return { tenant: { merchantId: merchant.id, mode: 'test' }, account: noCredentials }
}
