import type { Generated } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { EndpointId, MemberId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

export interface NotificationColumns {
  merchantId: MerchantId
  endpointId: EndpointId | null
  createdAt: Timestamp
  resolvedAt: Timestamp | null
}

export interface NotificationPreferenceColumns {
  merchantId: MerchantId
  memberId: MemberId
  kind: NotificationKind
}

/**
 * Status of an e-mail. `skipped`: the member left, lost the permission or turned the e-mails off before it was sent.
 */
export type NotificationMailStatus = 'pending' | 'sent' | 'failed' | 'skipped'

export interface NotificationMailColumns {
  merchantId: MerchantId
  memberId: MemberId
  createdAt: Timestamp
  nextAttemptAt: Timestamp | null
  completedAt: Timestamp | null
  status: Generated<NotificationMailStatus>
}
