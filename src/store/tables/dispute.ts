import type { Kobo, MerchantId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** Where a dispute of a payment is; `unclear` is one that was resolved with a result nobody here knows. */
export type DisputeStatus = 'open' | 'won' | 'lost' | 'unclear'

/** What the columns of a dispute mean. */
export interface PaymentDisputeColumns {
  merchant_id: MerchantId
  payment_id: PaymentId
  status: DisputeStatus
  lost_kobo: Kobo
  opened_at: Timestamp
  resolved_at: Timestamp | null
}

/** What the columns of a dispute without its payment mean. */
export interface UnmatchedDisputeColumns {
  merchant_id: MerchantId
  status: DisputeStatus
  lost_kobo: Kobo | null
  reported_at: Timestamp
}
