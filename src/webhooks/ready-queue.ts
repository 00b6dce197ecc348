import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

/**
 * The FIFO queue of endpoints with due deliveries. Each endpoint is queued at most once. An endpoint at its own
 * concurrency cap is parked until one of its sends ends. An endpoint of a merchant at the merchant's cap is parked
 * until any send of the merchant ends. Without parking, each send that ends would cause another claim for the endpoints
 * that are at their caps.
 */
export interface ReadyQueue {
  add(endpoint: EndpointKey): void
  take(max: number): EndpointKey[]
  /**
   * Parks an endpoint that take() has just returned. The endpoint is queued again when a send in the scope `until` has
   * ended: a send of the endpoint itself, or of any endpoint of its merchant. If such a send has ended since take() was
   * called, the endpoint is queued again at once.
   */
  park(endpoint: EndpointKey, until: SendScope): void
  /**
   * Must be called when a send to the given endpoint has ended. Queues the endpoints that park() set aside until the
   * end of this send.
   */
  sendEnded(endpoint: EndpointKey): void
  /**
   * Removes and returns the parked endpoints that this process cannot release, because the sends of other processes use
   * up the concurrency cap of these endpoints.
   */
  takeStranded(hasInFlight: (endpoint: EndpointKey, ending: SendScope) => boolean): EndpointKey[]
  queuedCount(): number
  isEmpty(): boolean
}

/**
 * The sends that must end before a parked endpoint is queued again: the sends of the endpoint itself, or of any
 * endpoint of its merchant.
 */
export type SendScope = 'endpoint' | 'merchant'

interface ParkedEndpoint {
  readonly endpoint: EndpointKey
  readonly until: SendScope
}

export function openReadyQueue(): ReadyQueue {
  const queue = new Map<string, EndpointKey>()
  const parked = new Map<MerchantId, Map<string, ParkedEndpoint>>()
  /** Endpoints and merchants with a send that ended since the last call of `take`. */
  const ended = new Set<string>()
  const add = ({ merchantId, endpointId }: EndpointKey) => {
    const key = `${merchantId}/${endpointId}`
    if (!queue.has(key)) queue.set(key, { merchantId, endpointId })
  }
  const takeParked = (merchantId: MerchantId, isTaken: (waiting: ParkedEndpoint) => boolean): EndpointKey[] => {
    const ofMerchant = parked.get(merchantId)
    const taken: EndpointKey[] = []
    for (const [key, waiting] of ofMerchant ?? []) {
      if (!isTaken(waiting)) continue
      ofMerchant?.delete(key)
      taken.push(waiting.endpoint)
    }
    if (ofMerchant?.size === 0) parked.delete(merchantId)
    return taken
  }
  return {
    add,
    take: (max) => {
      ended.clear()
      const taken: EndpointKey[] = []
      for (const [key, endpoint] of queue) {
        if (taken.length >= max) break
        queue.delete(key)
        taken.push(endpoint)
      }
      return taken
    },
    park: ({ merchantId, endpointId }, until) => {
      if (ended.has(until === 'endpoint' ? endpointId : merchantId)) return add({ merchantId, endpointId })
      const ofMerchant = parked.get(merchantId) ?? new Map<string, ParkedEndpoint>()
      ofMerchant.set(endpointId, { endpoint: { merchantId, endpointId }, until })
      parked.set(merchantId, ofMerchant)
    },
    sendEnded: ({ merchantId, endpointId }) => {
      ended.add(merchantId).add(endpointId)
      const hasEnded = ({ endpoint, until }: ParkedEndpoint) =>
        until === 'merchant' || endpoint.endpointId === endpointId
      for (const endpoint of takeParked(merchantId, hasEnded)) add(endpoint)
    },
    takeStranded: (hasInFlight) =>
      [...parked.keys()].flatMap((merchantId) =>
        takeParked(merchantId, ({ endpoint, until }) => !hasInFlight(endpoint, until)),
      ),
    queuedCount: () => queue.size,
    isEmpty: () => queue.size === 0 && parked.size === 0,
  }
}
