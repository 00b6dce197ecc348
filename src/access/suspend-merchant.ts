import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { markResumed, markSuspended } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate } from '../store/core/mutation.ts'

export interface Suspension {
  /** Id of the merchant in live mode. Its counterpart in test mode is suspended or resumed together with it. */
  readonly merchantId: MerchantId
  readonly reason: string
}

export type SuspensionOutcome = { readonly is: 'suspended' | 'resumed' | 'unchanged' }

/**
 * Suspends a merchant: until it is resumed, its API tokens are rejected with merchant_suspended. Every process rejects
 * them after at most five seconds, the lifetime of its token cache. Webhook deliveries and active shipments continue.
 */
export function suspendMerchant(context: Context, actor: Actor, suspension: Suspension): Promise<SuspensionOutcome> {
  const { merchantId, reason } = suspension
  const mutation = { ...mutationOf(merchantId), actor, action: 'merchant.suspend' as const }
  return mutate<SuspensionOutcome>(context, mutation, async ({ trx, now, note, abort }) => {
    if (await markSuspended(trx, { id: merchantId, now })) {
      note({ suspendedAt: [null, now], reason: [null, reason] })
      return { is: 'suspended' }
    }
    return abort({ is: 'unchanged' })
  })
}

export function resumeMerchant(context: Context, actor: Actor, resumption: Suspension): Promise<SuspensionOutcome> {
  const { merchantId, reason } = resumption
  const mutation = { ...mutationOf(merchantId), actor, action: 'merchant.resume' as const }
  return mutate<SuspensionOutcome>(context, mutation, async ({ trx, note, abort }) => {
    if (await markResumed(trx, { id: merchantId })) {
      note({ suspended: [true, false], reason: [null, reason] })
      return { is: 'resumed' }
    }
    return abort({ is: 'unchanged' })
  })
}

function mutationOf(merchantId: MerchantId) {
  return {
    tenant: { merchantId, mode: 'live' },
    resourceType: 'merchant',
    resourceId: () => merchantId,
  } as const
}
