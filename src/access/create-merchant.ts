import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { newMerchantId } from '../base/records.ts'
import { insertMerchant } from '../store/access/merchants.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate } from '../store/core/mutation.ts'

export interface NewMerchant {
  readonly id: MerchantId
  readonly testId: MerchantId
}

/** Also creates the merchant's test-mode merchant. */
export function createMerchant(context: Context, actor: Actor, name: string): Promise<NewMerchant> {
  const nowMs = context.clock.nowMs()
  const merchant = { id: newMerchantId(nowMs), testId: newMerchantId(nowMs) }
  return mutate(
    context,
    {
      tenant: { merchantId: merchant.id, mode: 'live' },
      actor,
      action: 'merchant.create' as const,
      resourceType: 'merchant',
      resourceId: (created) => created.id,
    },
    async ({ trx, now, note }) => {
      insertMerchant(trx, { id: merchant.id, name, mode: 'live', liveMerchantId: null, createdAt: now })
      insertMerchant(trx, { id: merchant.testId, name, mode: 'test', liveMerchantId: merchant.id, createdAt: now })
      note({ name: [null, name] })
      return merchant
    },
  )
}
