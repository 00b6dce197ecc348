import type { Generated } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { EndpointId, MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

export interface NotificationColumns {
  merchant_id: MerchantId
  endpoint_id: EndpointId | null
  created_at: Timestamp
  resolved_at: Timestamp | null
}

export interface NotificationPreferenceColumns {
  merchant_id: MerchantId
  member_id: MemberId
  kind: NotificationKind
}

/**
 * Status of an e-mail. `skipped`: the member left, lost the permission or turned the e-mails off before it was sent.
 */
export type NotificationMailStatus = 'pending' | 'sent' | 'failed' | 'skipped'

export interface NotificationMailColumns {
  merchant_id: MerchantId
  member_id: MemberId
  created_at: Timestamp
  next_attempt_at: Timestamp | null
  completed_at: Timestamp | null
  status: Generated<NotificationMailStatus>
}
