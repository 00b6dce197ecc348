import { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { CarrierAccount, CarrierCode } from '../../partners/carriers/carrier.ts'
import { connectableCarriers } from '../../partners/carriers/credentials.ts'
import { findMerchant } from '../../store/access/merchants.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findCarrierAccountByKey } from '../../store/logistics/carriers/carrier-accounts.ts'
import { openAccount, testAccount } from '../carriers/accounts.ts'
import type { LogisticsContext } from '../carriers/context.ts'

/** Whose account with a carrier a callback came in at. */
export interface CallbackAccount {
  readonly tenant: Tenant
  readonly account: CarrierAccount
}

/** By the key in the address that was given to the carrier. A wrong one is nobody’s, whatever is wrong with it. */
export async function findAccountByCallbackKey(
  context: LogisticsContext,
  carrier: CarrierCode,
  key: string,
): Promise<CallbackAccount | undefined> {
  const connectable = connectableCarriers.find((known) => known === carrier)
  if (connectable === undefined) return findSimulated(context, carrier, key)
  const [id, callbackKey = ''] = key.split('.')
  const merchant = MerchantId.safeParse(id)
  if (!merchant.success) return undefined
  const merchantId = merchant.data
  const kept = await findCarrierAccountByKey(context.database, { merchantId, carrier: connectable, callbackKey })
  const account = kept && openAccount(context, merchantId, kept)
  return account && { tenant: { merchantId, mode: 'live' }, account }
}

/** The simulator calls test twins and nobody else; its key is the twin itself, and what it tells is signed. */
async function findSimulated(
  context: LogisticsContext,
  carrier: CarrierCode,
  key: string,
): Promise<CallbackAccount | undefined> {
  const id = MerchantId.safeParse(key)
  const merchant = id.success ? await findMerchant(context.database, id.data) : undefined
  if (merchant?.mode !== 'test') return undefined
  const account = testAccount(context, merchant.id, carrier)
  return { tenant: { merchantId: merchant.id, mode: 'test' }, account }
}
