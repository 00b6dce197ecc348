import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import { openSharedSlots } from '../kit/shared-slots.ts'

/** Checks that run at once in this process. Each may hold a request for a minute, so many would keep the process busy. */
const runningMax = 4

/** A check takes up to a minute, which is too long to wait for. */
const withoutWaiting = { waitingMax: 0, waitMs: 0 }

const inSlot = openSharedSlots({
  ofMerchant: { atOnce: 1, ...withoutWaiting },
  ofProcess: { atOnce: runningMax, ...withoutWaiting },
})

/** Runs a check, unless one of the merchant or too many of others are running. */
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
