import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { lockRateLimits, writeRateLimits } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'

/**
 * Sets the rate limits of a merchant. The value is one line in the format of the variable RATE_LIMITS, or null for the
 * default limits of the service. All processes use the new limits within five seconds, the lifetime of the token cache.
 * Only the operator may set them, because they protect the other merchants.
 */
export function setRateLimits(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  line: string | null,
): Promise<{ readonly id: MerchantId }> {
  const { merchantId } = tenant
  const mutation = {
    tenant,
    actor,
    action: 'merchant.set_rate_limits' as const,
    resourceType: 'merchant',
    resourceId: () => merchantId,
  }
  return mutate(context, mutation, async ({ trx, note }) => {
    const before = await lockRateLimits(trx, merchantId)
    writeRateLimits(trx, { id: merchantId, line })
    note({ rateLimits: [before, line] })
    return { id: merchantId }
  })
}
