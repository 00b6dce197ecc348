import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import { openSharedSlots } from '../kit/shared-slots.ts'

/**
 * Maximum number of receiver checks that run in this process at once. Each may take a minute, so many checks would keep
 * the process busy.
 */
const runningMax = 4

/** Checks of receivers do not wait for each other: a check takes up to a minute, which is too long to wait. */
const withoutWaiting = { waitingMax: 0, waitMs: 0 }

const inSlot = openSharedSlots({
  ofMerchant: { atOnce: 1, ...withoutWaiting },
  ofProcess: { atOnce: runningMax, ...withoutWaiting },
})

/** Runs a check of a webhook receiver, unless the merchant has one running, or too many others are running. */
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
