import type { EndpointId, MerchantId } from '../../registry/vocabulary.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { addDeliveryJobs, type DeliveryJob } from '../store/jobs.ts'

export interface Nudger {
  /** Says that these endpoints have something due. Never throws: the pulse finds what is lost here. */
  readonly nudge: (merchantId: MerchantId, endpointIds: readonly EndpointId[]) => void
  /** Waits until everything said so far is in the database; for the end of a process. */
  flush(): Promise<void>
}

/** Nobody notices it in a delivery, and it makes one statement of a burst of mutations. */
const gatheringMs = 50

export function createNudger(database: Database, log: Log): Nudger {
  let gathered = new Map<EndpointId, DeliveryJob>()
  let timer: NodeJS.Timeout | undefined
  const sending = new Set<Promise<void>>()

  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const jobs = [...gathered.values()]
    gathered = new Map()
    const sent: Promise<void> = addDeliveryJobs(database, jobs)
      .catch((error) => log.warn({ err: error, endpoints: jobs.length }, 'Endpoints were not nudged.'))
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }

  return {
    nudge: (merchantId, endpointIds) => {
      for (const endpointId of endpointIds) gathered.set(endpointId, { merchantId, endpointId })
      // A process that has nothing else left to do need not stay for this.
      if (gathered.size > 0) timer ??= setTimeout(send, gatheringMs).unref()
    },
    flush: async () => {
      if (gathered.size > 0) send()
      await Promise.all(sending)
    },
  }
}
