import { LRUCache } from 'lru-cache'
import type { EndpointId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import type { ClaimedLane } from '../store/webhooks/claimed-lanes.ts'

/**
 * The lower time limit of the searches for an endpoint's due deliveries. In the index, the entries of completed
 * deliveries precede those of due deliveries. A search without a lower limit would scan all entries of completed
 * deliveries, which remain until the next vacuum. The vacuum runs only when a fifth of the rows of a partition have
 * changed. A delivery that was due before the limit is not lost: every ten seconds, a claim searches without the limit.
 * The sweeper also searches without the limit, and wakes the endpoint.
 */
export interface DueBounds {
  /**
   * Returns the lower time limit for a claim at `nowMs`: the claim searches only deliveries that were due at this limit
   * or later. Undefined if the claim must search all due deliveries of the endpoint.
   */
  boundOf(endpointId: EndpointId, nowMs: number): Timestamp | undefined
  /** Updates the lower time limit for the next claim from the result of a claim at `nowMs`. */
  update(lane: SearchedLane, nowMs: number): void
}

type SearchedLane = Pick<ClaimedLane, 'endpointId' | 'dueFrom' | 'isEnabled' | 'isHealthy' | 'firstDueAt'>

interface DueBound {
  readonly fromMs: number
  /**
   * Time in epoch milliseconds of the last full search, which reads all due deliveries of the endpoint. Other searches
   * read only those due from `fromMs` on.
   */
  readonly searchedAllMs: number
}

/**
 * Time in milliseconds after which a due delivery is assumed to be visible to other transactions. A delivery is due
 * from the start of its mutation, but is visible only after the commit. Few mutations take longer than five seconds,
 * because most clients have then given up.
 */
const commitWithinMs = 5_000

/**
 * Interval of the searches that read all due deliveries. All other searches read only deliveries whose due time is at a
 * limit or later. They miss a delivery that is committed more than `commitWithinMs` after its due time. Such a delivery
 * is found by the next search of all due deliveries.
 */
const searchAllAfterMs = 10_000

/**
 * Maximum number of cached lower time limits, one for each endpoint. A deployment has fewer busy endpoints. A full
 * cache takes about a megabyte of memory. If the limit of an endpoint was evicted, the search for its deliveries has no
 * lower time limit.
 */
const cacheSize = 10_000

export function openDueBounds(): DueBounds {
  const bounds = new LRUCache<EndpointId, DueBound>({ max: cacheSize })
  return {
    boundOf: (endpointId, nowMs) => {
      const known = bounds.get(endpointId)
      if (known === undefined) return undefined
      const ageMs = nowMs - known.searchedAllMs
      // After the clock was set back, the time since the last full search is negative. The next search then has no
      // lower bound, so it is a full search.
      return ageMs >= 0 && ageMs < searchAllAfterMs ? toTimestamp(known.fromMs) : undefined
    },
    update: ({ endpointId, dueFrom, isEnabled, isHealthy, firstDueAt }, nowMs) => {
      // The search for a throttled or disabled endpoint leaves out some due deliveries. These may be earlier than the
      // first delivery that the search found, so the next search must not start at the found delivery.
      if (!isEnabled || !isHealthy) {
        bounds.delete(endpointId)
        return
      }
      const fromMs = (firstDueAt === null ? nowMs : toMs(firstDueAt)) - commitWithinMs
      const known = bounds.get(endpointId)
      if (dueFrom === undefined) bounds.set(endpointId, { fromMs, searchedAllMs: nowMs })
      else if (known !== undefined) bounds.set(endpointId, { ...known, fromMs: Math.max(known.fromMs, fromMs) })
    },
  }
}
