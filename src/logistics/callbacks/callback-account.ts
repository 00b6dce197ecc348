import { connectableCarriers } from '../../../registry/values/carriers.ts'
import { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { CarrierAccount, CarrierCode } from '../../partners/carriers/carrier.ts'
import { findMerchant } from '../../store/access/merchants.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findCarrierAccountByKey } from '../../store/logistics/carriers/carrier-accounts.ts'
import { openAccount, testAccount } from '../carriers/accounts.ts'
import type { LogisticsContext } from '../carriers/context.ts'

export interface CallbackAccount {
  readonly tenant: Tenant
  readonly account: CarrierAccount
}

/** Undefined for a wrong key, or if the credentials of the account cannot be decrypted. */
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
  const stored = await findCarrierAccountByKey(context.database, { merchantId, carrier: connectable, callbackKey })
  const account = stored && openAccount(context, merchantId, stored)
  return account && { tenant: { merchantId, mode: 'live' }, account }
}

/** The callback key of a simulated carrier is the test merchant’s id, and its callbacks are signed. */
async function findSimulated(
  context: LogisticsContext,
  carrier: CarrierCode,
  key: string,
): Promise<CallbackAccount | undefined> {
  const id = MerchantId.safeParse(key)
  const merchant = id.success ? await findMerchant(context.database, { id: id.data }) : undefined
  if (merchant?.mode !== 'test') return undefined
  const account = testAccount(context, merchant.id, carrier)
  return { tenant: { merchantId: merchant.id, mode: 'test' }, account }
}
