import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { VaultError } from '../../base/vault.ts'
import {
  type Carrier,
  type CarrierAccount,
  type CarrierCode,
  simulatedCarrierCodes,
} from '../../partners/carriers/carrier.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findCarrierAccounts, type StoredCarrierAccount } from '../../store/logistics/carriers/carrier-accounts.ts'
import type { LogisticsContext } from './context.ts'

/** A carrier a merchant may use, with the account to do so. */
export interface UsableCarrier {
  readonly carrier: Carrier
  readonly account: CarrierAccount
}

/** The companies of test mode know no accounts. Whoever wants to be called back by them says where. */
const noCredentials: CarrierAccount = { credentials: {} }

/** Every carrier a merchant may use, and those whose credentials do not open, which cannot be asked. */
export interface Accounts {
  readonly usable: readonly UsableCarrier[]
  readonly closed: readonly CarrierCode[]
}

/** Test mode speaks to the simulator and to nobody else; live mode to the carriers the merchant has connected. */
export async function accountsOf(context: LogisticsContext, tenant: Tenant): Promise<Accounts> {
  const { merchantId } = tenant
  if (tenant.mode === 'test') {
    const simulated = simulatedCarrierCodes.flatMap((code) =>
      usable(context, code, testAccount(context, merchantId, code)),
    )
    return { usable: simulated, closed: [] }
  }
  const kept = await findCarrierAccounts(context.database, merchantId)
  const opened = kept.map((row) => ({ code: row.carrier, account: openAccount(context, merchantId, row) }))
  return {
    usable: opened.flatMap(({ code, account }) => (account === undefined ? [] : usable(context, code, account))),
    closed: opened.flatMap(({ code, account }) => (account === undefined ? [code] : [])),
  }
}

export async function carriersFor(context: LogisticsContext, tenant: Tenant): Promise<readonly UsableCarrier[]> {
  return (await accountsOf(context, tenant)).usable
}

/** What the simulator is told of whom to call back, and by what secret. */
export function testAccount(
  { testAccountOf }: Pick<LogisticsContext, 'testAccountOf'>,
  merchantId: MerchantId,
  code: CarrierCode,
): CarrierAccount {
  return testAccountOf?.(merchantId, code) ?? noCredentials
}

function usable({ carriers }: LogisticsContext, code: CarrierCode, account: CarrierAccount): UsableCarrier[] {
  const carrier = carriers.get(code)
  return carrier === undefined ? [] : [{ carrier, account }]
}

/** Credentials that do not open are none: the carrier is not asked, and the operator has to know. */
export function openAccount(
  { vault, log }: Pick<LogisticsContext, 'vault' | 'log'>,
  merchantId: MerchantId,
  { carrier, sealedCredentials }: Pick<StoredCarrierAccount, 'carrier' | 'sealedCredentials'>,
): CarrierAccount | undefined {
  try {
    const text = vault.open(sealedCredentials, { merchantId, purpose: 'carrier_credentials', carrier })
    const credentials: Record<string, string> = {}
    for (const [name, value] of Object.entries(Object(JSON.parse(text)))) credentials[name] = String(value)
    return { merchantId, credentials }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error, merchantId, carrier }, 'A carrier’s credentials do not open.')
    return undefined
  }
}
