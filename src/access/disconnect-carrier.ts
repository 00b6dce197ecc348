import type { ConnectableCarrier } from '../../registry/values/carriers.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockCarrierAccount, removeCarrierAccount } from '../store/logistics/carriers/carrier-accounts.ts'

export type DisconnectCarrierOutcome =
  | { readonly is: 'disconnected'; readonly hint: string }
  | { readonly is: 'not_connected' }
  /** The merchant is in test mode, which never calls a carrier. */
  | { readonly is: 'test_mode' }

/**
 * Deletes the credentials and the callback URL of a carrier account. The active shipments of this account are no longer
 * tracked.
 */
export async function disconnectCarrier(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  carrier: ConnectableCarrier,
): Promise<DisconnectCarrierOutcome> {
  if (tenant.mode === 'test') return { is: 'test_mode' }
  const mutation = {
    tenant,
    actor,
    action: 'carrier.disconnect' as const,
    resourceType: 'carrier',
    resourceId: () => carrier,
  }
  return mutate<DisconnectCarrierOutcome>(context, mutation, async ({ trx, merchantId, note, abort }) => {
    const account = await lockCarrierAccount(trx, { merchantId, carrier })
    if (account === undefined) return abort({ is: 'not_connected' })
    removeCarrierAccount(trx, { merchantId, carrier })
    note({ accountHint: [account.hint, null] })
    return { is: 'disconnected', hint: account.hint }
  })
}
