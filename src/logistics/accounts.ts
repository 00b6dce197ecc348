import type { MerchantId } from '../../registry/vocabulary.ts'
import {
  type Carrier,
  type CarrierAccount,
  type CarrierCode,
  simulatedCarrierCodes,
} from '../partners/carriers/carrier.ts'
import { findCarrierAccounts, type KeptCarrierAccount } from '../store/carrier-accounts.ts'
import type { Tenant } from '../store/mutation.ts'
import { VaultError } from '../vault.ts'
import type { LogisticsContext } from './context.ts'

/** A carrier a merchant may use, with the account to do so. */
export interface UsableCarrier {
  readonly carrier: Carrier
  readonly account: CarrierAccount
}

/** The companies of test mode know no accounts. Whoever wants to be called back by them says where. */
const noCredentials: CarrierAccount = { credentials: {} }

/** Test mode speaks to the simulator and to nobody else; live mode to the carriers the merchant has connected. */
export async function carriersFor(context: LogisticsContext, tenant: Tenant): Promise<readonly UsableCarrier[]> {
  const { merchantId } = tenant
  if (tenant.mode === 'test') {
    const account = context.testAccountOf?.(merchantId) ?? noCredentials
    return simulatedCarrierCodes.flatMap((code) => usable(context, code, account))
  }
  const kept = await findCarrierAccounts(context.database, merchantId)
  return kept.flatMap((account) => {
    const opened = openAccount(context, merchantId, account)
    return opened === undefined ? [] : usable(context, account.carrier, opened)
  })
}

function usable({ carriers }: LogisticsContext, code: CarrierCode, account: CarrierAccount): UsableCarrier[] {
  const carrier = carriers.get(code)
  return carrier === undefined ? [] : [{ carrier, account }]
}

/** Credentials that do not open are none: the carrier is not asked, and the operator has to know. */
export function openAccount(
  { vault, log }: Pick<LogisticsContext, 'vault' | 'log'>,
  merchantId: MerchantId,
  { carrier, sealedCredentials }: Pick<KeptCarrierAccount, 'carrier' | 'sealedCredentials'>,
): CarrierAccount | undefined {
  try {
    const text = vault.open(sealedCredentials, { merchantId, purpose: 'carrier_credentials', carrier })
    const credentials: Record<string, string> = {}
    for (const [name, value] of Object.entries(Object(JSON.parse(text)))) credentials[name] = String(value)
    return { credentials }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error, merchantId, carrier }, 'A carrier’s credentials do not open.')
    return undefined
  }
}
