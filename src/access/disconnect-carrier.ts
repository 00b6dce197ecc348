import type { ConnectableCarrier } from '../partners/carriers/credentials.ts'
import type { Actor } from '../store/audit.ts'
import { lockCarrierAccount, removeCarrierAccount } from '../store/carrier-accounts.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'

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
  return mutate(context, mutation, async ({ trx, merchantId, note, leaveUnchanged }) => {
    const kept = await lockCarrierAccount(trx, { merchantId, carrier })
    if (kept === undefined) {
      leaveUnchanged()
      return { is: 'not_connected' as const }
    }
    removeCarrierAccount(trx, { merchantId, carrier })
    note({ accountHint: [kept.hint, null] })
    return { is: 'disconnected' as const, hint: kept.hint }
  })
}
