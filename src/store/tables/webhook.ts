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
  merchant_id: MerchantId
  id: EndpointId
  status: Generated<'enabled' | 'disabled'>
  disabled_reason: 'consecutive_failures' | 'manual' | 'deleted' | null
  disabled_at: Timestamp | null
  paced_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface WebhookSecretColumns {
  merchant_id: MerchantId
  endpoint_id: EndpointId
  created_at: Timestamp
  expires_at: Timestamp | null
}

export interface WebhookSubscriptionColumns {
  merchant_id: MerchantId
  kind: EventKind
  endpoint_id: EndpointId
}

export interface WebhookEventColumns {
  merchant_id: MerchantId
  id: EventId
  kind: EventKind
  created_at: Timestamp
}

export interface WebhookDeliveryColumns {
  merchant_id: MerchantId
  id: DeliveryId
  event_id: EventId
  endpoint_id: EndpointId
  status: DeliveryStatus
  trigger: Generated<'automatic' | 'replay' | 'test'>
  replay_of: DeliveryId | null
  bulk_replay_id: BulkReplayId | null
  next_attempt_at: Timestamp | null
  lease_until: Timestamp | null
  created_at: Timestamp
  completed_at: Timestamp | null
}

export interface WebhookLeaseColumns {
  merchant_id: MerchantId
  endpoint_id: EndpointId
  expires_at: Timestamp
}

export interface WebhookAttemptColumns {
  merchant_id: MerchantId
  delivery_id: DeliveryId
  outcome: 'succeeded' | 'failed' | 'aborted'
  started_at: Timestamp
  finished_at: Timestamp
}
