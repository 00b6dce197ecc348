import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { listUnmatchedDisputes, putUnmatchedDispute } from '../../store/payments/unmatched-disputes.ts'
import { effectOf } from './record-dispute.ts'
import { type DisputeState, reportDispute } from './report-dispute.ts'

interface UnmatchedPayment {
  readonly provider: PaymentProviderName
  /** The payment provider's reference of the disputed payment. Null if the provider sent none. */
  readonly reference: string | null
  /** The amount of the disputed payment. Null if the provider did not report the amount. */
  readonly amountKobo: Kobo | null
}

/**
 * Stores a dispute until its payment is recorded. Notifies the merchant of each state of the dispute, once per state.
 * If the provider sent no reference of the payment, the dispute cannot be stored, and the merchant is only notified.
 * The caller must hold the lock of the payment reference.
 */
export async function storeUnmatchedDispute(
  work: Pick<Work, 'trx' | 'merchantId' | 'nowMs' | 'now'>,
  { provider, ...payment }: UnmatchedPayment,
  dispute: Omit<DisputeState, 'previousStatus'>,
): Promise<void> {
  const { trx, merchantId, now } = work
  const { reference } = payment
  if (reference === null) {
    reportDispute(work, payment, { ...dispute, previousStatus: null })
    return
  }
  const stored = await listUnmatchedDisputes(trx, { merchantId, provider, reference })
  const known = stored.find(({ disputeId }) => disputeId === dispute.disputeId)
  if (effectOf(known, dispute) === 'changed') {
    putUnmatchedDispute(trx, { merchantId, provider, reference, ...dispute, now })
    reportDispute(work, payment, { ...dispute, previousStatus: known?.status ?? null })
    return
  }
  // A repeated report adds missing fields, such as the due date, to the notification. If an earlier release stored the
  // dispute without a notification, the repeated report creates the notification.
  if (known?.status === dispute.status) reportDispute(work, payment, { ...dispute, previousStatus: null })
}
