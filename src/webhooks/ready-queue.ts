import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

/**
 * Whose turn it is. An endpoint that is called for goes to the end of the line, and stands in it once. One that had more
 * than it may send steps aside until something of its own has ended, or of its merchant's where that is what it lacks
 * room for: one that hangs would otherwise be looked at in vain whenever its neighbours have sent something.
 */
export interface ReadyQueue {
  add(endpoint: EndpointKey): void
  /** The first in line, who leave it to be looked at. */
  take(max: number): EndpointKey[]
  /** Of one that was just looked at. It stays in line if what it has to wait for ended meanwhile. */
  stepAside(endpoint: EndpointKey, until: Ending): void
  /** Something sent to this endpoint has ended: whoever waited for that comes back into line. */
  recall(endpoint: EndpointKey): void
  /** Takes out those who wait for an end that will not be here. */
  takeStranded(hasUnderWay: (endpoint: EndpointKey, ending: Ending) => boolean): EndpointKey[]
  /** How many stand in line. */
  waiting(): number
  isEmpty(): boolean
}

/** Of whose sends one has to end. */
export type Ending = 'endpoint' | 'merchant'

interface Aside {
  readonly endpoint: EndpointKey
  readonly until: Ending
}

export function openReadyQueue(): ReadyQueue {
  const line = new Map<string, EndpointKey>()
  const aside = new Map<MerchantId, Map<string, Aside>>()
  /** Of whom something has ended since the last were taken. */
  const ended = new Set<string>()
  const add = ({ merchantId, endpointId }: EndpointKey) => {
    const key = `${merchantId}/${endpointId}`
    if (!line.has(key)) line.set(key, { merchantId, endpointId })
  }
  const takeAside = (merchantId: MerchantId, isTaken: (waiting: Aside) => boolean): EndpointKey[] => {
    const ofMerchant = aside.get(merchantId)
    const taken: EndpointKey[] = []
    for (const [key, waiting] of ofMerchant ?? []) {
      if (!isTaken(waiting)) continue
      ofMerchant?.delete(key)
      taken.push(waiting.endpoint)
    }
    if (ofMerchant?.size === 0) aside.delete(merchantId)
    return taken
  }
  return {
    add,
    take: (max) => {
      ended.clear()
      const taken: EndpointKey[] = []
      for (const [key, endpoint] of line) {
        if (taken.length >= max) break
        line.delete(key)
        taken.push(endpoint)
      }
      return taken
    },
    stepAside: ({ merchantId, endpointId }, until) => {
      if (ended.has(until === 'endpoint' ? endpointId : merchantId)) return add({ merchantId, endpointId })
      const ofMerchant = aside.get(merchantId) ?? new Map<string, Aside>()
      ofMerchant.set(endpointId, { endpoint: { merchantId, endpointId }, until })
      aside.set(merchantId, ofMerchant)
    },
    recall: ({ merchantId, endpointId }) => {
      ended.add(merchantId).add(endpointId)
      const hasEnded = ({ endpoint, until }: Aside) => until === 'merchant' || endpoint.endpointId === endpointId
      for (const endpoint of takeAside(merchantId, hasEnded)) add(endpoint)
    },
    takeStranded: (hasUnderWay) =>
      [...aside.keys()].flatMap((merchantId) =>
        takeAside(merchantId, ({ endpoint, until }) => !hasUnderWay(endpoint, until)),
      ),
    waiting: () => line.size,
    isEmpty: () => line.size === 0 && aside.size === 0,
  }
}
