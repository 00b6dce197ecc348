import { randomBase62 } from '../base/ids.ts'
import type { Vault } from '../base/vault.ts'
import { type ConnectableCarrier, checkCredentials } from '../partners/carriers/credentials.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockCarrierAccount, putCarrierAccount } from '../store/logistics/carriers/carrier-accounts.ts'

export type ConnectCarrierOutcome =
  | { readonly is: 'connected'; readonly hint: string; readonly callbackPath: string }
  /** These fields are missing, unknown, or of the wrong form. */
  | { readonly is: 'wrong_credentials'; readonly fields: readonly string[] }
  /** With it, nobody would come for real parcels. */
  | { readonly is: 'sandbox_account' }
  /** The test side of a merchant never speaks to a partner. */
  | { readonly is: 'test_mode' }

interface CarrierConnection {
  readonly carrier: ConnectableCarrier
  readonly credentials: Readonly<Record<string, string>>
}

/** Of letters and digits, some 190 bits: the address must not be guessed even where callbacks are not signed. */
const callbackKeyLength = 32

/** Keeps the credentials of a merchant's account with a carrier, sealed, in the place of earlier ones. */
export async function connectCarrier(
  context: Context & { readonly vault: Vault; readonly isProduction: boolean },
  actor: Actor,
  tenant: Tenant,
  { carrier, credentials }: CarrierConnection,
): Promise<ConnectCarrierOutcome> {
  if (tenant.mode === 'test') return { is: 'test_mode' }
  const read = checkCredentials(carrier, credentials)
  if (read.is === 'wrong') return { is: 'wrong_credentials', fields: read.fields }
  if (context.isProduction && read.isSandbox) return { is: 'sandbox_account' }
  const { hint } = read
  const { merchantId } = tenant
  const binding = { merchantId, purpose: 'carrier_credentials', carrier } as const
  const sealedCredentials = context.vault.seal(JSON.stringify(credentials), binding)
  const mutation = {
    tenant,
    actor,
    action: 'carrier.connect',
    resourceType: 'carrier',
    resourceId: () => carrier,
  }
  return mutate(context, mutation, async ({ trx, now, note }) => {
    const earlier = await lockCarrierAccount(trx, { merchantId, carrier })
    const newKey = randomBase62(callbackKeyLength)
    const account = { merchantId, carrier, sealedCredentials, hint, callbackKey: newKey, now }
    const callbackKey = await putCarrierAccount(trx, account)
    note({ accountHint: [earlier?.hint ?? null, hint] })
    const callbackPath = carrierCallbackPath({ merchantId, carrier, callbackKey })
    return { is: 'connected' as const, hint, callbackPath }
  })
}

/** Where a carrier is to call back. */
export function carrierCallbackPath(account: {
  readonly merchantId: string
  readonly carrier: ConnectableCarrier
  readonly callbackKey: string
}): string {
  return `/callbacks/carriers/${account.carrier}/${account.merchantId}.${account.callbackKey}`
}
