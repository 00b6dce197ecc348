import {
  type Carrier,
  type CarrierAccount,
  type CarrierCode,
  simulatedCarrierCodes,
} from '../partners/carriers/carrier.ts'
import type { Tenant } from '../store/mutation.ts'
import type { LogisticsContext } from './context.ts'

/** A carrier a merchant may use, with the account to do so. */
export interface UsableCarrier {
  readonly carrier: Carrier
  readonly account: CarrierAccount
}

const noCredentials: CarrierAccount = { credentials: {} }

/** Test mode speaks to the simulator and to nobody else; live mode to the carriers the merchant has connected. */
export async function carriersFor(context: LogisticsContext, tenant: Tenant): Promise<readonly UsableCarrier[]> {
  if (tenant.mode === 'test') return simulatedCarrierCodes.flatMap((code) => usable(context, code, noCredentials))
  return []
}

function usable({ carriers }: LogisticsContext, code: CarrierCode, account: CarrierAccount): UsableCarrier[] {
  const carrier = carriers.get(code)
  return carrier === undefined ? [] : [{ carrier, account }]
}
