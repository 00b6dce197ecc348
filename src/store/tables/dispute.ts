import type { Kobo, MerchantId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The status of a payment dispute. `unclear` is a resolved dispute whose result the service does not recognise. */
export type DisputeStatus = 'open' | 'won' | 'lost' | 'unclear'

/** The columns of payment_disputes whose TypeScript types are narrower than their database types. */
export interface PaymentDisputeColumns {
  merchant_id: MerchantId
  payment_id: PaymentId
  status: DisputeStatus
  lost_kobo: Kobo
  opened_at: Timestamp
  resolved_at: Timestamp | null
}

/** The columns of unmatched_disputes whose TypeScript types are narrower than their database types. */
export interface UnmatchedDisputeColumns {
  merchant_id: MerchantId
  status: DisputeStatus
  lost_kobo: Kobo | null
  reported_at: Timestamp
}
