import type { MerchantId } from '../../registry/vocabulary.ts'
import type { EndpointKey } from '../store/endpoints.ts'

/**
 * Whose turn it is. An endpoint that is called for goes to the end of the line, and stands in it once; one that had more
 * than it may send steps aside until something of its merchant's has ended.
 */
export interface Turns {
  add(endpoint: EndpointKey): void
  /** The first in line, who leave it. */
  take(max: number): EndpointKey[]
  stepAside(endpoint: EndpointKey): void
  /** Brings those of the merchant who stepped aside back into line. */
  recall(merchantId: MerchantId): void
  /** Takes out those who stepped aside of merchants of whom nothing will end here. */
  takeStranded(hasUnderWay: (merchantId: MerchantId) => boolean): EndpointKey[]
  /** How many stand in line. */
  waiting(): number
  isEmpty(): boolean
}

export function openTurns(): Turns {
  const line = new Map<string, EndpointKey>()
  const aside = new Map<MerchantId, Map<string, EndpointKey>>()
  const add = ({ merchantId, endpointId }: EndpointKey) => {
    const key = `${merchantId}/${endpointId}`
    if (!line.has(key)) line.set(key, { merchantId, endpointId })
  }
  const takeAside = (merchantId: MerchantId): EndpointKey[] => {
    const endpoints = [...(aside.get(merchantId)?.values() ?? [])]
    aside.delete(merchantId)
    return endpoints
  }
  return {
    add,
    take: (max) => {
      const taken: EndpointKey[] = []
      for (const [key, endpoint] of line) {
        if (taken.length >= max) break
        line.delete(key)
        taken.push(endpoint)
      }
      return taken
    },
    stepAside: ({ merchantId, endpointId }) => {
      const ofMerchant = aside.get(merchantId) ?? new Map<string, EndpointKey>()
      ofMerchant.set(endpointId, { merchantId, endpointId })
      aside.set(merchantId, ofMerchant)
    },
    recall: (merchantId) => {
      for (const endpoint of takeAside(merchantId)) add(endpoint)
    },
    takeStranded: (hasUnderWay) =>
      [...aside.keys()].filter((merchantId) => !hasUnderWay(merchantId)).flatMap((merchantId) => takeAside(merchantId)),
    waiting: () => line.size,
    isEmpty: () => line.size === 0 && aside.size === 0,
  }
}
