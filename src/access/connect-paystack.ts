import type { Vault } from '../base/vault.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { findPaystackKey, putPaystackKey } from '../store/payments/provider-keys.ts'

export type ConnectPaystackOutcome =
  | { readonly is: 'connected'; readonly lastFour: string }
  | { readonly is: 'not_a_secret_key' }
  /** Production takes live keys only: test charges move no money but would mark orders as paid. */
  | { readonly is: 'test_key' }
  /** Test mode uses the simulated payment provider and never calls Paystack. */
  | { readonly is: 'test_mode' }

/** Pattern of a Paystack secret key. It does not match public keys (pk_), which merchants often enter by mistake. */
const secretKeyPattern = /^sk_(live|test)_[0-9A-Za-z]{4,200}$/

/** Stores the encrypted secret key of a merchant's Paystack account, replacing an earlier one. */
export async function connectPaystack(
  context: Context & { readonly vault: Vault; readonly isProduction: boolean },
  actor: Actor,
  tenant: Tenant,
  secretKey: string,
): Promise<ConnectPaystackOutcome> {
  if (tenant.mode === 'test') return { is: 'test_mode' }
  if (!secretKeyPattern.test(secretKey)) return { is: 'not_a_secret_key' }
  if (context.isProduction && secretKey.startsWith('sk_test_')) return { is: 'test_key' }
  const { merchantId } = tenant
  const sealedSecret = context.vault.seal(secretKey, { merchantId, purpose: 'paystack_secret_key' })
  const lastFour = secretKey.slice(-4)
  const mutation = {
    tenant,
    actor,
    action: 'payment_provider.connect',
    resourceType: 'payment_provider',
    resourceId: () => 'paystack',
  }
  return mutate(context, mutation, async ({ trx, now, note }) => {
    const earlier = await findPaystackKey(trx, merchantId)
    putPaystackKey(trx, { merchantId, sealedSecret, lastFour, now })
    note({ keyLastFour: [earlier?.lastFour ?? null, lastFour] })
    return { is: 'connected' as const, lastFour }
  })
}
