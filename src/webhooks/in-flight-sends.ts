import { performance } from 'node:perf_hooks'
import type { DeliveryId } from '../../registry/values/vocabulary.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import type { SendScope } from './ready-queue.ts'

export interface InFlightSends {
  begin(send: Send): void
  end(send: Send): void
  count(): number
  /** The number of sends that started after the given reading of `performance.now()`. */
  countSince(startedMs: number): number
  /** Whether a request to the endpoint, or to any endpoint of its merchant, is in progress. */
  hasInFlight(endpoint: EndpointKey, of: SendScope): boolean
  has(deliveryId: DeliveryId): boolean
}

interface Send extends EndpointKey {
  readonly id: DeliveryId
}

export function openInFlightSends(): InFlightSends {
  /** The delivery attempts in flight, in the order in which they started. */
  const startedMs = new Map<Send, number>()
  const counts = new Map<string, number>()
  const ids = new Set<DeliveryId>()
  return {
    begin: (send) => {
      startedMs.set(send, performance.now())
      ids.add(send.id)
      for (const id of [send.merchantId, send.endpointId]) counts.set(id, (counts.get(id) ?? 0) + 1)
    },
    end: (send) => {
      startedMs.delete(send)
      ids.delete(send.id)
      for (const id of [send.merchantId, send.endpointId]) {
        const left = (counts.get(id) ?? 0) - 1
        if (left > 0) counts.set(id, left)
        else counts.delete(id)
      }
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
    hasInFlight: ({ merchantId, endpointId }, of) => counts.has(of === 'endpoint' ? endpointId : merchantId),
    has: (deliveryId) => ids.has(deliveryId),
  }
}
