import type { MerchantId } from '../../../registry/values/vocabulary.ts'

/** Few enough that a statement about them stays far below its time limit, however many merchants there are. */
const merchantsAtOnce = 20

export function merchantBatches(merchantIds: readonly MerchantId[]): readonly (readonly MerchantId[])[] {
  const count = Math.ceil(merchantIds.length / merchantsAtOnce)
  return Array.from({ length: count }, (_, index) =>
    merchantIds.slice(index * merchantsAtOnce, (index + 1) * merchantsAtOnce),
  )
}
