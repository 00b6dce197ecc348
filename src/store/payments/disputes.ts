import type { Kobo, MerchantId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import { build } from '../core/statement.ts'
import type { DisputeStatus } from '../tables/values.ts'

/** Disputes of payments, each as its provider last reported it. */

export interface PaymentDispute {
  readonly disputeId: string
  readonly status: DisputeStatus
  readonly lostKobo: Kobo
}

/** Must be called while the payment is locked, because this lock also protects the disputes of the payment. */
export const listPaymentDisputes = listing<{ merchantId: MerchantId; paymentId: PaymentId }>()(
  'list_payment_disputes',
  (p) =>
    build
      .selectFrom('payment_disputes')
      .where('merchantId', '=', p.merchantId)
      .where('paymentId', '=', p.paymentId)
      .select(['disputeId', 'status', 'lostKobo']),
)

interface PutDispute extends PaymentDispute {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly resolution: string | null
  readonly resolvedAt: Timestamp | null
  readonly now: Timestamp
}

export const putPaymentDispute = queueing<PutDispute>()('put_payment_dispute', (p) =>
  build
    .insertInto('payment_disputes')
    .values({
      merchantId: p.merchantId,
      disputeId: p.disputeId,
      paymentId: p.paymentId,
      status: p.status,
      resolution: p.resolution,
      lostKobo: p.lostKobo,
      openedAt: p.now,
      resolvedAt: p.resolvedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['merchantId', 'disputeId']).doUpdateSet((row) => ({
        status: row.ref('excluded.status'),
        resolution: row.ref('excluded.resolution'),
        lostKobo: row.ref('excluded.lostKobo'),
        resolvedAt: row.ref('excluded.resolvedAt'),
      })),
    ),
)
