import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/core/database.ts'
import { addDeliveryJobs, type DeliveryJob } from '../store/core/jobs.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

/** Jobs that come back when an endpoint has something due: Graphile Worker keeps the time of every retry. */
export interface WakeUps {
  /** An endpoint's last one counts. Never throws: the pulse finds what is lost here. */
  readonly scheduleWake: (endpoint: EndpointKey, at: Timestamp) => void
  /** Waits until everything said so far is in the database. */
  flush(): Promise<void>
}

/** What it calls for is seconds away at the earliest, so one statement may as well carry that of many endpoints. */
const gatheringMs = 100

export function createCallBack(database: Database, log: Log): WakeUps {
  let gathered = new Map<string, DeliveryJob>()
  let timer: NodeJS.Timeout | undefined
  const sending = new Set<Promise<void>>()

  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const jobs = [...gathered.values()]
    gathered = new Map()
    const sent: Promise<void> = addDeliveryJobs(database, jobs)
      .catch((error) => log.warn({ err: error, endpoints: jobs.length }, 'Endpoints were not called for.'))
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }

  return {
    scheduleWake: ({ merchantId, endpointId }, runAt) => {
      gathered.set(`${merchantId}/${endpointId}`, { merchantId, endpointId, runAt })
      // A process that has nothing else left to do need not stay for this.
      timer ??= setTimeout(send, gatheringMs).unref()
    },
    flush: async () => {
      if (gathered.size > 0) send()
      await Promise.all(sending)
    },
  }
}
