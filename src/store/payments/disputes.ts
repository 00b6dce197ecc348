import type { Kobo, MerchantId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'
import type { DisputeStatus } from '../tables/dispute.ts'

/** Disputes of payments, each as its provider last reported it. */

export interface PaymentDispute {
  readonly disputeId: string
  readonly status: DisputeStatus
  readonly lostKobo: Kobo
}

const list = reading<{ merchantId: MerchantId; paymentId: PaymentId }>()('list_payment_disputes', (p) =>
  build
    .selectFrom('payment_disputes')
    .where('merchant_id', '=', p.merchantId)
    .where('payment_id', '=', p.paymentId)
    .select(['dispute_id as disputeId', 'status', 'lost_kobo as lostKobo']),
)

/**
 * Returns the disputes of a payment. It must be called while the payment is locked, because that lock also protects its
 * disputes.
 */
export function listPaymentDisputes(
  db: ReadDb,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<readonly PaymentDispute[]> {
  return db.read(list, { merchantId, paymentId })
}

interface PutDispute extends PaymentDispute {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly resolution: string | null
  readonly resolvedAt: Timestamp | null
  readonly now: Timestamp
}

const put = writing<PutDispute>()('put_payment_dispute', (p) =>
  build
    .insertInto('payment_disputes')
    .values({
      merchant_id: p.merchantId,
      dispute_id: p.disputeId,
      payment_id: p.paymentId,
      status: p.status,
      resolution: p.resolution,
      lost_kobo: p.lostKobo,
      opened_at: p.now,
      resolved_at: p.resolvedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'dispute_id']).doUpdateSet((row) => ({
        status: row.ref('excluded.status'),
        resolution: row.ref('excluded.resolution'),
        lost_kobo: row.ref('excluded.lost_kobo'),
        resolved_at: row.ref('excluded.resolved_at'),
      })),
    ),
)

/** Inserts a dispute, or replaces the stored state of an existing one. */
export function putPaymentDispute(trx: WriteTrx, dispute: PutDispute): void {
  trx.queue(put, dispute)
}
