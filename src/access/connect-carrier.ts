import type { ConnectableCarrier } from '../../registry/values/carriers.ts'
import { randomBase62 } from '../base/ids.ts'
import type { Vault } from '../base/vault.ts'
import { checkCredentials } from '../partners/carriers/credentials.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockCarrierAccount, putCarrierAccount } from '../store/logistics/carriers/carrier-accounts.ts'

export type ConnectCarrierOutcome =
  | { readonly is: 'connected'; readonly hint: string; readonly callbackPath: string }
  /** Names of the credential fields that are missing, unknown or malformed. */
  | { readonly is: 'wrong_credentials'; readonly fields: readonly string[] }
  /** The account is a sandbox account, which sends no rider. Production accepts live accounts only. */
  | { readonly is: 'sandbox_account' }
  /** The merchant is in test mode, which never calls a carrier. */
  | { readonly is: 'test_mode' }

interface CarrierConnection {
  readonly carrier: ConnectableCarrier
  readonly credentials: Readonly<Record<string, string>>
}

/**
 * Length of the random key in callback URLs: 32 letters and digits, which are 190 bits. Some carriers do not sign
 * callbacks, so the URL must not be guessable.
 */
const callbackKeyLength = 32

/** Stores the encrypted credentials of a merchant's carrier account, replacing earlier ones. */
export async function connectCarrier(
  context: Context & { readonly vault: Vault; readonly isProduction: boolean },
  actor: Actor,
  tenant: Tenant,
  { carrier, credentials }: CarrierConnection,
): Promise<ConnectCarrierOutcome> {
  if (tenant.mode === 'test') return { is: 'test_mode' }
  const checked = checkCredentials(carrier, credentials)
  if (checked.is === 'wrong') return { is: 'wrong_credentials', fields: checked.fields }
  if (context.isProduction && checked.isSandbox) return { is: 'sandbox_account' }
  const { hint } = checked
  const { merchantId } = tenant
  const binding = { merchantId, purpose: 'carrier_credentials', carrier } as const
  const sealedCredentials = context.vault.seal(JSON.stringify(credentials), binding)
  const mutation = {
    tenant,
    actor,
    action: 'carrier.connect' as const,
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

export function carrierCallbackPath(account: {
  readonly merchantId: string
  readonly carrier: ConnectableCarrier
  readonly callbackKey: string
}): string {
  return `/callbacks/carriers/${account.carrier}/${account.merchantId}.${account.callbackKey}`
}
