import type { Generated } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  EventId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'

/** The columns of the webhook tables whose TypeScript types are narrower than their database types. */

export type DeliveryStatus = 'pending' | 'failed' | 'succeeded' | 'held' | 'skipped'

export interface WebhookEndpointColumns {
  merchantId: MerchantId
  id: EndpointId
  status: Generated<'enabled' | 'disabled'>
  disabledReason: 'consecutive_failures' | 'manual' | 'deleted' | null
  disabledAt: Timestamp | null
  pacedUntil: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface WebhookSecretColumns {
  merchantId: MerchantId
  endpointId: EndpointId
  createdAt: Timestamp
  expiresAt: Timestamp | null
}

export interface WebhookSubscriptionColumns {
  merchantId: MerchantId
  kind: EventKind
  endpointId: EndpointId
}

export interface WebhookEventColumns {
  merchantId: MerchantId
  id: EventId
  kind: EventKind
  createdAt: Timestamp
}

export interface WebhookDeliveryColumns {
  merchantId: MerchantId
  id: DeliveryId
  eventId: EventId
  endpointId: EndpointId
  status: DeliveryStatus
  trigger: Generated<'automatic' | 'replay' | 'test'>
  replayOf: DeliveryId | null
  bulkReplayId: BulkReplayId | null
  nextAttemptAt: Timestamp | null
  leaseUntil: Timestamp | null
  createdAt: Timestamp
  completedAt: Timestamp | null
}

export interface WebhookLeaseColumns {
  merchantId: MerchantId
  endpointId: EndpointId
  expiresAt: Timestamp
}

export interface WebhookAttemptColumns {
  merchantId: MerchantId
  deliveryId: DeliveryId
  outcome: 'succeeded' | 'failed' | 'aborted'
  startedAt: Timestamp
  finishedAt: Timestamp
}
