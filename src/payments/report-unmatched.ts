import { newId } from '../base/ids.ts'
import { isOther } from '../commerce/orders/record-payment.ts'
import { type Context, mutate } from '../store/core/mutation.ts'
import { findPaymentByReference } from '../store/orders/payments.ts'
import { lockPaymentReference } from '../store/payments/unmatched-disputes.ts'
import { isPaymentReported } from '../store/payments/unmatched-payments.ts'
import { insertNotification } from '../store/webhooks/notifications.ts'
import { type AppliedCallback, resolveCallback } from './callback-change.ts'
import type { UnmatchedPayment } from './callback-outcome.ts'

export type ReportUnmatchedOutcome =
  | 'reported'
  /** The payment was reported before, by another callback or by the daily comparison. */
  | 'reported_before'
  /** A payment with this reference was recorded meanwhile. */
  | 'reference_in_use'
  /** Another worker has processed the callback before. */
  | 'processed_before'

/**
 * Notifies the merchant and the merchant's webhook endpoints, once, of a payment that could not be recorded. The lock
 * on the payment's reference ensures that either a callback or the daily comparison reports the payment, but not both.
 * `callback` is undefined for the daily comparison.
 */
export function reportUnmatched(
  context: Context,
  { tenant, actor, provider }: Pick<AppliedCallback, 'tenant' | 'actor' | 'provider'>,
  payment: UnmatchedPayment,
  callback?: AppliedCallback,
): Promise<ReportUnmatchedOutcome> {
  const { merchantId } = tenant
  const id = newId('ntf', context.clock.nowMs())
  const mutation = {
    ...{ tenant, actor },
    action: 'payment.unmatched',
    resourceType: 'notification',
    resourceId: () => id,
    emits: ['payment.unmatched'],
  } as const
  return mutate<ReportUnmatchedOutcome, 'payment.unmatched'>(context, mutation, async (work) => {
    const { trx, now, note, abort } = work
    const { reason, reference, providerId } = payment
    const identity = identityOf(payment, callback)
    if (identity !== undefined) {
      await lockPaymentReference(trx, { merchantId, reference: reference ?? identity })
      const [existing, isReported] = await Promise.all([
        reference === null ? undefined : findPaymentByReference(trx, merchantId, reference),
        isPaymentReported(trx, { merchantId, provider, providerId, identity }),
      ])
      if (existing !== undefined && !isOther(existing, { provider, providerId })) return abort('reference_in_use')
      if (isReported) return abort('reported_before')
    }
    const isOurs = callback === undefined || (await resolveCallback(work, callback, { outcome: 'ignored', reason }))
    if (!isOurs) return abort('processed_before')
    const named = callback === undefined ? {} : { callbackId: callback.id }
    const data = JSON.stringify({ ...payment, provider, ...named })
    insertNotification(trx, { merchantId, id, kind: 'payment.not_recorded', endpointId: null, data, now })
    note({ reference: [null, reference], reason: [null, reason] })
    work.emit('payment.unmatched', id, payment)
    return 'reported'
  })
}

/**
 * Returns, as JSON text, the fields that identify a payment, so that the payment is reported only once: its reference
 * or, without a reference, the provider's id. If both are missing and the daily comparison found the payment, its
 * amount and time identify it, because later comparisons find it again. If both are missing and a callback reported the
 * payment, returns undefined, and every callback is reported to the merchant.
 */
function identityOf(
  { reference, providerId, amountKobo, paidAt }: UnmatchedPayment,
  callback: AppliedCallback | undefined,
): string | undefined {
  if (reference !== null) return JSON.stringify({ reference })
  if (providerId !== null) return JSON.stringify({ reference, providerId })
  return callback === undefined ? JSON.stringify({ reference, providerId, amountKobo, paidAt }) : undefined
}
