import { toMs, toTimestamp } from '../base/clock.ts'
import type { CallbackReport } from '../partners/payments/provider.ts'
import type { DueCallback } from '../store/callbacks/inbox.ts'
import { providerCallbacks } from '../store/callbacks/inboxes.ts'
import type { Connection } from '../store/payments/provider-keys.ts'
import { openConfirmations } from './confirm-report.ts'
import type { PaymentContext } from './open-key.ts'
import { outageDays, reportOutage } from './outage.ts'

/**
 * Confirms the unsigned callbacks of one provider and one merchant in one job, and delays callbacks that cannot be
 * confirmed. If the provider does not respond to a request, the job delays all due callbacks of this provider without
 * further requests, because each further request could wait for a timeout.
 */

interface Confirming {
  /** Whether this job has stopped confirming callbacks of the provider. */
  readonly isPaused: () => boolean
  /**
   * Returns the report of a callback with the values that the provider's API states. Returns undefined if the callback
   * was postponed instead.
   */
  readonly confirm: (due: DueCallback, report: CallbackReport) => Promise<CallbackReport | undefined>
}

/**
 * Minimum age, in milliseconds, of a callback that is ignored because the provider's API contradicts it. A younger
 * callback is checked again, about five times in total, because the provider's API may lag behind its callbacks.
 */
const deniedMs = 60 * 60_000

/**
 * Age in milliseconds from which an unconfirmed callback is ignored. Providers repeat callbacks for three days, and the
 * daily comparison finds the payments of the last four days.
 */
const unavailableMs = outageDays * 24 * 60 * 60_000

export function openConfirming(context: PaymentContext, connection: Connection): Confirming {
  const { database, clock, log } = context
  const { merchantId, provider: sender } = connection
  const read = openConfirmations(context, connection)
  let isPaused = false
  const delay = (id: string, delaysDue: boolean, error: string | null) =>
    providerCallbacks.delay(database, { merchantId, sender, id, delaysDue, error, now: toTimestamp(clock.nowMs()) })
  return {
    isPaused: () => isPaused,
    confirm: async ({ id, receivedAt, failures }, report) => {
      const ageMs = clock.nowMs() - toMs(receivedAt)
      if (ageMs >= unavailableMs && failures > 0) {
        await reportOutage(context, connection, receivedAt)
        return { is: 'other', reason: 'not_confirmed' }
      }
      const confirmation = await read({ report, receivedAt })
      switch (confirmation.is) {
        case 'confirmed':
          return confirmation.report
        case 'denied':
          if (ageMs >= deniedMs) return { is: 'other', reason: confirmation.reason }
          await delay(id, false, confirmation.reason)
          return undefined
        case 'unavailable': {
          const { reason } = confirmation
          log.warn({ ...connection, reason }, 'A payment provider did not confirm a callback.')
          isPaused = true
          await delay(id, true, reason)
          return undefined
        }
        case 'exhausted':
          isPaused = true
          await delay(id, true, null)
          return undefined
      }
    },
  }
}
