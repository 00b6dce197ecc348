import type { ConnectableCarrier } from '../partners/carriers/credentials.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockCarrierAccount, removeCarrierAccount } from '../store/logistics/carriers/carrier-accounts.ts'

export type DisconnectCarrierOutcome =
  | { readonly is: 'disconnected'; readonly hint: string }
  | { readonly is: 'not_connected' }
  /** The test side of a merchant never speaks to a partner. */
  | { readonly is: 'test_mode' }

/** Forgets the credentials, and the address the carrier called back at: what is under way can be asked for no more. */
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
    action: 'carrier.disconnect',
    resourceType: 'carrier',
    resourceId: () => carrier,
  }
  return mutate<DisconnectCarrierOutcome>(context, mutation, async ({ trx, merchantId, note, abort }) => {
    const kept = await lockCarrierAccount(trx, { merchantId, carrier })
    if (kept === undefined) return abort({ is: 'not_connected' })
    removeCarrierAccount(trx, { merchantId, carrier })
    note({ accountHint: [kept.hint, null] })
    return { is: 'disconnected', hint: kept.hint }
  })
}
