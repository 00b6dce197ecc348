import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'

/** What a bulk replay can repeat: what is over. */
export type ReplayableStatus = 'failed' | 'skipped' | 'succeeded'

export type BulkReplayStatus = 'running' | 'done' | 'cancelled'

/** What tables.ts knows of webhook_bulk_replays, but for what the database fills in. */
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
