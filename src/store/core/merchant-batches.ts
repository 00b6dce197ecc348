import type { MerchantId } from '../../../registry/values/vocabulary.ts'

/** Number of merchants whose statements are sent together, so few that the responses need little memory. */
const batchSize = 20

export function merchantBatches(merchantIds: readonly MerchantId[]): readonly (readonly MerchantId[])[] {
  const count = Math.ceil(merchantIds.length / batchSize)
  return Array.from({ length: count }, (_, index) => merchantIds.slice(index * batchSize, (index + 1) * batchSize))
}
