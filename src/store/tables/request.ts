import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The columns of the request log whose TypeScript types are narrower than their database types. */

export interface RequestLogColumns {
  merchant_id: MerchantId
  occurred_at: Timestamp
}

export interface RequestCountsColumns {
  merchant_id: MerchantId
  hour: Timestamp
}
