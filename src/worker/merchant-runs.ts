import type { MerchantId } from '../../registry/values/vocabulary.ts'

/**
 * Returns a function that calls `run` for a merchant. For each merchant, at most one call of `run` is in progress in this
 * process. A call for the same merchant during this time does not wait: `run` is called again when it has ended, so that
 * it processes rows that have become due since it last searched.
 *
 * Named queues of Graphile Worker are not used for this: if a worker is killed, its queues stay locked for four hours.
 */
export function openMerchantRuns(
  run: (merchantId: MerchantId) => Promise<unknown>,
): (merchantId: MerchantId) => Promise<void> {
  const running = new Map<MerchantId, { isRequested: boolean }>()
  return async (merchantId) => {
    const current = running.get(merchantId)
    if (current !== undefined) {
      current.isRequested = true
      return
    }
    const own = { isRequested: true }
    running.set(merchantId, own)
    try {
      while (own.isRequested) {
        own.isRequested = false
        await run(merchantId)
      }
    } finally {
      running.delete(merchantId)
    }
  }
}
