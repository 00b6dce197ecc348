import { openConcurrency } from '../access/limits/concurrency.ts'
import { networkOf } from '../access/limits/failed-authentications.ts'
import { Refusal } from '../operations/execute/refusal.ts'
import type { Importance, LoadShedder } from './pipeline/load-shedder.ts'

/**
 * Limits how many requests without a token the process handles at the same time. These are callbacks, and requests for
 * the pages for buyers. The sender of such a request is unknown until the signature is verified, so no rate limit of a
 * token applies to the request.
 */
export interface Places {
  /** Throws a Refusal without running the handler if too many requests are in progress. */
  run<Result>(sourceIp: string, handle: () => Promise<Result>): Promise<Result>
}

interface PlaceLimits {
  readonly totalMax: number
  /**
   * Maximum number of requests in progress from one source address. Without this limit, one address could use up
   * `totalMax`, the limit for all addresses.
   */
  readonly eachMax: number
  readonly importance: Importance
  /** Message of the error for a request that exceeds the maximum number of requests in progress. */
  readonly full: string
}

/**
 * Limits of callbacks. The body of a callback has at most 256 KiB, so the bodies of all callbacks in progress take at
 * most 32 MiB of memory. Providers send from a few addresses each, in short bursts, and repeat a rejected callback.
 */
export const callbackPlaces: PlaceLimits = {
  totalMax: 128,
  eachMax: 32,
  importance: 'high',
  full: 'Too many callbacks are in progress. Send the callback again.',
}

/** The limit of one address suffices for many buyers in a mobile network, because a page takes a few milliseconds. */
export const buyerPagePlaces: PlaceLimits = {
  totalMax: 64,
  eachMax: 16,
  importance: 'low',
  full: 'Too many pages are being opened. Try again in a moment.',
}

export function openPlaces(load: LoadShedder | undefined, limits: PlaceLimits): Places {
  const { totalMax, eachMax, importance, full } = limits
  const concurrency = openConcurrency()
  return {
    run: async (sourceIp, handle) => {
      const inProgress = concurrency.total()
      const isOverloaded = inProgress >= totalMax || load?.rejects({ importance, inProgress }) === true
      const keys = [{ key: networkOf(sourceIp), max: eachMax }]
      if (isOverloaded || concurrency.fullOf(keys) !== undefined) {
        throw new Refusal('service_unavailable', full, { isOverLimit: true })
      }
      concurrency.enter(keys)
      load?.accept()
      try {
        return await handle()
      } finally {
        concurrency.leave(keys)
        load?.end()
      }
    },
  }
}
