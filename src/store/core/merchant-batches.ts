import type { MerchantId } from '../../../registry/values/vocabulary.ts'

/** Number of merchants per statement, so few that each statement stays far below the statement timeout. */
const batchSize = 20

export function merchantBatches(merchantIds: readonly MerchantId[]): readonly (readonly MerchantId[])[] {
  const count = Math.ceil(merchantIds.length / batchSize)
  return Array.from({ length: count }, (_, index) => merchantIds.slice(index * batchSize, (index + 1) * batchSize))
}
