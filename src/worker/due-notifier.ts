import { setTimeout as wait } from 'node:timers/promises'
import type { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/core/database.ts'
import { notifyDueEndpoints } from '../store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

/** Notifies the workers of other processes. */
export interface DueNotifier {
  /** Says that these endpoints have something due. Never throws: the pulse finds what is lost here. */
  readonly nudge: (merchantId: MerchantId, endpointIds: readonly EndpointId[]) => void
  /** Waits until everything said so far is with the workers. */
  flush(): Promise<void>
}

/**
 * The first endpoint is notified at once, and what comes within this time after it goes with the next notification: a burst
 * of mutations is at most 200 notifications a second, and an event waits 5 ms at most.
 */
const gapMs = 5

export function createDueNotifier(database: Database, log: Log): DueNotifier {
  let gathered = new Map<string, EndpointKey>()
  let sending: Promise<void> | undefined

  const send = async () => {
    while (gathered.size > 0) {
      const endpoints = [...gathered.values()]
      gathered = new Map()
      try {
        await notifyDueEndpoints(database, endpoints)
      } catch (error) {
        log.warn({ err: error, endpoints: endpoints.length }, 'Workers were not notified of due webhooks.')
      }
      await wait(gapMs)
    }
    sending = undefined
  }

  return {
    nudge: (merchantId, endpointIds) => {
      for (const endpointId of endpointIds) gathered.set(`${merchantId}/${endpointId}`, { merchantId, endpointId })
      sending ??= send()
    },
    flush: async () => sending,
  }
}
