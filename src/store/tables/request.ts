import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The columns of the request log whose types are narrower than in the database. */

export interface RequestLogColumns {
  merchant_id: MerchantId
  occurred_at: Timestamp
}

export interface RequestCountsColumns {
  merchant_id: MerchantId
  hour: Timestamp
}
