import type { EndpointKey } from '../store/endpoints.ts'

/**
 * One drain at a time for each endpoint in this process, whatever number of jobs call for one: so the cap on an
 * endpoint's sends holds, and a slow endpoint cannot take one job slot after another.
 */
export type Lanes = (endpoint: EndpointKey) => Promise<void>

export function openLanes(drain: (endpoint: EndpointKey) => Promise<void>): Lanes {
  const isCalledAgain = new Map<string, boolean>()
  return async (endpoint) => {
    const lane = `${endpoint.merchantId}/${endpoint.endpointId}`
    if (isCalledAgain.has(lane)) {
      // The drain under way may have looked already, so it looks once more before it ends.
      isCalledAgain.set(lane, true)
      return
    }
    try {
      do {
        isCalledAgain.set(lane, false)
        await drain(endpoint)
      } while (isCalledAgain.get(lane) === true)
    } finally {
      isCalledAgain.delete(lane)
    }
  }
}
