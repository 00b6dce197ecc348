import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The columns of the request log whose TypeScript types are narrower than their database types. */

export interface RequestLogColumns {
  merchantId: MerchantId
  occurredAt: Timestamp
}

export interface RequestCountsColumns {
  merchantId: MerchantId
  hour: Timestamp
}
