import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import { endCondition } from '../store/notifications/resolution.ts'
import { type Connection, lockConnection, setReconciled } from '../store/payments/provider-keys.ts'
import { notifyOfCondition } from './notify.ts'
import type { PaymentContext } from './open-key.ts'

/**
 * Notifies the merchant if an outage of a payment provider lasts for days, and resolves the notification when the daily
 * comparison with the provider's payments succeeds again.
 */

const dayMs = 24 * 60 * 60_000

/**
 * An outage of a payment provider is reported to the merchant after this number of days. Providers repeat callbacks for
 * three days, so no callback is lost in a shorter outage.
 */
export const outageDays = 3

/**
 * Minimum age in milliseconds of the last successful comparison with a provider: from this age on, an outage is
 * reported. The age is half a day less than three days, so that the third failed daily comparison in a row reports the
 * outage even if this comparison starts a little early.
 */
const unreconciledMs = (outageDays - 0.5) * dayMs

const kind = 'payment.not_recorded'

function dataOf({ provider }: Connection) {
  return { reason: 'not_confirmed', provider }
}

/**
 * Notifies the merchant that a provider has not responded since the given time. Does nothing if the payments of the
 * provider have been compared with the records of this service since then: that comparison has recorded every payment
 * whose callback may have been lost.
 */
export async function reportOutage(
  { database, clock }: PaymentContext,
  connection: Connection,
  since: Timestamp,
): Promise<void> {
  await bookkeep(database, async (trx) => {
    const locked = await lockConnection(trx, connection)
    if (locked !== undefined && locked.reconciledAt > since) return
    notifyOfCondition(trx, connection.merchantId, { kind, data: dataOf(connection), nowMs: clock.nowMs() })
  })
}

/**
 * Notifies the merchant of an outage if for three days it was not possible to compare the recorded payments with those
 * of the provider.
 */
export function reportUnreconciled(context: PaymentContext, connection: Connection): Promise<void> {
  return reportOutage(context, connection, toTimestamp(context.clock.nowMs() - unreconciledMs))
}

/**
 * Records that all payments since `comparedSince` were compared with the payments of the provider. This resolves the
 * notification of an outage that began after `comparedSince`. The notification of an earlier outage stays open, because
 * the payments of the earlier days must be compared manually.
 */
export async function endOutage(
  { database, clock }: PaymentContext,
  connection: Connection,
  comparedSince: Timestamp,
): Promise<void> {
  const { merchantId, provider } = connection
  const now = toTimestamp(clock.nowMs())
  const ended = JSON.stringify({ endedAt: now, comparedSince })
  const outage = { kind, data: JSON.stringify(dataOf(connection)), ended, days: outageDays } as const
  await bookkeep(database, async (trx) => {
    setReconciled(trx, { merchantId, provider, now })
    endCondition(trx, { merchantId, ...outage, since: comparedSince, now })
  })
}

/**
 * Returns the number of days that the first comparison after an outage must cover: the days since the last comparison,
 * and a day of overlap.
 */
export function daysSince({ clock }: PaymentContext, reconciledAt: Timestamp): number {
  return Math.ceil((clock.nowMs() - toMs(reconciledAt)) / dayMs) + 1
}
