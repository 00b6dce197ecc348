import { setTimeout as wait } from 'node:timers/promises'
import type { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { inBackground } from '../base/trace.ts'
import type { Database } from '../store/core/database.ts'
import { notifyDueEndpoints } from '../store/webhooks/due-endpoints.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'

export interface DueNotifier {
  /**
   * Notifies other processes that the given endpoints have due deliveries. Never throws. If a notification is lost, a
   * sweep finds the deliveries.
   */
  readonly nudge: (merchantId: MerchantId, endpointIds: readonly EndpointId[]) => void
  /** Waits until all notifications requested so far are sent. */
  flush(): Promise<void>
}

/**
 * Interval in milliseconds between notifications about endpoints with due deliveries. The first notification is sent at
 * once. All endpoints that are reported in the next 5 ms share the next notification, so a burst of mutations causes at
 * most 200 notifications a second.
 */
const intervalMs = 5

export function createDueNotifier(database: Database, log: Log): DueNotifier {
  let pending = new Map<string, EndpointKey>()
  let sending: Promise<void> | undefined

  const send = async () => {
    while (pending.size > 0) {
      const endpoints = [...pending.values()]
      pending = new Map()
      await recurringWorkOf(log).attempt('due_notifications', () => notifyDueEndpoints(database, endpoints))
      await wait(intervalMs)
    }
    sending = undefined
  }

  return {
    nudge: (merchantId, endpointIds) => {
      for (const endpointId of endpointIds) pending.set(`${merchantId}/${endpointId}`, { merchantId, endpointId })
      sending ??= inBackground(send)
    },
    flush: async () => sending,
  }
}
