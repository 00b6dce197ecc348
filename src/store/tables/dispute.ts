import type { Kobo, MerchantId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The status of a payment dispute. `unclear` is a resolved dispute whose result the service does not recognise. */
export type DisputeStatus = 'open' | 'won' | 'lost' | 'unclear'

/** The columns of payment_disputes whose TypeScript types are narrower than their database types. */
export interface PaymentDisputeColumns {
  merchantId: MerchantId
  paymentId: PaymentId
  status: DisputeStatus
  lostKobo: Kobo
  openedAt: Timestamp
  resolvedAt: Timestamp | null
}

/** The columns of unmatched_disputes whose TypeScript types are narrower than their database types. */
export interface UnmatchedDisputeColumns {
  merchantId: MerchantId
  status: DisputeStatus
  lostKobo: Kobo | null
  reportedAt: Timestamp
}
