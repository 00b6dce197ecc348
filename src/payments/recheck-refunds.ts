import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { listMerchants } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate } from '../store/core/mutation.ts'
import { countOpenProviderRefunds, recheckRefunds } from '../store/refunds/refund-checks.ts'

/**
 * Marks every open refund as submitted, after a database was restored from a backup that may have lost submissions.
 * Each refund is then searched for at its provider, and submitted only if it is not found.
 */
export async function recheckOpenRefunds(
  context: Context,
  actor: Actor,
  merchantIds?: readonly MerchantId[],
): Promise<number> {
  const all = await listMerchants(context.database, {})
  const chosen = merchantIds === undefined ? all : all.filter(({ id }) => merchantIds.includes(id))
  let total = 0
  for (const { id: merchantId, mode } of chosen) {
    if ((await countOpenProviderRefunds(context.database, merchantId)) === 0) continue
    const mutation = {
      tenant: { merchantId, mode },
      actor,
      action: 'refunds.recheck' as const,
      resourceType: 'merchant',
      resourceId: () => merchantId,
    }
    total += await mutate(context, mutation, async ({ trx, now, note }) => {
      const count = await recheckRefunds(trx, { merchantId, now })
      note({ refundsToSearch: [null, count] })
      return count
    })
  }
  return total
}
