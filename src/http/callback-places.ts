import { openConcurrency } from '../access/limits/concurrency.ts'
import { networkOf } from '../access/limits/failed-authentications.ts'
import { Refusal } from '../operations/execute/refusal.ts'
import type { LoadShedder } from './pipeline/load-shedder.ts'

/**
 * Limits the callbacks that the process handles at the same time. A callback is anonymous until its signature is
 * verified, so neither a token nor a rate limit applies to it. Carriers and payment providers repeat a rejected
 * callback.
 */
export interface CallbackPlaces {
  /** Runs the handler of a callback whose body has arrived. Throws a Refusal if too many callbacks are in progress. */
  run<Result>(sourceIp: string, handle: () => Promise<Result>): Promise<Result>
}

/** Maximum number of callbacks in progress. A body has at most 256 KiB, so all their bodies take at most 32 MiB. */
const totalMax = 128

/**
 * Maximum number of callbacks in progress of one source address. Providers send from a few addresses each, in short
 * bursts. One address must not displace callbacks from other addresses.
 */
const eachMax = 32

export function openCallbackPlaces(load: LoadShedder | undefined): CallbackPlaces {
  const concurrency = openConcurrency()
  return {
    run: async (sourceIp, handle) => {
      const inProgress = concurrency.total()
      const isOverloaded = inProgress >= totalMax || load?.rejects({ importance: 'high', inProgress }) === true
      const keys = [{ key: networkOf(sourceIp), max: eachMax }]
      if (isOverloaded || concurrency.fullOf(keys) !== undefined) {
        const message = 'Too many callbacks are in progress. Send the callback again.'
        throw new Refusal('service_unavailable', message, { isOverLimit: true })
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
