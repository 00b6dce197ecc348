import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { addDeliveryJobs, type DeliveryJob } from '../store/jobs.ts'

/** Jobs on their way into the queue, gathered so that one statement carries those of many endpoints. */
export interface DeliveryJobs {
  /** An endpoint's last one counts. Never throws: the pulse finds what is lost here. */
  add(job: DeliveryJob): void
  /** Waits until everything said so far is in the database. */
  flush(): Promise<void>
}

export function gatherDeliveryJobs(database: Database, log: Log, gatheringMs: number): DeliveryJobs {
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
    add: (job) => {
      gathered.set(`${job.merchantId}/${job.endpointId}`, job)
      // A process that has nothing else left to do need not stay for this.
      timer ??= setTimeout(send, gatheringMs).unref()
    },
    flush: async () => {
      if (gathered.size > 0) send()
      await Promise.all(sending)
    },
  }
}
