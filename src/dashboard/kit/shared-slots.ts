import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { openKeyedQueue, type QueueLimits } from '../../store/core/keyed-queue.ts'

/** Runs work in a slot of its merchant and of the process. Rejects with QueueRefused if no slot becomes available. */
export type InSlot = <Result>(merchantId: MerchantId, work: () => Promise<Result>) => Promise<Result>

interface SlotLimits {
  readonly ofMerchant: QueueLimits
  readonly ofProcess: QueueLimits
}

/**
 * Opens slots for work that keeps a process busy. A merchant waits for its own slot first, so that it cannot occupy the
 * slots of other merchants.
 */
export function openSharedSlots({ ofMerchant, ofProcess }: SlotLimits): InSlot {
  const merchants = openKeyedQueue(ofMerchant)
  const all = openKeyedQueue(ofProcess)
  return async (merchantId, work) => {
    const leaveMerchant = await merchants.enter(merchantId)
    try {
      const leaveProcess = await all.enter('process')
      try {
        return await work()
      } finally {
        leaveProcess()
      }
    } finally {
      leaveMerchant()
    }
  }
}
