import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { openKeyedQueue, type QueueLimits } from '../../store/core/keyed-queue.ts'

/**
 * Runs work after it gets one of the merchant's slots and one of the process's slots. Rejects with QueueRefused if no
 * slot becomes available.
 */
export type InSlot = <Result>(merchantId: MerchantId, work: () => Promise<Result>) => Promise<Result>

interface SlotLimits {
  readonly ofMerchant: QueueLimits
  readonly ofProcess: QueueLimits
}

/**
 * Limits how much expensive work runs at once, per merchant and per process. A merchant waits for its own slot first,
 * so that it cannot occupy the slots of other merchants.
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
