import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'

/** The delivery statuses that a bulk replay can repeat: those of completed deliveries. */
export type ReplayableStatus = 'failed' | 'skipped' | 'succeeded'

export type BulkReplayStatus = 'running' | 'done' | 'cancelled'

/** The columns of webhook_bulk_replays without the columns that the database generates. */
export interface BulkReplayColumns {
  merchant_id: MerchantId
  id: BulkReplayId
  endpoint_id: EndpointId
  since: Timestamp
  until: Timestamp
  statuses: ReplayableStatus[]
  last_delivery_id: DeliveryId | null
  created_at: Timestamp
  completed_at: Timestamp | null
}
