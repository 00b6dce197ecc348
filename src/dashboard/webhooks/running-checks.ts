import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import { openSharedSlots } from '../kit/shared-slots.ts'

/**
 * Maximum number of webhook receiver checks that run in this process at once. Each may take a minute, so many checks
 * would keep the process busy.
 */
const runningMax = 4

/**
 * If too many checks of webhook receivers are running, a further check is rejected instead of queued. A check takes up
 * to a minute, which is too long to wait.
 */
const withoutWaiting = { waitingMax: 0, waitMs: 0 }

const inSlot = openSharedSlots({
  ofMerchant: { atOnce: 1, ...withoutWaiting },
  ofProcess: { atOnce: runningMax, ...withoutWaiting },
})

/**
 * Runs a check of a webhook receiver. Returns `busy` if the merchant already has a check running, or if too many checks
 * of other merchants are running.
 */
export async function runCheck<Outcome>(
  merchantId: MerchantId,
  check: () => Promise<Outcome>,
): Promise<Outcome | { readonly is: 'busy' }> {
  try {
    return await inSlot(merchantId, check)
  } catch (error) {
    if (error instanceof QueueRefused) return { is: 'busy' }
    throw error
  }
}
