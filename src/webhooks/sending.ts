import { performance } from 'node:perf_hooks'
import type { DeliveryId, MerchantId } from '../../registry/vocabulary.ts'

/** What is under way in this process, and since when. */
export interface Sending {
  begin(send: Send): void
  end(send: Send): void
  count(): number
  /** Those begun after that moment of the process’s own clock. */
  countSince(startedMs: number): number
  hasUnderWay(merchantId: MerchantId): boolean
  has(deliveryId: DeliveryId): boolean
}

interface Send {
  readonly id: DeliveryId
  readonly merchantId: MerchantId
}

export function openSending(): Sending {
  /** In the order they began. */
  const startedMs = new Map<Send, number>()
  const ofMerchant = new Map<MerchantId, number>()
  const ids = new Set<DeliveryId>()
  return {
    begin: (send) => {
      startedMs.set(send, performance.now())
      ids.add(send.id)
      ofMerchant.set(send.merchantId, (ofMerchant.get(send.merchantId) ?? 0) + 1)
    },
    end: (send) => {
      startedMs.delete(send)
      ids.delete(send.id)
      const left = (ofMerchant.get(send.merchantId) ?? 0) - 1
      if (left > 0) ofMerchant.set(send.merchantId, left)
      else ofMerchant.delete(send.merchantId)
    },
    count: () => startedMs.size,
    countSince: (sinceMs) => {
      let older = 0
      for (const ms of startedMs.values()) {
        if (ms > sinceMs) break
        older += 1
      }
      return startedMs.size - older
    },
    hasUnderWay: (merchantId) => ofMerchant.has(merchantId),
    has: (deliveryId) => ids.has(deliveryId),
  }
}
