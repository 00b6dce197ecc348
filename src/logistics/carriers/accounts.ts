import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { VaultError } from '../../base/vault.ts'
import type { Carrier, CarrierAccount, CarrierCode } from '../../partners/carriers/carrier.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findCarrierAccounts, type StoredCarrierAccount } from '../../store/logistics/carriers/carrier-accounts.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { LogisticsContext } from './context.ts'

export interface UsableCarrier {
  readonly carrier: Carrier
  readonly account: CarrierAccount
  /**
   * When the merchant last stored the credentials of the account. Undefined for a simulated carrier, which needs none.
   */
  readonly connectedAt?: Timestamp
}

/**
 * Whether the credentials of a carrier account were replaced after a dispatch attempt started. They may be those of
 * another account, so it proves nothing if the carrier does not find the order of the attempt. A repeated request could
 * create a second order.
 */
export function isAccountReplaced(
  { connectedAt }: UsableCarrier,
  { startedAt }: Pick<StoredAttempt, 'startedAt'>,
): boolean {
  return connectedAt !== undefined && connectedAt > startedAt
}

/**
 * Account of a simulated carrier, without credentials. For requests that need a callback URL, `testAccountOf` returns
 * an account that has one.
 */
const noCredentials: CarrierAccount = { credentials: {} }

/** The carriers that a merchant may use, and those whose credentials cannot be decrypted. */
export interface Accounts {
  readonly usable: readonly UsableCarrier[]
  readonly closed: readonly CarrierCode[]
}

/**
 * Returns the carriers of a merchant: in test mode the simulated ones, in live mode those that the merchant has
 * connected.
 */
export async function accountsOf(context: LogisticsContext, tenant: Tenant): Promise<Accounts> {
  const { merchantId } = tenant
  if (tenant.mode === 'test') {
    const simulated = testCarrierCodes.flatMap((code) => usable(context, code, testAccount(context, merchantId, code)))
    return { usable: simulated, closed: [] }
  }
  const stored = await findCarrierAccounts(context.database, merchantId)
  const opened = stored.map((row) => ({
    code: row.carrier,
    account: openAccount(context, merchantId, row),
    connectedAt: row.updatedAt,
  }))
  return {
    usable: opened.flatMap(({ code, account, connectedAt }) =>
      account === undefined ? [] : usable(context, code, account).map((each) => ({ ...each, connectedAt })),
    ),
    closed: opened.flatMap(({ code, account }) => (account === undefined ? [code] : [])),
  }
}

export async function carriersFor(context: LogisticsContext, tenant: Tenant): Promise<readonly UsableCarrier[]> {
  return (await accountsOf(context, tenant)).usable
}

/** Returns a simulated carrier's account: the URL for its callbacks, and the secret that signs them. */
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

/**
 * If the credentials cannot be decrypted, logs an error and returns undefined, so that no request is sent to the
 * carrier.
 */
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
    log.error({ err: error, merchantId, carrier }, 'The credentials of a carrier account could not be decrypted.')
    return undefined
  }
}
