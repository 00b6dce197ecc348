import type { Timestamp } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import type { Database } from '../store/core/database.ts'
import { addDeliveryJobs, type DeliveryJob } from '../store/core/jobs.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

/**
 * Schedules wake-ups for endpoints with future deliveries. Each wake-up is a job with a run time in Graphile Worker.
 */
export interface WakeUps {
  /**
   * Schedules the wake-up of an endpoint, replacing an earlier one. Never throws. If a wake-up is lost, a sweep finds
   * the deliveries.
   */
  readonly scheduleWake: (endpoint: EndpointKey, at: Timestamp) => void
  /** Waits until all wake-ups scheduled so far are stored in the job queue. */
  flush(): Promise<void>
}

/**
 * Time in milliseconds for which wake-ups are collected, so that one statement stores those of many endpoints. A
 * wake-up is due seconds later at the earliest.
 */
const batchMs = 100

export function openWakeUps(database: Database, log: Log): WakeUps {
  let pending = new Map<string, DeliveryJob>()
  let timer: NodeJS.Timeout | undefined
  const sending = new Set<Promise<void>>()

  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const jobs = [...pending.values()]
    pending = new Map()
    const sent: Promise<void> = recurringWorkOf(log)
      .attempt('wake_ups', () => addDeliveryJobs(database, jobs))
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }

  return {
    scheduleWake: ({ merchantId, endpointId }, runAt) => {
      pending.set(`${merchantId}/${endpointId}`, { merchantId, endpointId, runAt })
      // The timer that collects wake-ups must not keep a finished process alive.
      timer ??= setTimeout(send, batchMs).unref()
    },
    flush: async () => {
      if (pending.size > 0) send()
      await Promise.all(sending)
    },
  }
}
